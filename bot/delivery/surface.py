"""A place where turns are answered, Slack or chats over HTTP: its delivery, and what it tells of people."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ai.language.texts import ENGLISH, Translator, translator_of
from ai.types import ThreadKey
from bot.delivery.delivery import Addressee, SharedFile
from bot.delivery.pictures import Pictures
from bot.render.message import SLACK, SlackMessage


class Working(Protocol):
    """Shows the work on a turn. `placeholder` is the ts of a message to replace."""

    placeholder: str | None

    def __enter__(self) -> "Working": ...

    def __exit__(self, *error: object) -> None: ...

    def wait(self, text: str) -> None: ...

    def begin(self) -> str: ...

    def say(self, text: str) -> None: ...


class Deliverer(Protocol):
    """Where replies go. Every call may be repeated."""

    def working(self, thread: ThreadKey, turn_id: str, texts: Translator) -> Working: ...

    def answer(
        self,
        to: Addressee,
        messages: Sequence[SlackMessage],
        *,
        placeholder: str | None = None,
        note: SlackMessage | None = None,
        look_first: bool,
    ) -> ThreadKey: ...

    def upload(self, path: Path, turn_id: str, alt: str = "") -> str: ...

    def share(self, to: Addressee, file_id: str, path: Path, title: str, *, look_first: bool) -> None: ...

    def share_answer(
        self, to: Addressee, file: SharedFile, message: SlackMessage, placeholder: str | None, *, look_first: bool
    ) -> None: ...


def utc_for_all(user: str) -> str:  # noqa: ARG001 - where nobody's time zone is known, UTC is everybody's
    return "UTC"


def english_for_all(user: str) -> str:  # noqa: ARG001 - as with the time zone
    return ENGLISH


@dataclass(frozen=True, slots=True)
class Surface:
    """Where turns are answered: Slack, or chats over HTTP.

    Links in replies lead to `site`. Delivered files are removed, unless `keeps_files`. Without `pictures`, charts are
    fetched instead of sent.
    """

    delivery: Deliverer
    timezone_of: Callable[[str], str] = utc_for_all
    language_of: Callable[[str], str] = english_for_all
    site: str = SLACK
    keeps_files: bool = False
    pictures: Pictures | None = None

    def texts_for(self, user: str) -> Translator:
        return translator_of(self.language_of(user))
