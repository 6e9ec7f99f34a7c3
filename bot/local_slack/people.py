"""What the people of the workspace do, for the page and for tests: say something, change it, take it back."""

import uuid
from dataclasses import replace

from bot.local_slack.entities import Draft, Message, User
from bot.local_slack.errors import SlackError
from bot.local_slack.mrkdwn import rich_text, stored_text
from bot.local_slack.state import Workspace


def person(workspace: Workspace, user_id: str) -> User:
    """The person of that id; the bot is none. Raises user_not_found."""
    user = workspace.user(user_id)
    if user.is_bot:
        raise SlackError("user_not_found")
    return user


def say(
    workspace: Workspace, user_id: str, channel_id: str, text: str, thread_ts: str | None = None, ts: str | None = None
) -> Message:
    """Post as a person, with what Slack's own composer adds. Raises no_text and what `Workspace.post` raises."""
    author = person(workspace, user_id).id
    draft = Draft(author, channel_id, thread_ts=thread_ts or None, client_msg_id=str(uuid.uuid4()))
    return workspace.post(_saying(draft, text), ts)


def edit(workspace: Workspace, user_id: str, channel_id: str, ts: str, text: str) -> Message:
    """Change the text of one's own message. Raises no_text, and cant_update_message for another's."""
    old = _own(workspace, user_id, channel_id, ts, "cant_update_message")
    return workspace.edit(channel_id, ts, _saying(old.draft, text))


def delete(workspace: Workspace, user_id: str, channel_id: str, ts: str) -> None:
    """Delete one's own message. Raises cant_delete_message for another's."""
    _own(workspace, user_id, channel_id, ts, "cant_delete_message")
    workspace.delete(channel_id, ts)


def _own(workspace: Workspace, user_id: str, channel_id: str, ts: str, refusal: str) -> Message:
    message = workspace.message(channel_id, ts)
    if message.user != person(workspace, user_id).id:
        raise SlackError(refusal)
    return message


def _saying(draft: Draft, text: str) -> Draft:
    if not text.strip():
        raise SlackError("no_text")
    blocks = (rich_text(stored_text(text), block_id=uuid.uuid4().hex[:5]),)
    return replace(draft, text=text, blocks=blocks)
