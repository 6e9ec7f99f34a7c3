"""The command line as people use it: real processes, real output."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from local_slack.testing import SlackServer
from tests.processes import bare_environment


def datathread(folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = bare_environment(DATA_DIR=str(folder / "data"), **settings)
    command = [sys.executable, "-m", "bot", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)


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
        ["ok", "memory"],
        ["ok", "folder"],
        ["ok", "analyst"],
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
    assert failed.keys() == {"scopes", "events", "source empty", "analyst"}
    assert failed["scopes"].startswith("Scopes are missing: add app_mentions:read, ")
    assert failed["events"].startswith("Slack refuses SLACK_APP_TOKEN (invalid_auth): create an app-level token")
    assert failed["source empty"].startswith("The database has no table that may be read")
    swapped = {"SLACK_BOT_TOKEN": server.app_token, "SLACK_APP_TOKEN": server.bot_token}
    assert "are swapped" in datathread(folder, "check", **address, **swapped).stdout
    server.reset()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"DATABASE_URL": "sqlite:///nowhere.sqlite"}, "nowhere.sqlite"),
        ({"DATABASE_URL": "oracle://scott:tiger@host/db"}, "oracle"),
        ({"WORKERS": "none"}, "WORKERS is 'none'"),
        ({"CONFIG_FILE": "nowhere.yml"}, "nowhere.yml"),
    ],
)
def test_a_wrong_setting_is_one_sentence(folder: Path, settings: dict[str, str], said: str) -> None:
    told = datathread(folder, "ask", "how many apps?", **settings)
    assert told.returncode == 2
    assert said in told.stderr
    assert "Traceback" not in told.stderr
    assert "tiger" not in told.stderr
    assert told.stderr.count("\n") == 1
