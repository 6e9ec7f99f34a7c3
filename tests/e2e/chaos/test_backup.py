"""A backup taken while a crowd is being answered, and restored elsewhere: its receipts verify, and nothing dangles."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from local_slack.testing import slack_server
from tests.e2e.chaos.crowd import Crowd
from tests.e2e.chaos.fleet import fleet
from tests.postgres import Postgres
from tests.processes import datathread

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
QUESTIONS, BEFORE = 200, 40
SEALED = re.compile(r"ok    (\d+) receipts are as sealed, 0 are forgotten\n")
DANGLING = "SELECT turn_id FROM engine_turns WHERE turn_id NOT IN (SELECT turn_id FROM memory.message)"
WITHOUT_ROWS = "SELECT result FROM query WHERE result IS NOT NULL"


def said_by(folder: Path, *arguments: str, **settings: str) -> str:
    done = datathread(folder, *arguments, **settings)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


def sealed(folder: Path, **places: str) -> int:
    """Count the receipts that verify, all of them."""
    told = SEALED.fullmatch(said_by(folder, "audit", **places))
    assert told
    return int(told[1])


def test_two_hundred_receipts_verify_elsewhere(tmp_path: Path, state_url: str | None, server: Postgres) -> None:
    places = {"STATE_URL": state_url, "ENGINE_URL": state_url} if state_url else {}
    here = {"DATA_DIR": str(tmp_path / "data"), **places}
    with slack_server() as slack, fleet(slack, tmp_path, url=state_url):
        crowd = Crowd(slack)
        crowd.begin(QUESTIONS)
        crowd.wait(BEFORE, timeout=200)
        said_by(tmp_path, "backup", "early", **here)
        crowd.wait(timeout=400)
        assert crowd.verdict().unanswered == ()
        slack.wait_until_quiet()
        said_by(tmp_path, "backup", "late", **here)
    early, other = {"DATA_DIR": str(tmp_path / "b")}, server.new_database()
    said_by(tmp_path, "restore", "early", **early)
    assert BEFORE <= sealed(tmp_path, **early) <= QUESTIONS
    assert_nothing_dangles(tmp_path / "b")
    late = {"DATA_DIR": str(tmp_path / "c"), "STATE_URL": other, "ENGINE_URL": other}
    said_by(tmp_path, "restore", "late", **late)
    assert sealed(tmp_path, **late) == QUESTIONS


def assert_nothing_dangles(data: Path) -> None:
    """Each question of the queue is in the memory, and each result that the memory names is there."""
    with closing(sqlite3.connect(data / "engine.sqlite")) as queue:
        queue.execute("ATTACH ? AS memory", (str(data / "state.sqlite"),))
        assert queue.execute(DANGLING).fetchall() == []
    with closing(sqlite3.connect(data / "state.sqlite")) as memory:
        results = [result for (result,) in memory.execute(WITHOUT_ROWS)]
    assert results
    assert [result for result in results if not (data / "results" / f"{result}.arrow").is_file()] == []
