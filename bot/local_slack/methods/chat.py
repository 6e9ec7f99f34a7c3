"""Messages of the bot: post, show to one person, change, delete, link."""

from dataclasses import replace

from bot.local_slack.arguments import Arguments
from bot.local_slack.blocks import check_blocks, with_block_ids
from bot.local_slack.entities import Channel, Draft, Json, Message
from bot.local_slack.errors import SlackError
from bot.local_slack.methods.conversations import bots_channel
from bot.local_slack.shapes import message_object, permalink
from bot.local_slack.slack import LocalSlack
from bot.local_slack.state import Workspace

_MOST_TEXT = 40_000  # characters of a new message; Slack cuts there, we refuse, since cutting loses data unseen
_MOST_UPDATED_TEXT = 4_000  # characters that chat.update takes
_MOST_MARKDOWN = 12_000
_MOST_ATTACHMENTS = 100


def post_message(slack: LocalSlack, args: Arguments) -> Json:
    workspace = slack.workspace
    channel = _target(workspace, args)
    message = workspace.post(_with_content(_draft(workspace, channel, args, _MOST_TEXT)))
    return {"channel": channel.id, "ts": message.ts, "message": _shown(workspace, message)}


def post_ephemeral(slack: LocalSlack, args: Arguments) -> Json:
    workspace = slack.workspace
    channel = _target(workspace, args)
    draft = _with_content(_draft(workspace, channel, args, _MOST_TEXT))
    return {"message_ts": workspace.post_ephemeral(draft, args.required("user", "user_not_found")).ts}


def update(slack: LocalSlack, args: Arguments) -> Json:
    """Without `text`, blocks and attachments that are not given stay; with it, blocks that are not given go.

    Readers see that a message was edited only if it was its text alone.
    """
    workspace = slack.workspace
    message = _own_message(workspace, args, args.required("ts", "message_not_found"), "cant_update_message")
    old = message.draft
    new = _draft(workspace, workspace.channel(message.channel), args, _MOST_UPDATED_TEXT)
    has_text = args.has("text") or args.has("markdown_text")
    draft = replace(
        old,
        text=new.text if has_text else old.text,
        blocks=new.blocks if has_text or args.has("blocks") else old.blocks,
        attachments=new.attachments if args.has("attachments") else old.attachments,
        metadata=new.metadata if args.has("metadata") else old.metadata,
    )
    is_marked = has_text and not new.blocks and not new.attachments
    changed = workspace.edit(message.channel, message.ts, _with_content(draft), is_marked=is_marked)
    shown = _shown(workspace, changed)
    return {"channel": message.channel, "ts": message.ts, "text": changed.text, "message": shown}


def delete(slack: LocalSlack, args: Arguments) -> Json:
    ts = args.required("ts", "message_not_found")
    message = _own_message(slack.workspace, args, ts, "cant_delete_message")
    slack.workspace.delete(message.channel, ts)
    return {"channel": message.channel, "ts": ts}


def get_permalink(slack: LocalSlack, args: Arguments) -> Json:
    channel = bots_channel(slack.workspace, args)
    message = slack.workspace.message(channel.id, args.required("message_ts", "message_not_found"))
    return {"channel": channel.id, "permalink": permalink(slack.workspace, message)}


def _target(workspace: Workspace, args: Arguments) -> Channel:
    """The conversation to post to; a user's id stands for the direct messages with them."""
    given = args.text("channel")
    if given in workspace.users and given != workspace.bot.id:
        return workspace.open_im(workspace.bot.id, given)
    return bots_channel(workspace, args)


def _own_message(workspace: Workspace, args: Arguments, ts: str, refusal: str) -> Message:
    message = workspace.message(bots_channel(workspace, args).id, ts)
    if message.user != workspace.bot.id:
        raise SlackError(refusal)
    return message


def _draft(workspace: Workspace, channel: Channel, args: Arguments, most_text: int) -> Draft:
    """What the call says, checked. Raises msg_too_long, markdown_text_conflict, invalid_blocks and their like."""
    blocks = _blocks(args)
    attachments = args.objects("attachments", "invalid_attachments")
    metadata = _metadata(args)
    text = args.text("text")
    if len(text) > most_text:
        raise SlackError("msg_too_long")
    if len(attachments) > _MOST_ATTACHMENTS:
        raise SlackError("too_many_attachments")
    return Draft(
        user=workspace.bot.id,
        channel=channel.id,
        text=text or args.text("markdown_text"),
        thread_ts=args.optional("thread_ts"),
        blocks=tuple(blocks),
        attachments=tuple(attachments),
        metadata=metadata,
        client_msg_id=args.optional("client_msg_id"),
        broadcast=args.flag("reply_broadcast"),
        by_app=True,
    )


def _with_content(draft: Draft) -> Draft:
    """`draft`, unless it says nothing at all. Raises no_text."""
    if not (draft.text.strip() or draft.blocks or draft.attachments or draft.files):
        raise SlackError("no_text")
    return draft


def _blocks(args: Arguments) -> list[Json]:
    """The blocks given, or the one that `markdown_text` makes."""
    blocks = args.objects("blocks", "invalid_blocks_format")
    markdown = args.text("markdown_text")
    if markdown and (blocks or args.text("text")):
        raise SlackError("markdown_text_conflict")
    if len(markdown) > _MOST_MARKDOWN:
        raise SlackError("msg_too_long")
    check_blocks(blocks)
    return with_block_ids([{"type": "markdown", "text": markdown}] if markdown else blocks)


def _metadata(args: Arguments) -> Json | None:
    metadata = args.mapping("metadata", "invalid_metadata_format")
    if not metadata:
        return None
    if not isinstance(metadata.get("event_type"), str) or not isinstance(metadata.get("event_payload"), dict):
        raise SlackError("invalid_metadata_schema", ["[ERROR] metadata needs event_type and event_payload"])
    return metadata


def _shown(workspace: Workspace, message: Message) -> Json:
    return message_object(workspace, message, with_metadata=True)
