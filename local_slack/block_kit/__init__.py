"""Check blocks as Slack does, and add the ids Slack adds. Pure.

`rules` is a small language; `elements`, `rich_text`, `data_blocks`, `blocks` and `views` are written in it;
`message` sees all blocks together.
"""

import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from local_slack.block_kit.message import problems_of, table_count, total_text
from local_slack.block_kit.views import VIEW
from local_slack.limits import Limits, strict
from local_slack.wire import Json, SlackError

_WITHOUT_ACTION = {"image", "mrkdwn", "plain_text", "url", "card", "task_card"}


def check_blocks(blocks: Sequence[Json], limits: Limits | None = None) -> None:
    """Raise invalid_blocks, with one line for each fault, invalid_attachments or msg_blocks_too_long."""
    limits = limits or strict()
    faults = list(faults_of(blocks, limits))
    if faults:
        raise SlackError("invalid_blocks", faults)
    if table_count(blocks) > limits["message.tables"]:
        raise SlackError("invalid_attachments", ["[ERROR] only_one_table_allowed"])
    if total_text(blocks) > limits["message.block_text"]:
        raise SlackError("msg_blocks_too_long")


def check_view(view: Json, kind: str, limits: Limits | None = None) -> None:
    """Raise invalid_arguments if Slack would refuse `view` as a modal or home."""
    faults = [f"[ERROR] {problem} [json-pointer:/view{pointer}]" for problem, pointer in VIEW(view, limits or strict())]
    if view.get("type") != kind:
        faults.append(f"[ERROR] must be of type {kind} here [json-pointer:/view/type]")
    if faults:
        raise SlackError("invalid_arguments", faults)


def faults_of(blocks: Sequence[Json], limits: Limits | None = None) -> Iterator[str]:
    """Yield one line for each fault, worded as in `response_metadata.messages`."""
    return (f"[ERROR] {problem} [json-pointer:/blocks{pointer}]" for problem, pointer in problems_of(blocks, limits))


def completed(blocks: Sequence[Json]) -> list[Json]:
    """Return `blocks` with the block_ids and action_ids Slack makes up."""
    return [_completed(block) for block in blocks]


def find_element(blocks: Any, block_id: str, action_id: str) -> Json | None:
    """Find an interactive element, in child blocks too."""
    for block in blocks:
        for child in block.get("child_blocks") or ():
            if found := find_element([child], block_id, action_id):
                return found
        if block.get("block_id") == block_id:
            for element in _elements(block):
                if element.get("action_id") == action_id:
                    return element
    return None


def _completed(block: Json) -> Json:
    done = {**block, "block_id": block.get("block_id") or _short_id()}
    if "child_blocks" in done:
        done["child_blocks"] = completed(done["child_blocks"])
    for name in ("accessory", "element"):
        if isinstance(done.get(name), dict):
            done[name] = _with_action_id(done[name])
    for name in ("elements", "actions"):
        if done["type"] != "rich_text" and isinstance(done.get(name), list):
            done[name] = [_completed(one) if one.get("type") == "card" else _with_action_id(one) for one in done[name]]
    return done


def _with_action_id(element: Json) -> Json:
    if element.get("type") in _WITHOUT_ACTION:
        return element
    return {**element, "action_id": element.get("action_id") or _short_id()}


def _elements(block: Json) -> Iterator[Json]:
    for name in ("accessory", "element"):
        if isinstance(block.get(name), dict):
            yield block[name]
    for name in ("elements", "actions"):
        if block.get("type") != "rich_text":
            for one in block.get(name) or ():
                yield from _elements(one) if one.get("type") == "card" else (one,)


def _short_id() -> str:
    return uuid.uuid4().hex[:5]
