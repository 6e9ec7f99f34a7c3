"""An outage fills no disk: of warnings alike a few are written a minute."""

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import pytest

from bot.cli.logs import LIKE_LINES, QUIET_LOGGERS, WINDOW_SECONDS, FewAlike, WithoutSecrets, start


def record(level: int, wording: str, *args: object) -> logging.LogRecord:
    return logging.LogRecord("bot.delivery", level, __file__, 1, wording, args, None)


def test_a_few_warnings_of_one_wording_pass_and_the_next_minute_tells_how_many_were_left_out() -> None:
    now = [0.0]
    few = FewAlike(lambda: now[0])
    passed = sum(few.filter(record(logging.WARNING, "Slack is away (%s)", number)) for number in range(100))
    assert passed == LIKE_LINES
    assert few.filter(record(logging.WARNING, "another one"))
    now[0] = WINDOW_SECONDS
    again = record(logging.WARNING, "another one")
    assert few.filter(again)
    assert again.getMessage() == "another one"  # nothing of it was left out
    last = record(logging.WARNING, "Slack is away (%s)", "still")
    assert few.filter(last)
    assert last.getMessage() == f"Slack is away (still) (and {100 - LIKE_LINES} more like it)"


def test_what_belongs_to_one_turn_is_always_written() -> None:
    few = FewAlike()
    for level in (logging.INFO, logging.ERROR):
        assert all(few.filter(record(level, "turn %s", number)) for number in range(100))


def test_no_secret_passes_in_words_or_in_tracebacks() -> None:
    secrets = ["key-1234", "key-12345"]
    try:
        int(" and ".join(secrets))
    except ValueError:
        made = logging.LogRecord("bot", logging.ERROR, __file__, 1, "with %s", (secrets[1],), sys.exc_info())
    written = WithoutSecrets(secrets).format(made)
    assert "with ***\n" in written
    assert "'*** and ***'" in written
    assert "key-1" not in written
    assert WithoutSecrets([]).format(record(logging.INFO, "as it is")).endswith("as it is")


@contextmanager
def no_handlers() -> Iterator[None]:
    """Leave all logs without handlers for the block; afterwards they are as they were."""
    found, hook = logging.getLogger(), sys.excepthook
    levels = {name: logging.getLogger(name).level for name in ("", *QUIET_LOGGERS)}
    handlers = found.handlers[:]
    found.handlers.clear()
    try:
        yield
    finally:
        found.handlers[:], sys.excepthook = handlers, hook
        for name, was in levels.items():
            logging.getLogger(name or None).setLevel(was)


def written(form: Literal["text", "json"], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Start a log, write into it, and return its lines."""
    log = logging.getLogger("bot.tests")
    with no_handlers():
        start("INFO", ["key-1234"], form)
        log.debug("not written")
        log.info("as key-1234")
        for number in range(5):
            log.warning("Slack is away (%s)", number)
        logging.getLogger("slack_sdk").warning("a body")
        logging.getLogger("slack_sdk").error("no connection")
        sys.excepthook(ValueError, ValueError("broken key-1234"), None)
    return capsys.readouterr().err.splitlines()


def test_a_started_log_writes_few_alike_no_secret_and_a_crash(capsys: pytest.CaptureFixture[str]) -> None:
    assert [line.split(" ", 2)[-1] for line in written("text", capsys)] == [
        "INFO bot.tests: as ***",
        "WARNING bot.tests: Slack is away (0)",
        "WARNING bot.tests: Slack is away (1)",
        "ERROR slack_sdk: no connection",
        "CRITICAL bot.cli.logs: the process ends",
        "***",
    ]


def test_a_started_log_of_json_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    found = [json.loads(line) for line in written("json", capsys)]
    assert [(line["level"], line["logger"]) for line in found] == [
        ("INFO", "bot.tests"),
        ("WARNING", "bot.tests"),
        ("WARNING", "bot.tests"),
        ("ERROR", "slack_sdk"),
        ("CRITICAL", "bot.cli.logs"),
    ]
    assert "Slack is away (1)" in found[2]["event"]
