"""The log of a running bot: one line per event, and few lines of an outage."""

import logging
import re
import sys
from collections.abc import Callable, Collection
from threading import Lock
from time import monotonic
from types import TracebackType
from typing import Literal

from bot.monitoring.json_lines import JsonLines

log = logging.getLogger(__name__)

QUIET_LOGGERS = ("slack_bolt", "slack_sdk", "alembic")
LIKE_LINES, WINDOW_SECONDS = 2, 60.0


class FewAlike(logging.Filter):
    """Let two warnings of one wording through a minute; the next one tells how many were left out."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lock = Lock()
        self._seen: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno != logging.WARNING:  # an error belongs to one turn, and somebody may look for it
            return True
        wording, now = (record.name, str(record.msg)), self._clock()
        with self._lock:
            began, count = self._seen.get(wording, (now, 0))
            is_new = now - began >= WINDOW_SECONDS
            left_out = max(0, count - LIKE_LINES) if is_new else 0
            self._seen[wording] = (now, 1) if is_new else (began, count + 1)
        if left_out:
            record.msg = f"{record.msg} (and {left_out} more like it)"
        return is_new or count < LIKE_LINES


class WithoutSecrets(logging.Formatter):
    """Write `***` for each secret, in tracebacks too."""

    def __init__(self, secrets: Collection[str]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        longest_first = sorted(secrets, key=len, reverse=True)
        self._secret = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")

    def format(self, record: logging.LogRecord) -> str:
        return self._secret.sub("***", super().format(record))


def start(level: str, secrets: Collection[str] = (), form: Literal["text", "json"] = "text") -> None:
    logging.basicConfig(level=level)
    for handler in logging.getLogger().handlers:
        handler.addFilter(FewAlike())
        handler.setFormatter(JsonLines() if form == "json" else WithoutSecrets(secrets))
    sys.excepthook = _log_crash
    for name in QUIET_LOGGERS:  # their lower levels write message bodies into the log
        logging.getLogger(name).setLevel(logging.ERROR)


def _log_crash(kind: type[BaseException], error: BaseException, at: TracebackType | None) -> None:
    log.critical("the process ends", exc_info=(kind, error, at))
