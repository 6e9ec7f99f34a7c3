"""The command line as people use it: real processes, real output."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ai.memory.migrations import REVISION
from local_slack.testing import SlackServer
from tests.processes import datathread


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cli")


def test_a_question_and_its_follow_up(folder: Path) -> None:
    first = json.loads(datathread(folder, "ask", "how many apps do we have?", "--thread", "t1", "--json").stdout)
    assert set(first) == {"text", "sql", "columns", "rows", "reading", "analyst", "ms"}
    assert first["rows"] == [[49]]
    assert first["analyst"] == "built-in reader, no language model"
    assert "COUNT(*)" in first["sql"]
    second = datathread(folder, "ask", "what about iOS?", "--thread", "t1")
    assert second.stdout.startswith("There are 21 apps on iOS.\n")
    assert second.stderr == ""


def test_what_is_no_question_has_no_sql(folder: Path) -> None:
    answer = json.loads(datathread(folder, "ask", "thanks", "--json").stdout)
    assert answer["text"] == "You are welcome."
    assert [answer[name] for name in ("sql", "columns", "rows", "reading", "analyst", "ms")] == [None] * 6


def test_check_says_what_is_reachable(folder: Path) -> None:
    told = datathread(folder, "check")
    assert told.returncode == 0
    assert [line.split()[:2] for line in told.stdout.splitlines()] == [
        ["ok", "slack"],
        ["ok", "source"],
        ["ok", "state"],
        ["ok", "engine"],
        ["ok", "disk"],
        ["ok", "model"],
    ]


def test_check_says_what_to_mend(folder: Path, local_slack_server: SlackServer) -> None:
    server = local_slack_server
    server.reset()
    server.app(scopes=["chat:write"])
    (folder / "empty.sqlite").touch()
    address = {"SLACK_API_URL": server.api_url, "DATABASE_URL": "sqlite:///empty.sqlite"}
    tokens = {"SLACK_BOT_TOKEN": server.bot_token, "SLACK_APP_TOKEN": "xapp-wrong"}
    model = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_API_KEY": "k"}
    told = datathread(folder, "check", **address, **tokens, **model)
    assert told.returncode == 1
    failed = {line[6:26].strip(): line[26:] for line in told.stdout.splitlines() if line.startswith("FAILS")}
    assert failed.keys() == {"scopes", "events", "source empty", "model"}
    assert failed["scopes"].startswith("Scopes are missing: add app_mentions:read, ")
    assert failed["events"].startswith("Slack refuses SLACK_APP_TOKEN (invalid_auth): create an app-level token")
    assert failed["source empty"].startswith("The database has no table that may be read")
    swapped = {"SLACK_BOT_TOKEN": server.app_token, "SLACK_APP_TOKEN": server.bot_token}
    assert "are swapped" in datathread(folder, "check", **address, **swapped).stderr
    server.reset()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"DATABASE_URL": "sqlite:///nowhere.sqlite"}, "nowhere.sqlite"),
        ({"DATABASE_URL": "sqlite:///words.txt"}, "is no SQLite database"),
        ({"DATABASE_URL": "sqlite:///empty.sqlite"}, "has no tables"),
        ({"DATABASE_URL": "postgresql://u:e@127.0.0.1:1/db"}, "connection refused"),
        ({"DATA_DIR": "words.txt"}, "a file stands there"),
        ({"DATA_DIR": "words.txt/below"}, "a file stands there"),
        ({"DATA_DIR": "/proc/nowhere"}, "name a folder to write to"),
        ({"SLACK_BOT_TOKEN": "xapp-1", "SLACK_APP_TOKEN": "xoxb-1"}, "are swapped"),
        ({"DATABASE_URL": "oracle://scott:tiger@host/db"}, "oracle"),
        ({"WORKERS": "none"}, "WORKERS is 'none'"),
        ({"CONFIG_FILE": "nowhere.yml"}, "nowhere.yml"),
    ],
)
def test_a_wrong_setting_is_one_sentence(folder: Path, settings: dict[str, str], said: str) -> None:
    (folder / "words.txt").write_text("These are words, and no database at all.\n" * 40, "utf-8")
    (folder / "empty.sqlite").touch()
    told = datathread(folder, "ask", "how many apps?", **settings)
    assert told.returncode == 2
    assert said.lower() in told.stderr.lower()
    assert "Traceback" not in told.stderr
    assert "tiger" not in told.stderr
    assert told.stderr.count("\n") == 1


def test_an_answer_is_printed_as_people_read_it(folder: Path) -> None:
    told = datathread(folder, "ask", "how many apps per platform?")
    assert told.stdout.splitlines()[2:6] == ["Platform  Apps", "iOS         21", "Android     20", "Web          8"]
    assert "Receipt" not in told.stdout


def test_rows_and_sql_come_alone(folder: Path) -> None:
    rows = datathread(folder, "ask", "how many apps per platform?", "--csv")
    assert [line.partition(",")[2] for line in rows.stdout.splitlines()[1:]] == ["21", "20", "8"]
    assert datathread(folder, "ask", "how many apps do we have?", "--sql").stdout.startswith("SELECT COUNT(*)")
    nothing = datathread(folder, "ask", "thanks", "--csv")
    assert (nothing.returncode, nothing.stdout) == (2, "")
    assert nothing.stderr == "There is no result to print: You are welcome.\n"


def test_without_a_question_it_is_a_conversation(folder: Path) -> None:
    told = datathread(folder, "ask", said="how many apps do we have?\nwhat about iOS?\nquit\nhow many teams?\n")
    assert "There are 49 apps." in told.stdout
    assert "There are 21 apps on iOS." in told.stdout
    assert "teams" not in told.stdout


def test_an_unknown_thread_is_one_sentence(folder: Path) -> None:
    told = datathread(folder, "memory", "export", "a/b/c")
    assert (told.returncode, told.stdout, told.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_the_commands(folder: Path, shell: str) -> None:
    told = datathread(folder, _DATATHREAD_COMPLETE=f"{shell}_source")
    assert "_DATATHREAD_COMPLETE" in told.stdout


def test_the_tables_are_brought_up_to_date(tmp_path: Path) -> None:
    made = datathread(tmp_path, "migrate")
    assert made.stdout == f"The memory was made, at step {REVISION} of its tables.\n"
    assert datathread(tmp_path, "migrate", LANGUAGE="de").stdout.startswith(
        "Die Tabellen des Gedächtnisses haben Stufe"
    )
    with closing(sqlite3.connect(tmp_path / "data" / "state.sqlite")) as state, state:
        state.execute("UPDATE alembic_version SET version_num = '9999'")
    for command in (["migrate"], ["ask", "how many apps do we have?"], ["memory", "stats"], ["audit"]):
        told = datathread(tmp_path, *command)
        assert told.returncode == 2
        assert "start the newer release again" in told.stderr
        assert told.stderr.count("\n") == 1


def test_a_backup_is_restored_elsewhere(tmp_path: Path) -> None:
    asked = datathread(tmp_path, "ask", "how many apps do we have?", "--thread", "t1")
    assert asked.returncode == 0
    made = datathread(tmp_path, "backup", "saved")
    assert re.fullmatch(
        r"saved holds \d+ rows of \d+ tables and 1 results, 0.\d MB; keep it as private .*\n", made.stdout
    )
    again = datathread(tmp_path, "backup", "saved", LANGUAGE="de")
    assert (again.returncode, again.stderr.count("enthält schon Dateien")) == (2, 1)
    elsewhere = {"DATA_DIR": str(tmp_path / "elsewhere")}
    assert "of release 0.1.0 is restored" in datathread(tmp_path, "restore", "saved", **elsewhere).stdout
    assert datathread(tmp_path, "audit", **elsewhere).stdout == "ok    1 receipts are as sealed, 0 are forgotten\n"
    follow_up = datathread(tmp_path, "ask", "what about iOS?", "--thread", "t1", **elsewhere)
    assert follow_up.stdout.startswith("There are 21 apps on iOS.")
    assert datathread(tmp_path, "restore", "saved", **elsewhere).returncode == 2
