"""Messages of the bot: post, schedule, show to one person, change, delete, link."""

import uuid
from collections.abc import Callable

from local_slack.objects import message_object, permalink
from local_slack.slack import LocalSlack
from local_slack.state.entities import Channel, Message, MessageDraft
from local_slack.state.workspace import Workspace
from local_slack.web_api.arguments import Arguments
from local_slack.web_api.content import draft_of, updated, with_content
from local_slack.web_api.methods.conversations import bots_channel
from local_slack.wire import Json, SlackError


def post_message(slack: LocalSlack, args: Arguments) -> Json:
    """Post; with `--deduplicate`, return the channel's earlier message of the same client_msg_id."""
    workspace = slack.workspace
    channel = _target(workspace, args)
    draft = with_content(draft_of(workspace, channel, args))
    message = _posted_before(slack, draft) or workspace.post(draft)
    return {"channel": channel.id, "ts": message.ts, "message": _shown(workspace, message)}


def schedule_message(slack: LocalSlack, args: Arguments) -> Json:
    """Raises time_in_past, time_too_far, invalid_time."""
    workspace, now = slack.workspace, slack.workspace.clock.now()
    channel = _target(workspace, args)
    draft = with_content(draft_of(workspace, channel, args))
    workspace.admitted(draft)
    post_at = args.number("post_at", 0)
    if not post_at:
        raise SlackError("invalid_time")
    if post_at <= now:
        raise SlackError("time_in_past")
    if post_at > now + workspace.limits["message.days_ahead"] * 86_400:
        raise SlackError("time_too_far")
    workspace.clock.call_at(post_at, _posting(workspace, draft))
    shown = {"text": draft.text, "type": "delayed_message", "user": draft.user, "bot_id": workspace.app.bot_id}
    scheduled = f"Q{uuid.uuid4().hex[:10].upper()}"
    return {"channel": channel.id, "scheduled_message_id": scheduled, "post_at": post_at, "message": shown}


def post_ephemeral(slack: LocalSlack, args: Arguments) -> Json:
    workspace = slack.workspace
    channel = _target(workspace, args)
    draft = with_content(draft_of(workspace, channel, args))
    return {"message_ts": workspace.post_ephemeral(draft, args.required("user", "user_not_found")).ts}


def update(slack: LocalSlack, args: Arguments) -> Json:
    """Change a message; only a change of its text alone is marked as edited.

    Raises streaming_state_conflict, is_inactive, edit_window_closed.
    """
    workspace = slack.workspace
    message = own_message(workspace, args, args.required("ts", "message_not_found"), "cant_update_message")
    if message.is_streaming:
        raise SlackError("streaming_state_conflict")
    if workspace.channel(message.channel).is_archived:
        raise SlackError("is_inactive")
    if workspace.clock.now() - float(message.ts) > workspace.limits["message.edit_window"]:
        raise SlackError("edit_window_closed")
    new = draft_of(workspace, workspace.channel(message.channel), args, "message.update_text")
    draft = with_content(updated(message.draft, new, args))
    has_text = args.has("text") or args.has("markdown_text")
    is_marked = has_text and not new.blocks and not new.attachments
    changed = workspace.edit(message.channel, message.ts, draft, is_marked=is_marked)
    shown = _shown(workspace, changed)
    return {"channel": message.channel, "ts": message.ts, "text": changed.text, "message": shown}


def delete(slack: LocalSlack, args: Arguments) -> Json:
    ts = args.required("ts", "message_not_found")
    message = own_message(slack.workspace, args, ts, "cant_delete_message")
    slack.workspace.delete(message.channel, ts)
    return {"channel": message.channel, "ts": ts}


def get_permalink(slack: LocalSlack, args: Arguments) -> Json:
    channel = bots_channel(slack.workspace, args)
    message = slack.workspace.message(channel.id, args.required("message_ts", "message_not_found"))
    return {"channel": channel.id, "permalink": permalink(slack.workspace, message)}


def own_message(workspace: Workspace, args: Arguments, ts: str, refusal: str) -> Message:
    """Return a message of the bot; `refusal` answers for anybody else's."""
    message = workspace.message(bots_channel(workspace, args).id, ts)
    if message.user != workspace.bot.id:
        raise SlackError(refusal)
    return message


def _target(workspace: Workspace, args: Arguments) -> Channel:
    """Return the conversation to post to; a user's id means their direct messages."""
    given = args.text("channel")
    if given in workspace.users and given != workspace.bot.id:
        if workspace.user(given).is_deleted:
            raise SlackError("channel_not_found")
        return workspace.open_im(workspace.bot.id, given)
    return bots_channel(workspace, args)


def _posted_before(slack: LocalSlack, draft: MessageDraft) -> Message | None:
    if not slack.options.deduplicates or not draft.client_msg_id:
        return None
    history = slack.workspace.history(draft.channel)
    return next((old for old in history if old.draft.client_msg_id == draft.client_msg_id), None)


def _posting(workspace: Workspace, draft: MessageDraft) -> Callable[[], None]:
    def post() -> None:
        if draft.channel in workspace.channels:
            workspace.post(draft)

    return post


def _shown(workspace: Workspace, message: Message) -> Json:
    return message_object(workspace, message, with_metadata=True)
