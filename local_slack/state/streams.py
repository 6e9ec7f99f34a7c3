"""Streamed messages: their pieces, their limits and their end.

A stream lives 300 seconds from its start, with or without appends. After that, and after Stop, it takes nothing more.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from local_slack.block_kit import check_blocks, completed
from local_slack.limits import Limits
from local_slack.state.changes import SessionStopped
from local_slack.state.entities import Message, MessageDraft, Stream, StreamState
from local_slack.state.mrkdwn import plain_rich_text
from local_slack.state.workspace import Workspace
from local_slack.wire import Json, SlackError

_TASK_STATUSES = {"pending", "in_progress", "complete", "error"}


def start(
    workspace: Workspace, draft: MessageDraft, chunks: Sequence[Json], display: Literal["timeline", "plan"]
) -> Message:
    """Begin a message. Raises msg_too_long, invalid_chunks, invalid_blocks, and as `Workspace.post`."""
    stream = Stream(
        workspace.clock.now() + workspace.limits["stream.seconds"], display, _checked((), chunks, workspace.limits)
    )
    admitted = workspace.admitted(draft)
    message = Message(workspace.clock.next_ts(), _shown(admitted, stream), stream=stream)
    workspace.add(message)
    workspace.clock.call_at(stream.expires_at, lambda: _expire(workspace, message))
    return message


def append(workspace: Workspace, message: Message, chunks: Sequence[Json]) -> Message:
    """Add pieces.

    Raises message_not_in_streaming_state, stopped_by_user, msg_too_long, invalid_chunks, invalid_blocks.
    """
    stream = _running(message)
    longer = replace(stream, chunks=_checked(stream.chunks, chunks, workspace.limits))
    message = replace(message, draft=_shown(message.draft, longer), stream=longer)
    workspace.stream(message)
    return message


def finish(
    workspace: Workspace, message: Message, chunks: Sequence[Json], blocks: Sequence[Json], metadata: Json | None
) -> Message:
    """Add the last pieces, and `blocks` below them. Raises as `append`."""
    stream = _running(message)
    done = replace(stream, chunks=_checked(stream.chunks, chunks, workspace.limits), state="completed")
    check_blocks(blocks, workspace.limits)
    shown = _shown(message.draft, done)
    draft = replace(shown, blocks=(*shown.blocks, *completed(blocks)), metadata=metadata or shown.metadata)
    return workspace.replace(replace(message, draft=draft, stream=done))


def stop_by_user(workspace: Workspace, user: str, channel: str, thread_ts: str) -> list[Message]:
    """End every stream of a thread for `user`, and tell the app."""
    running = [message for message in workspace.history(channel).replies(thread_ts) if message.is_streaming]
    stopped = [_end(workspace, message, "stopped") for message in running]
    streams = [message.ts for message in stopped]
    workspace.publish(SessionStopped(channel, thread_ts, user, streams, workspace.clock.next_ts()))
    return stopped


def end(workspace: Workspace, channel: str, ts: str, state: StreamState) -> None:
    """End one stream. Raises message_not_found, message_not_in_streaming_state."""
    message = workspace.message(channel, ts)
    _running(message)
    _end(workspace, message, state)


def _end(workspace: Workspace, message: Message, state: StreamState) -> Message:
    assert message.stream is not None
    ended = replace(message, stream=replace(message.stream, state=state))
    workspace.stream(ended)
    return ended


def _expire(workspace: Workspace, started: Message) -> None:
    if started.channel in workspace.channels:
        message = workspace.history(started.channel).get(started.ts)
        if message is not None and message.is_streaming:
            _end(workspace, message, "expired")


def _running(message: Message) -> Stream:
    if message.stream is None or message.stream.state in {"completed", "expired"}:
        raise SlackError("message_not_in_streaming_state")
    if message.stream.state == "stopped":
        raise SlackError("stopped_by_user")
    return message.stream


def _checked(old: Sequence[Json], new: Sequence[Json], limits: Limits) -> tuple[Json, ...]:
    for index, chunk in enumerate(new):
        problem = _problem(chunk, limits)
        if problem:
            raise SlackError("invalid_chunks", [f"[ERROR] {problem} [json-pointer:/chunks/{index}]"])
    chunks = (*old, *new)
    if sum(len(chunk["text"]) for chunk in chunks if chunk["type"] == "markdown_text") > limits["stream.text"]:
        raise SlackError("msg_too_long")
    return chunks


def _problem(chunk: Json, limits: Limits) -> str:
    match chunk:
        case {"type": "markdown_text", "text": str()} | {"type": "plan_update", "title": str()}:
            return ""
        case {"type": "task_update", "id": str(), "title": str(), "status": str(status)}:
            return "" if status in _TASK_STATUSES else f"status is one of {', '.join(sorted(_TASK_STATUSES))}"
        case {"type": "blocks", "blocks": list(blocks)} if all(isinstance(block, dict) for block in blocks):
            check_blocks(blocks, limits)
            return ""
        case {"type": "markdown_text" | "plan_update" | "task_update" | "blocks"}:
            return "a required field is missing or of another type"
    return f"unsupported type: {chunk.get('type')}"


def _shown(draft: MessageDraft, stream: Stream) -> MessageDraft:
    text = "".join(chunk["text"] for chunk in stream.chunks if chunk["type"] == "markdown_text")
    return replace(draft, text=text, blocks=tuple(completed(blocks_of(stream))))


def blocks_of(stream: Stream) -> list[Json]:
    """Return prose as markdown blocks, tasks as cards or one plan, blocks as given; each where it first appeared."""
    blocks: list[Json] = []
    cards: dict[str, Json] = {}
    plan: Json = {"type": "plan", "block_id": "plan", "title": "", "tasks": []}
    for number, chunk in enumerate(stream.chunks):
        match chunk["type"]:
            case "markdown_text":
                _add_prose(blocks, chunk["text"], number)
            case "blocks":
                blocks += chunk["blocks"]
            case "plan_update":
                plan["title"] = chunk["title"]
            case _:
                target = plan["tasks"] if stream.display == "plan" else blocks
                _add_task(target, cards, chunk)
        if stream.display == "plan" and plan not in blocks and (plan["title"] or plan["tasks"]):
            blocks.append(plan)
    return blocks


def _add_prose(blocks: list[Json], text: str, number: int) -> None:
    if blocks and blocks[-1]["type"] == "markdown":
        blocks[-1] = {**blocks[-1], "text": blocks[-1]["text"] + text}
    elif text:
        blocks.append({"type": "markdown", "block_id": f"text-{number}", "text": text})


def _add_task(target: list[Json], cards: dict[str, Json], chunk: Json) -> None:
    """Show a task or update its card: title and status are replaced, details grow."""
    card = cards.get(chunk["id"])
    if card is None:
        card = cards[chunk["id"]] = {
            "type": "task_card",
            "block_id": f"task-{chunk['id']}"[:255],
            "task_id": chunk["id"],
        }
        target.append(card)
    card.update(title=chunk["title"], status=chunk["status"])
    if chunk.get("details"):
        before = card["details"]["elements"][0]["elements"][0]["text"] if "details" in card else ""
        card["details"] = plain_rich_text(before + str(chunk["details"]))
    if chunk.get("output"):
        card["output"] = plain_rich_text(str(chunk["output"]))
    if chunk.get("sources"):
        card["sources"] = chunk["sources"]
