"""Files in a message: one sentence says what can be done with them."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.inbound import Inbound
from bot.listeners.intake import Intake

NOT_READ = (
    "I read what is written, not files: “{}” stays unread. Ask about the connected data in words, "
    "or have an owner load the file into the database."
)


def tell_of_files(intake: Intake, inbound: Inbound, message: Mapping[str, Any]) -> None:
    """Tell whoever sent us files that nobody reads them."""
    files: Sequence[Mapping[str, Any]] = message.get("files") or ()
    names = ", ".join(str(file.get("name") or file.get("title") or "the file") for file in files)
    if names and intake.is_admitted(inbound):
        intake.tell(inbound, NOT_READ.format(names))
