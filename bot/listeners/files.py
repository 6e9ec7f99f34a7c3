"""Files in a message: a CSV becomes a table of its thread, asked like any other; for the rest there is a sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ai.errors import SourceUnavailable, UserError
from bot.inbound import Inbound
from bot.listeners.intake import Intake

MOST_BYTES = 5_000_000
NOT_READ = "I read words and CSV files, so “{}” stays unread: save it as CSV, or ask about the connected data in words."
TOO_LARGE = "“{}” is larger than 5 MB: have an owner load it into the database, or drop a part of it."
A_TABLE = (
    "“{}” is a table of this thread now, and questions here are about it. Only this thread can ask it, and it goes with "
    "the thread. Ask about other data outside of this thread."
)
DESCRIBE = "what data do you have?"


def taken_with_files(intake: Intake, inbound: Inbound, message: Mapping[str, Any]) -> Inbound | None:
    """Read the files of a message; return it with a question about them if it asks none, None if nothing is left."""
    if not intake.is_admitted(inbound):
        return None
    files: Sequence[Mapping[str, Any]] = message.get("files") or ()
    read = [_read(intake, inbound, file) for file in files]
    if inbound.text:
        return inbound
    return replace(inbound, text=DESCRIBE) if any(read) else None


def _read(intake: Intake, inbound: Inbound, file: Mapping[str, Any]) -> bool:
    name = str(file.get("name") or file.get("title") or "the file")
    if str(file.get("filetype")) not in ("csv", "tsv") and not name.lower().endswith((".csv", ".tsv")):
        intake.tell(inbound, NOT_READ.format(name))
    elif int(file.get("size") or 0) > MOST_BYTES:
        intake.tell(inbound, TOO_LARGE.format(name))
    else:
        try:
            content = intake.fetch(file, MOST_BYTES)
            intake.files.add(intake.conversation(inbound), inbound.turn_id, inbound.user, name, content)
        except (UserError, SourceUnavailable) as refusal:
            intake.tell(inbound, str(refusal))
        else:
            intake.tell(inbound, A_TABLE.format(name))
            return True
    return False
