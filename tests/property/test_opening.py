"""A new store that several processes open at the same moment is opened by all of them."""

import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.postgres import Postgres
from tests.processes import bare_environment

PROCESSES, ROUNDS = 4, 20


def open_together(folder: Path, urls: Sequence[str]) -> None:
    """Let processes of their own open memory and queue of each store, all at once."""
    command = [sys.executable, "-m", "tests.property.opener", str(folder), *urls]
    with ExitStack() as running:
        openers = [running.enter_context(_opener(command)) for _ in range(PROCESSES)]
        for url in urls:
            for opener in openers:
                assert opener.stdout is not None
                assert opener.stdout.readline() == "ready\n", (url, opener.communicate())
            for opener in openers:
                assert opener.stdin is not None
                opener.stdin.write("go\n")
                opener.stdin.flush()
        assert [(opener.communicate(), opener.returncode) for opener in openers] == [(("", ""), 0)] * PROCESSES


def _opener(command: Sequence[str]) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, env=bare_environment(), stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def test_a_new_file_is_opened_by_all(tmp_path: Path) -> None:
    open_together(tmp_path, [f"sqlite:///{tmp_path / str(number)}.sqlite" for number in range(ROUNDS)])


@pytest.mark.parametrize("rounds", [3, ROUNDS])
def test_an_empty_postgres_is_opened_by_all(tmp_path: Path, server: Postgres, rounds: int) -> None:
    open_together(tmp_path, [server.new_database() for _ in range(rounds)])


def test_a_server_that_keeps_to_the_beginning_of_a_transaction_is_opened_by_all(
    tmp_path: Path, server: Postgres
) -> None:
    urls = [server.new_database() for _ in range(3)]
    for url in urls:
        with server.connect() as session:
            name = url.rpartition("/")[2]
            session.execute(f"ALTER DATABASE {name} SET default_transaction_isolation = 'repeatable read'".encode())
    open_together(tmp_path, urls)
