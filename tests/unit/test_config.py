"""Settings: a wrong one is named, with what was given and what is allowed."""

from pathlib import Path

import pytest

from ai.errors import ConfigError
from bot.setup import load_workspace, source_name
from config import child_environment, load, settings_table


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("WORKERS", "many", "WORKERS is 'many': input should be a valid integer"),
        ("WORKERS", "0", "WORKERS is '0': input should be greater than or equal to 1"),
        ("LOG_LEVEL", "LOUD", "LOG_LEVEL is 'LOUD': input should be 'DEBUG', 'INFO', 'WARNING' or 'ERROR'"),
        ("QUERY_SECONDS", "-1", "QUERY_SECONDS is '-1': input should be greater than 0"),
        ("TIMEZONE", "Mars/Base", "TIMEZONE is 'Mars/Base': give an IANA name such as Europe/Berlin"),
        ("SLACK_BOT_TOKEN", "xoxb-1", "SLACK_APP_TOKEN is missing"),
    ],
)
def test_a_wrong_value_is_named(monkeypatch: pytest.MonkeyPatch, name: str, given: str, said: str) -> None:
    monkeypatch.setenv(name, given)
    with pytest.raises(ConfigError) as error:
        load()
    assert str(error.value).startswith(said)
    assert "xoxb-1" not in str(error.value)


def test_the_environment_wins_over_the_env_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("WORKERS=3\nQUERY_SECONDS=0.5\n", "utf-8")
    monkeypatch.setenv("WORKERS", "4")
    assert (load().workers, load().query_seconds) == (4, 0.5)


def test_tokens_do_not_show() -> None:
    assert "xoxb-1" not in repr(load(slack_bot_token="xoxb-1", slack_app_token="xapp-1"))


def test_tracing_is_off_whatever_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    load()
    assert child_environment()["LANGSMITH_TRACING"] == "false"


@pytest.mark.parametrize(
    ("yaml", "said"),
    [
        ("sources: {a: {url: 'sqlite:///a', uri: x}}", "sources.a.uri is not a known setting"),
        ("sources: {a: {}}", "sources.a.url is missing"),
        ("channels: {C1: {source: b}}", "sources is missing"),
        (
            "sources: {a: {url: 'sqlite:///a'}}\nchannels: {C1: {source: b}}",
            "channels.C1.source is 'b'; the sources are: a",
        ),
        (
            "sources: {a: {url: 'sqlite:///a', roles: {boss: {}}}}",
            "sources.a.roles names 'boss', which is not among the roles of the file",
        ),
        ("sources: [", "is not YAML"),
        ("", "input should be"),
    ],
)
def test_a_wrong_line_of_the_file_is_named(yaml: str, said: str) -> None:
    file = Path("datathread.yml")
    file.write_text(yaml, "utf-8")
    with pytest.raises(ConfigError) as error:
        load_workspace(load(config_file=file))
    assert "datathread.yml" in str(error.value)
    assert said in str(error.value)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.yml, which cannot be read"):
        load_workspace(load(config_file="nowhere.yml"))


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("sqlite:///data/chinook.sqlite", "chinook"),
        ("postgresql://bot:secret@db.internal:5432/sales?sslmode=require", "sales"),
        ("sqlite://", "data"),
        ("postgresql://bot:secret@db.internal", "data"),
        ("postgresql://bot:sec/ret@db.internal", "data"),
    ],
)
def test_a_database_is_called_by_its_name(url: str, name: str) -> None:
    assert source_name(url) == name


def test_the_table_has_a_line_for_every_setting() -> None:
    assert all(f"`{name.upper()}`" in settings_table() for name in type(load()).model_fields)
