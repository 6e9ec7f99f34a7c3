"""Build Slack's JSON objects from entities, with the names and nesting of Slack's reference."""

from urllib.parse import quote

from local_slack.state.entities import Channel, File, Message, User, UserGroup, View
from local_slack.state.workspace import Workspace
from local_slack.wire import Json

_NO_ICONS = {"image_36": "", "image_48": "", "image_72": ""}
ELSEWHERE = "T0ELSEWHERE"  # the team of all external people


def team_object(workspace: Workspace) -> Json:
    team = workspace.team
    return {"id": team.id, "name": team.name, "domain": team.domain, "email_domain": "", "url": team.url, "icon": {}}


def home_team(workspace: Workspace, user_id: str) -> str:
    """Return the team of a user: ours, or the external one."""
    return ELSEWHERE if workspace.user(user_id).kind == "external" else workspace.team.id


def user_object(workspace: Workspace, user: User) -> Json:
    team = home_team(workspace, user.id)
    return {
        "id": user.id,
        "team_id": team,
        "name": user.name,
        "deleted": False,
        "color": user.color.lstrip("#"),
        "real_name": user.real_name,
        "tz": user.tz,
        "tz_label": user.tz,
        "tz_offset": user.tz_offset,
        "profile": {"real_name": user.real_name, "display_name": user.name, "team": team, **_NO_ICONS},
        "is_admin": False,
        "is_owner": False,
        "is_primary_owner": False,
        "is_restricted": user.kind == "guest",
        "is_ultra_restricted": False,
        "is_stranger": user.kind == "external",
        "is_bot": user.is_bot,
        "is_app_user": False,
        "updated": 0,
    }


def bot_object(workspace: Workspace) -> Json:
    app, bot = workspace.app, workspace.bot
    return {
        "id": app.bot_id,
        "app_id": app.id,
        "user_id": bot.id,
        "name": bot.name,
        "icons": dict(_NO_ICONS),
        "deleted": False,
        "updated": 0,
        "team_id": workspace.team.id,
    }


def channel_object(workspace: Workspace, channel: Channel, viewer: str) -> Json:
    """Describe a conversation for `viewer`: a direct one names its other side."""
    common = {
        "id": channel.id,
        "created": channel.created,
        "is_im": channel.is_im,
        "is_mpim": False,
        "is_archived": False,
        "is_org_shared": False,
        "is_ext_shared": channel.is_ext_shared,
        "is_private": channel.is_private,
        "context_team_id": workspace.team.id,
    }
    if channel.is_im:
        return {**common, "user": channel.other_side(viewer), "is_open": True}
    return {
        **common,
        "name": channel.name,
        "name_normalized": channel.name,
        "is_channel": not channel.is_private,
        "is_group": channel.is_private,
        "is_general": False,
        "is_shared": channel.is_ext_shared,
        "is_member": viewer in channel.members,
        "creator": channel.members[0],
        "topic": {"value": channel.topic, "creator": "", "last_set": 0},
        "purpose": {"value": "", "creator": "", "last_set": 0},
        "num_members": len(channel.members),
    }


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


def group_object(workspace: Workspace, group: UserGroup, *, with_users: bool) -> Json:
    shown: Json = {
        "id": group.id,
        "team_id": workspace.team.id,
        "is_usergroup": True,
        "is_subteam": True,
        "name": group.name,
        "description": "",
        "handle": group.handle,
        "is_external": False,
        "date_create": 0,
        "date_update": 0,
        "date_delete": 0,
        "user_count": len(group.users),
    }
    return shown | ({"users": list(group.users)} if with_users else {})


def view_object(workspace: Workspace, view: View) -> Json:
    app, content = workspace.app, view.content
    texts = dict.fromkeys(("title", "submit", "close"))
    words = {"callback_id": "", "private_metadata": "", "external_id": ""}
    flags = {"clear_on_close": False, "notify_on_close": False}
    return {
        **texts,
        **words,
        **flags,
        **{name: value for name, value in content.items() if value is not None},
        "id": view.id,
        "team_id": workspace.team.id,
        "state": {"values": dict(view.values or {})},
        "hash": view.hash,
        "root_view_id": view.root_id,
        "previous_view_id": view.previous_id,
        "app_id": app.id,
        "app_installed_team_id": workspace.team.id,
        "bot_id": app.bot_id,
    }


def file_object(workspace: Workspace, file: File) -> Json:
    name = quote(file.name)
    url = f"{workspace.team.url}files/{file.id}/{name}"
    shares: dict[str, list[Json]] = {}
    for channel_id, ts in file.shares:
        shown_in = workspace.history(channel_id).get(ts)
        thread_ts = shown_in.thread_ts if shown_in else None
        shares.setdefault(channel_id, []).append({"ts": ts} | ({"thread_ts": thread_ts} if thread_ts else {}))
    private = {channel_id for channel_id in shares if workspace.channel(channel_id).is_private}
    return {
        "id": file.id,
        "created": file.created,
        "timestamp": file.created,
        "name": file.name,
        "title": file.title,
        "mimetype": file.mimetype,
        "filetype": file.name.rpartition(".")[2].lower() if "." in file.name else "binary",
        "pretty_type": file.name.rpartition(".")[2].upper() if "." in file.name else "Binary",
        "alt_txt": file.alt_text,
        "user": file.user,
        "user_team": workspace.team.id,
        "editable": False,
        "size": len(file.content),
        "mode": "hosted",
        "is_external": False,
        "external_type": "",
        "is_public": any(channel_id not in private for channel_id in shares),
        "public_url_shared": False,
        "display_as_bot": False,
        "username": "",
        "url_private": url,
        "url_private_download": url,
        "permalink": url,
        "channels": [channel_id for channel_id in shares if channel_id not in private],
        "groups": [],
        "ims": [channel_id for channel_id in private if workspace.channel(channel_id).is_im],
        "shares": {
            "public": {channel_id: found for channel_id, found in shares.items() if channel_id not in private},
            "private": {channel_id: found for channel_id, found in shares.items() if channel_id in private},
        },
        "has_rich_preview": False,
        "file_access": "visible",
    }


def permalink(workspace: Workspace, message: Message) -> str:
    thread = f"?thread_ts={message.thread_ts}&cid={message.channel}" if message.thread_ts else ""
    return f"{workspace.team.url}archives/{message.channel}/p{message.ts.replace('.', '')}{thread}"


def _subtype(message: Message) -> str | None:
    if message.draft.subtype:
        return message.draft.subtype
    if message.draft.files:
        return "file_share"
    return "thread_broadcast" if message.draft.broadcast else None


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
