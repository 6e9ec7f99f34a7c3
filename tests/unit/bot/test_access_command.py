"""`datathread audit --who U --since D` prints the log of access."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from ai.memory_store import AccessEntry, open_configured
from ai.types import ThreadKey
from bot.cli.main import commands
from config import load

THREAD = ThreadKey("T", "C1", "1.0")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            ["--who", "U1"],
            ["U1", "told privately by reply", "shop: apps", "as boss", "3 readers, hidden from 2", "1 entries"],
        ),
        (["--since", "2026-11-19"], ["U2", "refused by modal", "1 entries"]),
        (["--who", "U1", "--since", "2026-11-19"], ["0 entries"]),
    ],
)
def test_the_log_is_printed_by_person_and_day(tmp_path: Path, options: list[str], told: list[str]) -> None:
    with closing(open_configured(load(data_dir=tmp_path))) as memory:
        for day, turn, person, outcome, surface, hidden in (
            (18, "t1", "U1", "told privately", "reply", 2),
            (20, "t2", "U2", "refused", "modal", 0),
        ):
            at = datetime(2026, 11, day, 12, tzinfo=UTC)
            readers = 3 if hidden else 0
            memory.access.add(
                AccessEntry(at, THREAD, turn, person, outcome, surface, "shop", "boss", ("apps",), readers, hidden)  # type: ignore[arg-type]
            )
    result = CliRunner().invoke(commands, ["audit", *options], env={"DATA_DIR": str(tmp_path)})
    assert result.exit_code == 0, result.output
    assert [words for words in told if words not in result.output] == []
