"""The parts of a bot that runs, or ran; and what its owners are told when it starts."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import time

import pytest

from ai.errors import ConfigError, DatathreadError, SourceUnavailable
from ai.types import ThreadKey
from bot.contact import slack_client
from bot.doctor import checks, parts, tell_owners
from bot.doctor.probes import SCOPES
from bot.engine import FileLeases, TurnQueue
from bot.product import Product, open_product
from config import load
from local_slack.in_process import slack_in_process
from local_slack.testing import DM_OF, MIRA, SlackServer
from tests.cases import cases
from tests.desk import shop

THREAD = ThreadKey("T1", "C1", "1700000000.000100")
SOURCE = "sources: {shop: {url: 'sqlite:///%s'%s}}\n"


@pytest.fixture
def slack() -> Iterator[SlackServer]:
    with slack_in_process() as running:
        yield running


@contextmanager
def product_in(folder: Path, slack: SlackServer | None = None, more: str = "", rights: str = "") -> Iterator[Product]:
    file = folder / "workspace.yml"
    file.write_text(SOURCE % (shop(folder), rights) + more, "utf-8")
    told = {} if slack is None else {name.lower(): value for name, value in slack.environment.items()}
    with open_product(load(data_dir=folder / "data", config_file=file, **told)) as product:
        yield product


def told(probe: parts.Probe) -> str:
    try:
        return probe()
    except DatathreadError as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("beats.jsonl")))
def test_a_receiver_is_known_by_its_last_sign_of_life(case: dict[str, object], tmp_path: Path) -> None:
    with product_in(tmp_path) as product:
        for number, ago in enumerate(case["ago"]):  # type: ignore[arg-type,var-annotated]
            product.memory.lines.beat(f"line {number}", "T1", 0.0, time() - ago)
        assert told(lambda: parts.receiver(product)) == case["told"]


def test_engines_and_the_questions_that_wait_are_counted(tmp_path: Path) -> None:
    with closing(TurnQueue(f"sqlite:///{tmp_path / 'engine.sqlite'}", tmp_path)) as queue:
        alone = "SourceUnavailable: No process answers questions, and {} wait; start `datathread run`, or see its log."
        assert told(lambda: parts.workers(queue)) == alone.format(0)
        assert parts.engine(queue) == "can be written; 0 questions wait"
        queue.enqueue("T1:C1:1700000000.000100", THREAD)
        assert told(lambda: parts.workers(queue)) == alone.format(1)
        assert parts.engine(queue) == "can be written; 1 questions wait"
        with closing(FileLeases(tmp_path / "leases")) as engine:
            engine.hold("one")
            assert parts.workers(queue) == "1 answer; 1 questions wait, the oldest 0 s"


def test_two_who_ask_at_once_both_find_the_tables_of_a_new_queue(tmp_path: Path) -> None:
    with product_in(tmp_path) as product, closing(TurnQueue(product.settings.engine, tmp_path)) as queue:
        assert [name for name, _ in parts.running(product, queue)] == [
            *("state", "engine", "disk", "source shop", "model", "workers", "receiver")
        ]
        probes = dict(parts.running(product, queue))
        assert "no such table" not in told(probes["workers"])


def test_a_cache_that_is_away_is_named() -> None:
    assert parts.redis(lambda: True) == "answers"
    with pytest.raises(SourceUnavailable, match=r"^Redis does not answer; check REDIS_URL and its server\."):
        parts.redis(lambda: False)


def test_a_folder_that_takes_no_files_is_named(tmp_path: Path) -> None:
    assert parts.disk(tmp_path).startswith(f"{tmp_path} takes files, ")
    away = tmp_path / "away"
    with pytest.raises(ConfigError) as error:
        parts.disk(away)
    assert str(error.value) == f"DATA_DIR {away} takes no files (No such file or directory); make it writable."


def test_rights_that_fit_no_longer_are_named(tmp_path: Path) -> None:
    with product_in(tmp_path, rights=", rights: {denied_columns: {apps: [platform]}}") as product:
        found = {check.subject: check for check in checks(product)}
        assert (found["rights shop"].found, found["rights shop"].is_well) == ("every rule fits the tables", True)
        with closing(sqlite3.connect(shop(tmp_path))) as connection:
            connection.execute("ALTER TABLE apps RENAME COLUMN platform TO system")
        found = {check.subject: check for check in checks(product)}
        assert not found["rights shop"].is_well
        assert "apps has no column platform" in found["rights shop"].found


PROBLEM = (
    "I am running, but something needs an owner:\n"
    "• scopes: Scopes are missing: add {} to the app, and install it again.\n"
    "Run `datathread check` after mending it."
)


def test_owners_hear_of_a_problem_once_and_again_when_it_changes(slack: SlackServer, tmp_path: Path) -> None:
    def heard() -> list[str]:
        return [message["text"] for message in slack.messages(DM_OF[MIRA])]

    scopes = sorted(SCOPES)
    with product_in(tmp_path, slack, f'owners: ["*", U0NOBODY, {MIRA}]\n') as product:
        client = slack_client(product.settings)
        tell_owners(product, client)
        assert heard() == []
        slack.app(scopes=[name for name in scopes if name != "users:read"])
        tell_owners(product, client)
        tell_owners(product, client)
        assert heard() == [PROBLEM.format("users:read")]
        slack.app(scopes=[name for name in scopes if name != "files:write"])
        tell_owners(product, client)
        assert heard() == [PROBLEM.format(name) for name in ("users:read", "files:write")]
        slack.app(scopes=scopes)
        tell_owners(product, client)
        slack.app(scopes=[name for name in scopes if name != "files:write"])
        tell_owners(product, client)
        assert heard() == [PROBLEM.format(name) for name in ("users:read", "files:write", "files:write")]
        opened = [call["args"] for call in slack.calls("conversations.open")]
        assert {args["users"] for args in opened} == {"U0NOBODY", MIRA}
        posted = [call["args"] for call in slack.calls("chat.postMessage")]
        assert {(str(args["unfurl_links"]), str(args["mrkdwn"])) for args in posted} == {("False", "False")}
