"""Upload files and share them once; fetch those of people."""

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Protocol
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from ai.charts import ResultChart
from ai.charts.draw import NotDrawn, png
from ai.errors import SourceUnavailable
from ai.results.table import ResultTable
from ai.types import ThreadKey
from bot.delivery.calls import Calls, Lane
from bot.delivery.refusals import code_of, rule_of
from bot.render.tables import csv_of

UPLOAD_SECONDS, FETCH_SECONDS = 60, 10
NOT_FETCHED = "Slack does not hand out “{}”; drop it again in a minute, and tell an owner if it stays so."
ALT = 1_000  # characters of an alternative text
SHOWN_CHARACTERS = 2_500
GET_URL, COMPLETE, INFO = "files.getUploadURLExternal", "files.completeUploadExternal", "files.info"
DELETE = "files.delete"
GONE = frozenset({"file_deleted", "file_not_found"})
log = logging.getLogger(__name__)


class FilesOfTurns(Protocol):
    """The files a turn shared: those in Slack do not tell."""

    def add(self, turn_id: str, file_id: str) -> None: ...

    def of_turn(self, turn_id: str) -> Sequence[str]: ...

    def forget(self, file_id: str) -> None: ...


class KnownHere:
    def __init__(self) -> None:
        self._turns: dict[str, str] = {}

    def add(self, turn_id: str, file_id: str) -> None:
        self._turns[file_id] = turn_id

    def of_turn(self, turn_id: str) -> Sequence[str]:
        return [file_id for file_id, of in self._turns.items() if of == turn_id]

    def forget(self, file_id: str) -> None:
        self._turns.pop(file_id, None)


class Files:
    def __init__(self, client: WebClient, calls: Calls, known: FilesOfTurns) -> None:
        self._client = client
        self._calls = calls
        self._known = known

    def upload(self, path: Path, turn_id: str, alt: str = "") -> str:
        """Send a file's bytes, once for a turn; return its id, "" where Slack refuses it."""

        def send() -> str:
            with path.open("rb") as content:
                return self._sent(path.name, content, path.stat().st_size, alt)

        try:
            return self._earlier(turn_id, path.name) or self._calls.repeat(Lane(GET_URL), send)
        except SlackApiError as error:
            log.warning("Slack refused the upload of %s: %s", path.name, rule_of(error))
            return ""

    def _earlier(self, turn_id: str, name: str) -> str:
        known = self._known.of_turn(turn_id)
        return next((file_id for file_id in known if self._info(file_id).get("name") == name), "")

    def attach(self, thread: ThreadKey, turn_id: str, table: ResultTable) -> None:
        """Share the rows of a table as CSV, if Slack takes files."""
        self._attach(thread, turn_id, "answer.csv", csv_of(table), "The rows of the answer")

    def attach_picture(self, thread: ThreadKey, turn_id: str, chart: ResultChart) -> None:
        """Share a chart as a picture, if it can be drawn and Slack takes files."""
        try:
            self._attach(thread, turn_id, "chart.png", png(chart.spec), chart.words.title, chart.words.alt)
        except NotDrawn:
            log.exception("a chart is not drawn")

    def _attach(self, thread: ThreadKey, turn_id: str, name: str, content: bytes, title: str, alt: str = "") -> None:
        send = partial(self._sent, name, content, len(content), alt)
        try:
            self.share(thread, turn_id, self._calls.repeat(Lane(GET_URL), send), title, look_first=False)
        except (SlackApiError, SourceUnavailable) as error:
            log.warning("%s is not attached: %s", name, type(error).__name__)

    def share(
        self, thread: ThreadKey, turn_id: str, file_id: str, title: str, caption: str = "", *, look_first: bool
    ) -> bool:
        """Show an uploaded file of a turn once. Return False where Slack refuses it."""
        if not file_id:
            return False
        self._known.add(turn_id, file_id)

        def complete() -> bool:
            self._client.files_completeUploadExternal(
                files=[{"id": file_id, "title": title}],
                channel_id=thread.channel,
                thread_ts=thread.thread_ts or None,
                initial_comment=caption or None,
            )
            return True

        try:
            return self._calls.once(
                Lane(COMPLETE), complete, lambda: self._is_shared(file_id) or None, look_first=look_first
            )
        except SlackApiError as error:
            log.warning("Slack refused the file %s: %s", file_id, rule_of(error))
            return False

    def _is_shared(self, file_id: str) -> bool:
        return bool(self._shares(file_id))

    def _shares(self, file_id: str) -> list[tuple[str, str]]:
        places = (self._info(file_id).get("shares") or {}).values()
        return [(channel, str(one["ts"])) for place in places for channel, shown in place.items() for one in shown]

    def _info(self, file_id: str) -> Mapping[str, Any]:
        try:
            return dict(self._calls.repeat(Lane(INFO), lambda: self._client.files_info(file=file_id))["file"])
        except SlackApiError as error:
            if code_of(error) in GONE:
                return {}
            raise

    def take_away(self, turn_id: str, remove: Callable[[str, str], None]) -> None:
        """Delete the files of a turn, and by `remove(channel, ts)` their messages."""
        for file_id in self._known.of_turn(turn_id):
            try:
                for channel, ts in self._shares(file_id):
                    remove(channel, ts)
                self._calls.repeat(Lane(DELETE), partial(self._client.files_delete, file=file_id))
            except SlackApiError as error:
                if code_of(error) not in GONE:
                    log.warning("the file %s cannot be deleted: %s", file_id, rule_of(error))
            self._known.forget(file_id)

    def _sent(self, name: str, content: BinaryIO | bytes, size: int, alt: str) -> str:
        slot = self._client.files_getUploadURLExternal(filename=name, length=size, alt_txt=alt[:ALT] or None)
        headers = {"Content-Type": "application/octet-stream", "Content-Length": str(size)}
        with urlopen(
            Request(str(slot["upload_url"]), data=content, headers=headers, method="POST"), timeout=UPLOAD_SECONDS
        ):
            return str(slot["file_id"])


def fetched(client: WebClient, file: Mapping[str, Any], most: int) -> bytes:
    """Return the bytes of somebody's file. Raises SourceUnavailable."""
    url = str(file.get("url_private_download") or file.get("url_private") or "")
    address = urlsplit(url)
    trusted = urlsplit(client.base_url).hostname or ""
    if not address.hostname or not (address.hostname == trusted or address.hostname.endswith(".slack.com")):
        raise SourceUnavailable(NOT_FETCHED.format(file.get("name")))
    try:
        with urlopen(
            Request(url, headers={"Authorization": f"Bearer {client.token}"}), timeout=FETCH_SECONDS
        ) as answer:
            content: bytes = answer.read(most + 1)
    except OSError:
        raise SourceUnavailable(NOT_FETCHED.format(file.get("name"))) from None
    if len(content) > most or content.lstrip()[:9].lower().startswith((b"<!doctype", b"<html")):
        raise SourceUnavailable(NOT_FETCHED.format(file.get("name")))
    return content


def in_words(path: Path) -> str:
    refused = f"Slack did not take the file {path.name}."
    if path.suffix == ".png":
        return "Slack did not take the picture of the chart. Say “as a table”, or ask an owner to allow files here."
    if path.suffix != ".csv":
        return f"{refused} Ask for it as CSV, or ask an owner to allow files here."
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = file.read(SHOWN_CHARACTERS + 1)
    more = "" if len(lines) <= SHOWN_CHARACTERS else "\n…"
    shown = lines[:SHOWN_CHARACTERS].replace("```", "").replace("\r\n", "\n").rstrip()
    return f"{refused} It begins with:\n```\n{shown}{more}\n```"
