"""An outage fills no disk: of warnings alike a few are written a minute."""

import logging
import sys

from bot.cli.logs import LIKE_LINES, WINDOW_SECONDS, FewAlike, WithoutSecrets


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
