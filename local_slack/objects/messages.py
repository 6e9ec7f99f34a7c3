"""Messages and their permalinks."""

from local_slack.objects.files import file_object
from local_slack.objects.people import author_facts, bot_object, home_team
from local_slack.state.entities import Message
from local_slack.state.workspace import Workspace
from local_slack.wire import Json


def message_object(workspace: Workspace, message: Message, *, with_metadata: bool = False) -> Json:
    if message.is_tombstone:
        return {
            "type": "message",
            "subtype": "tombstone",
            "user": "USLACKBOT",
            "hidden": True,
            "text": message.text,
            "ts": message.ts,
            "thread_ts": message.ts,
            **_thread_facts(workspace, message),
        }
    draft = message.draft
    fields: Json = {
        "type": "message",
        "subtype": _subtype(message),
        "user": draft.user,
        "text": draft.text,
        "ts": message.ts,
        "team": None if draft.files else home_team(workspace, draft.user),  # slack-api-specs #62
        **_shared_facts(workspace, message),
        "client_msg_id": draft.client_msg_id,
        **_author_facts(workspace, message),
        "blocks": list(draft.blocks),
        "attachments": list(draft.attachments),
        "files": [file_object(workspace, workspace.files[file_id]) for file_id in draft.files],
        "upload": False if draft.files else None,
        "edited": {"user": message.edited[0], "ts": message.edited[1]} if message.edited else None,
        "reactions": [{"name": name, "users": list(users), "count": len(users)} for name, users in message.reactions],
        "streaming_state": message.stream.state if message.stream else None,
        **_thread_facts(workspace, message),
        "metadata": draft.metadata if with_metadata else None,
    }
    return {name: value for name, value in fields.items() if value is not None and value != []}


def permalink(workspace: Workspace, message: Message) -> str:
    thread = f"?thread_ts={message.thread_ts}&cid={message.channel}" if message.thread_ts else ""
    return f"{workspace.team.url}archives/{message.channel}/p{message.ts.replace('.', '')}{thread}"


def _subtype(message: Message) -> str | None:
    if message.draft.subtype:
        return message.draft.subtype
    if message.draft.files:
        return "file_share"
    return "thread_broadcast" if message.draft.broadcast else None


def _shared_facts(workspace: Workspace, message: Message) -> Json:
    """Return the author's home in channels shared with other workspaces; messages with files lack it too."""
    if message.draft.files or not workspace.channel(message.channel).is_shared:
        return {}
    return author_facts(workspace, workspace.user(message.user))


def _author_facts(workspace: Workspace, message: Message) -> Json:
    if not message.draft.by_app:
        return {}
    app = workspace.app
    return {"bot_id": app.bot_id, "app_id": app.id, "bot_profile": bot_object(workspace)}


def _thread_facts(workspace: Workspace, message: Message) -> Json:
    if message.is_reply and message.thread_ts is not None:
        root = workspace.history(message.channel).get(message.thread_ts)
        return {"thread_ts": message.thread_ts, "parent_user_id": root.user if root else None}
    replies = workspace.history(message.channel).replies(message.ts)
    if not replies:
        return {"thread_ts": message.thread_ts}
    users = list(dict.fromkeys(reply.user for reply in replies))
    return {
        "thread_ts": message.ts,
        "reply_count": len(replies),
        "reply_users": users[:5],
        "reply_users_count": len(users),
        "latest_reply": replies[-1].ts,
        "is_locked": False,
        "subscribed": False,
    }
