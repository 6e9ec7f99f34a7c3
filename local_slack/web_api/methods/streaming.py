"""Streamed messages of the bot."""

from typing import Literal

from local_slack.objects import message_object
from local_slack.slack import LocalSlack
from local_slack.state import streams
from local_slack.state.entities import MessageDraft
from local_slack.web_api.arguments import Arguments
from local_slack.web_api.content import metadata_of
from local_slack.web_api.methods.agents import session_status, set_session
from local_slack.web_api.methods.chat import own_message
from local_slack.web_api.methods.conversations import bots_channel
from local_slack.wire import Json, SlackError


def start_stream(slack: LocalSlack, args: Arguments) -> Json:
    """Outside direct messages a recipient is required. Raises missing_recipient_team_id, missing_recipient_user_id."""
    workspace = slack.workspace
    channel = bots_channel(workspace, args)
    for name in ("recipient_team_id", "recipient_user_id"):
        if not channel.is_im and not args.text(name):
            raise SlackError(f"missing_{name}")
    draft = MessageDraft(
        workspace.bot.id, channel.id, thread_ts=args.required("thread_ts", "thread_not_found"), by_app=True
    )
    message = streams.start(workspace, draft, _chunks(args), _display(args))
    return {"channel": channel.id, "ts": message.ts}


def append_stream(slack: LocalSlack, args: Arguments) -> Json:
    chunks = _chunks(args)
    message = own_message(slack.workspace, args, args.required("ts", "message_not_found"), "message_not_owned_by_app")
    if not chunks:
        raise SlackError("no_text")
    streams.append(slack.workspace, message, chunks)
    return {"channel": message.channel, "ts": message.ts}


def stop_stream(slack: LocalSlack, args: Arguments) -> Json:
    workspace = slack.workspace
    message = own_message(workspace, args, args.required("ts", "message_not_found"), "message_not_owned_by_app")
    status = session_status(args, "session_status") if args.text("session_status") else None
    blocks = args.objects("blocks", "invalid_blocks_format")
    done = streams.finish(workspace, message, _chunks(args), blocks, metadata_of(args))
    if status is not None:
        set_session(workspace, done.channel, done.thread_ts or "", status)
    return {"channel": done.channel, "ts": done.ts, "message": message_object(workspace, done, with_metadata=True)}


def _chunks(args: Arguments) -> list[Json]:
    """Return the pieces of a call; `markdown_text` stands for one of prose."""
    markdown, chunks = args.text("markdown_text"), args.objects("chunks", "invalid_chunks")
    if markdown and chunks:
        raise SlackError("markdown_text_conflict")
    return [{"type": "markdown_text", "text": markdown}] if markdown else chunks


def _display(args: Arguments) -> Literal["timeline", "plan"]:
    mode = args.text("task_display_mode", "timeline")
    if mode not in {"timeline", "plan"}:
        raise SlackError("invalid_arguments", ["[ERROR] task_display_mode is timeline or plan"])
    return "plan" if mode == "plan" else "timeline"
