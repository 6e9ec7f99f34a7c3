"""Read a message out of a call's arguments and check it against Slack's limits."""

from dataclasses import replace

from local_slack.block_kit import check_blocks, completed
from local_slack.state.entities import Channel, MessageDraft
from local_slack.state.workspace import Workspace
from local_slack.web_api.arguments import Arguments
from local_slack.wire import Json, SlackError


def draft_of(workspace: Workspace, channel: Channel, args: Arguments, most_text: str = "message.text") -> MessageDraft:
    """Return the message, maybe empty. Raises msg_too_long, markdown_text_conflict, invalid_blocks and their like."""
    blocks = _blocks(workspace, args)
    attachments = args.objects("attachments", "invalid_attachments")
    text = args.text("text")
    if len(text) > workspace.limits[most_text]:
        raise SlackError("msg_too_long")
    if len(attachments) > workspace.limits["message.attachments"]:
        raise SlackError("too_many_attachments")
    return MessageDraft(
        user=workspace.bot.id,
        channel=channel.id,
        text=text or args.text("markdown_text"),
        thread_ts=args.optional("thread_ts"),
        blocks=tuple(blocks),
        attachments=tuple(attachments),
        metadata=metadata_of(args),
        client_msg_id=args.optional("client_msg_id"),
        broadcast=args.flag("reply_broadcast"),
        by_app=True,
    )


def with_content(draft: MessageDraft) -> MessageDraft:
    """Return `draft`. Raises no_text if it says nothing."""
    if not (draft.text.strip() or draft.blocks or draft.attachments or draft.files):
        raise SlackError("no_text")
    return draft


def updated(old: MessageDraft, new: MessageDraft, args: Arguments) -> MessageDraft:
    """Merge an update: without `text`, absent blocks and attachments stay; with it, absent blocks go."""
    has_text = args.has("text") or args.has("markdown_text")
    return replace(
        old,
        text=new.text if has_text else old.text,
        blocks=new.blocks if has_text or args.has("blocks") else old.blocks,
        attachments=new.attachments if args.has("attachments") else old.attachments,
        metadata=new.metadata if args.has("metadata") else old.metadata,
    )


def metadata_of(args: Arguments) -> Json | None:
    """Raises invalid_metadata_format, invalid_metadata_schema."""
    metadata = args.mapping("metadata", "invalid_metadata_format")
    if not metadata:
        return None
    if not isinstance(metadata.get("event_type"), str) or not isinstance(metadata.get("event_payload"), dict):
        raise SlackError("invalid_metadata_schema", ["[ERROR] metadata needs event_type and event_payload"])
    return metadata


def require_files(workspace: Workspace, blocks: list[Json]) -> None:
    """Raise invalid_blocks for an image of an unknown file."""
    for index, block in enumerate(blocks):
        named = block.get("slack_file") or {}
        if named.get("id") and named["id"] not in workspace.files:
            raise SlackError(
                "invalid_blocks", [f"[ERROR] invalid slack file [json-pointer:/blocks/{index}/slack_file/id]"]
            )


def _blocks(workspace: Workspace, args: Arguments) -> list[Json]:
    blocks = args.objects("blocks", "invalid_blocks_format")
    markdown = args.text("markdown_text")
    if markdown and (blocks or args.text("text")):
        raise SlackError("markdown_text_conflict")
    if len(markdown) > workspace.limits["message.markdown_text"]:
        raise SlackError("msg_too_long")
    given = [{"type": "markdown", "text": markdown}] if markdown else blocks
    check_blocks(given, workspace.limits)
    require_files(workspace, given)
    return completed(given)
