"""Files in a message: a CSV becomes a table of its thread, asked like any other; for the rest there is a sentence.

The listener only notes a CSV; the turn fetches it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from ai.errors import SourceUnavailable, UserError
from ai.types import LoggedMessage, ThreadKey
from bot.inbound import Inbound
from bot.listeners.intake import Intake

MOST_BYTES = 5_000_000
NOT_READ = "I read words and CSV files, so “{}” stays unread: save it as CSV, or ask about the connected data in words."
TOO_LARGE = "“{}” is larger than 5 MB: have an owner load it into the database, or drop a part of it."
A_TABLE = (
    "“{}” is a table of this thread now: only this thread can ask it, and it goes with the thread. Add “in the file” "
    "or “in the connected data” to a question that both could answer."
)
DESCRIBE = "what data do you have?"
KEPT = ("id", "name", "url_private_download", "url_private")  # of what Slack tells of a file


class DroppedFile(Protocol):
    """A file dropped in a thread; Slack tells of it in `where`."""

    @property
    def turn_id(self) -> str: ...

    @property
    def person(self) -> str: ...

    @property
    def where(self) -> Mapping[str, Any]: ...


class ExpectedFiles(Protocol):
    def expected(self, thread: ThreadKey) -> Iterator[DroppedFile]: ...

    def add(self, thread: ThreadKey, turn_id: str, person: str, filename: str, content: bytes) -> str: ...


def taken_with_files(intake: Intake, inbound: Inbound, message: Mapping[str, Any]) -> Inbound | None:
    """Note the files of a message; return it with a question about them if it asks none, None if nothing is left."""
    if not intake.is_admitted(inbound):
        return None
    files: Sequence[Mapping[str, Any]] = message.get("files") or ()
    noted = [_noted(intake, inbound, file) for file in files]
    if inbound.text:
        return inbound
    return replace(inbound, text=DESCRIBE) if any(noted) else None


def _noted(intake: Intake, inbound: Inbound, file: Mapping[str, Any]) -> bool:
    name = _name(file)
    if str(file.get("filetype")) not in ("csv", "tsv") and not name.lower().endswith((".csv", ".tsv")):
        intake.tell(inbound, NOT_READ.format(name))
    elif int(file.get("size") or 0) > MOST_BYTES:
        intake.tell(inbound, TOO_LARGE.format(name))
    else:
        if intake.memory.question(inbound.turn_id) is None:  # else the message comes again
            where = {key: file[key] for key in KEPT if key in file}
            thread, file_id = intake.conversation(inbound), str(file.get("id") or name)
            intake.files.expect(thread, inbound.turn_id, inbound.user, file_id, where)
        return True
    return False


def unpacked(
    files: ExpectedFiles, fetch: Callable[[Mapping[str, Any], int], bytes], question: LoggedMessage
) -> Iterator[tuple[str, bool]]:
    """Make tables of the files that a thread expects; yield a sentence for each, and whether to go on and answer."""
    for file in files.expected(question.thread):
        name = _name(file.where)
        try:
            files.add(question.thread, file.turn_id, file.person, name, fetch(file.where, MOST_BYTES))
        except (UserError, SourceUnavailable) as refusal:
            yield str(refusal), question.content != DESCRIBE
        else:
            yield A_TABLE.format(name), True


def _name(file: Mapping[str, Any]) -> str:
    return str(file.get("name") or file.get("title") or "the file")
