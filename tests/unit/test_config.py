"""Settings: a wrong one is named, with what was given and what is allowed."""

from contextlib import nullcontext
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from pydantic import ValidationError

import config
from ai.errors import ConfigError
from bot.setup import WorkspaceConfig, api_callers, load_workspace, secrets_of, source_name
from config import (
    METRICS_FOLDER,
    NAMED_STORES,
    SECRETS,
    child_environment,
    environment,
    load,
    metrics_folder,
    share_metrics,
)
from tests.cases import cases


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
        ("SLACK_APP_TOKEN", "xapp-1", "SLACK_BOT_TOKEN is missing"),
        ("SLACK_SIGNING_SECRET", "s3cret", "SLACK_BOT_TOKEN is missing"),
    ],
)
def test_a_wrong_value_is_named(monkeypatch: pytest.MonkeyPatch, name: str, given: str, said: str) -> None:
    monkeypatch.setenv(name, given)
    with pytest.raises(ConfigError) as error:
        load()
    assert str(error.value).startswith(said)
    assert "xoxb-1" not in str(error.value)


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("settings.jsonl")))
def test_what_is_set_gives(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in case.get("set", {}).items():
        monkeypatch.setenv(name, value)
    Path(".env").write_text(case.get("file", ""), "utf-8")
    with pytest.raises(ConfigError, match=case["said"]) if "said" in case else nullcontext():
        settings = load()
        assert {name: getattr(settings, name) for name in case["gives"]} == case["gives"]


def test_settings_stay_as_they_were_read() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        load().workers = 2


def test_processes_share_what_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(METRICS_FOLDER, "")
    monkeypatch.setenv("EMPTY", "")
    Path(".env").write_text("WORKERS=3\nPROCESSES=2\n", "utf-8")
    monkeypatch.setenv("WORKERS", "4")
    share_metrics(Path("numbers"))
    assert metrics_folder() == "numbers"
    given, changed = child_environment(), child_environment(WORKERS="5")
    assert (given["WORKERS"], changed["WORKERS"], {**changed, "WORKERS": "4"}) == ("4", "5", given)
    seen = environment()
    assert (seen["WORKERS"], seen["PROCESSES"], seen.get("EMPTY")) == ("4", "2", None)


def test_the_environment_wins_over_the_env_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("WORKERS=3\nQUERY_SECONDS=0.5\n", "utf-8")
    monkeypatch.setenv("WORKERS", "4")
    assert (load().workers, load().query_seconds) == (4, 0.5)


def test_slack_over_http_needs_a_port() -> None:
    with pytest.raises(ConfigError, match="set HTTP_PORT as well"):
        load(slack_bot_token="xoxb-1", slack_signing_secret="s3cret")
    assert load(slack_bot_token="xoxb-1", slack_signing_secret="s3cret", http_port=8080).http_port == 8080


def test_tokens_do_not_show() -> None:
    assert "xoxb-1" not in repr(load(slack_bot_token="xoxb-1", slack_app_token="xapp-1"))


@pytest.mark.parametrize("name", ["LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2"])
def test_tracing_is_off_whatever_the_environment_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "true")
    load()
    assert child_environment()[name] == "false"


@pytest.mark.parametrize("name", ["max_messages_per_thread", "load_all", "NOTHING_LIKE_THIS"])
def test_only_a_setting_by_its_variable_is_a_name_of_the_module(name: str) -> None:
    assert getattr(config, "MAX_MESSAGES_PER_THREAD") == load().max_messages_per_thread  # noqa: B009 - made when read
    with pytest.raises(AttributeError, match=name):
        getattr(config, name)


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
        ("sources: {}\napi_tokens: s3cret", "api_tokens: input should be a valid list"),
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


def test_without_a_file_the_one_database_is_everybodys() -> None:
    workspace = load_workspace(load(database_url="sqlite:///data/chinook.sqlite"))
    assert [(name, entry.source) for name, entry in workspace.channels.items()] == [("*", "chinook")]
    with pytest.raises(ConfigError, match="DATABASE_URL is missing"):
        load_workspace(load())


def test_a_channel_keeps_what_is_said_as_long_as_it_says() -> None:
    channels = {"C1": {"source": "a", "retention_days": 7}, "*": {"source": "a", "retention_days": 30}}
    workspace = WorkspaceConfig.model_validate({"sources": {"a": {"url": "sqlite:///a"}}, "channels": channels})
    assert [workspace.kept_days(channel) for channel in ("C1", "http:U1:C1", "C2")] == [7, 7, 30]
    assert WorkspaceConfig(sources={}).kept_days("C1") is None


def test_a_value_is_found_in_its_file() -> None:
    file = Path("datathread.yml")
    file.write_text("sources:\n  a:\n    url: sqlite:///a\nchannels:\n  C1: {source: a}\n", "utf-8")
    workspace = load_workspace(load(config_file=file))
    assert workspace.place("sources.a.url.password") == "line 3, sources.a.url.password"
    assert workspace.place("roles.boss") == "roles.boss"


@pytest.mark.parametrize(
    ("host", "more", "is_refused"),
    [
        ("0.0.0.0", {}, True),
        ("127.0.0.1", {}, False),
        ("0.0.0.0", {"database_url": "sqlite:///a"}, False),
        ("0.0.0.0", {"slack_signing_secret": "s3cret", "slack_bot_token": "xoxb-1", "http_port": 0}, False),
    ],
)
def test_the_demo_answers_this_machine_alone(host: str, more: dict[str, Any], *, is_refused: bool) -> None:
    settings = load(http_host=host, **more)
    with pytest.raises(ConfigError, match=f"HTTP_HOST is {host}") if is_refused else nullcontext():
        callers = api_callers(settings, WorkspaceConfig(sources={}))
        assert callers.open_to_this_machine is (not more)


def test_a_store_that_is_a_word_is_no_secret() -> None:
    named = {store: secrets_of(load(results_store=store), WorkspaceConfig(sources={})) for store in NAMED_STORES}
    assert [store for store, secrets in named.items() if store in secrets] == []


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


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_may_stand_in_a_file(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    whole = {"slack_bot_token": "xoxb-1", "slack_app_token": "xapp-1", "http_port": 0}
    Path("secret").write_text("x-file-secret\n", "utf-8")
    monkeypatch.setenv(f"{name}_FILE", "secret")
    settings = load(**{key: value for key, value in whole.items() if key != name.lower()})
    assert "x-file-secret" in secrets_of(settings, WorkspaceConfig(sources={}))
    assert "x-file-secret" not in repr(settings)


@pytest.mark.parametrize(
    ("content", "also", "said"),
    [
        (None, None, "OPENAI_API_KEY_FILE names key, which cannot be read"),
        (b"", None, "OPENAI_API_KEY_FILE names key, which is empty"),
        (b"\xff", None, "OPENAI_API_KEY_FILE names key, which cannot be read"),
        (b"x" * 70_000, None, "OPENAI_API_KEY_FILE names key, which is too long"),
        (b"a", "b", "Both OPENAI_API_KEY and OPENAI_API_KEY_FILE are set"),
    ],
)
def test_a_file_without_a_secret_is_named(
    monkeypatch: pytest.MonkeyPatch, content: bytes | None, also: str | None, said: str
) -> None:
    if content is not None:
        Path("key").write_bytes(content)
    if also is not None:
        monkeypatch.setenv("OPENAI_API_KEY", also)
    monkeypatch.setenv("OPENAI_API_KEY_FILE", "key")
    with pytest.raises(ConfigError) as error:
        load()
    assert str(error.value).startswith(said)


def test_variables_stand_in_yaml(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("SHOP_FOLDER=data\n", "utf-8")
    Path("token").write_text("a-token-of-somebody\n", "utf-8")
    monkeypatch.setenv("CALLER_FILE", "token")
    workspace = _workspace("""
        sources: {a: {url: "sqlite:///${SHOP_FOLDER}/a.db", description: "costs $${PRICE} or $5"}}
        api_tokens: [{token: "${CALLER}", team: T1, user: U1, channels: ["*"]}]
    """)
    assert (workspace.sources["a"].url, workspace.sources["a"].description) == (
        "sqlite:///data/a.db",
        "costs ${PRICE} or $5",
    )
    assert workspace.api_tokens[0].token == "a-token-of-somebody"


@pytest.mark.parametrize(
    ("yaml", "said"),
    [
        ("sources:\n  a: {url: '${NONE}'}", "line 2, sources.a.url: NONE is not set; set it, or NONE_FILE."),
        ("sources: {a: {url: '${NO}${NEVER}'}}", "line 1, sources.a.url: NO and NEVER are not set; set them, or NO_FILE."),
        ("sources: {a: '${URL}'}", "sources.a: input should be"),
        ("sources: ['${URL}']", "sources: input should be"),
        ("sources: {a: {url: 'sqlite:///a', ceiling: '${URL}'}}", "sources.a.ceiling: input should be"),
        ("sources: {a: {url: 'sqlite:///a', ceiling: '${WORD}'}}", "sources.a.ceiling is '${WORD}': input should be"),
        ("sources: {}\napi_tokens: [{token: short-secret, team: T1, user: U1, channels: []}]", "api_tokens.0.token: string"),
    ],
)  # fmt: skip
def test_no_message_repeats_a_secret(monkeypatch: pytest.MonkeyPatch, yaml: str, said: str) -> None:
    monkeypatch.setenv("URL", "postgresql://bot:short-secret@h/d")
    monkeypatch.setenv("WORD", "short-secret")
    with pytest.raises(ConfigError) as error:
        _workspace(yaml)
    assert said in str(error.value)
    assert "short-secret" not in str(error.value)


def _workspace(yaml: str) -> WorkspaceConfig:
    Path("datathread.yaml").write_text(dedent(yaml), "utf-8")
    return load_workspace(load(config_file=Path("datathread.yaml")))


def test_what_is_kept_is_for_its_owner_alone(tmp_path: Path) -> None:
    (tmp_path / "data" / "results").mkdir(parents=True, mode=0o755)
    (tmp_path / "data" / "results" / "old.arrow").touch(0o644)
    (tmp_path / "elsewhere").touch()
    (tmp_path / "elsewhere").chmod(0o644)  # whatever an earlier test left as mask
    (tmp_path / "data" / "link").symlink_to(tmp_path / "elsewhere")
    load(data_dir=tmp_path / "data").make_data_dir()
    (tmp_path / "data" / "new").touch()
    modes = {path.name: oct(path.lstat().st_mode & 0o777) for path in tmp_path.rglob("*") if not path.is_symlink()}
    assert modes == {"data": "0o700", "results": "0o700", "old.arrow": "0o600", "new": "0o600", "elsewhere": "0o644"}
