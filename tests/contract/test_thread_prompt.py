"""The thread part of a prompt: what every model call and every reply about the conversation is told of its thread."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from ai.analysts.port import Draft, Question
from ai.analysts.prompts.prompts import Messages, Prompts
from ai.memory.prompt import ThreadPart
from ai.memory_store import MemoryStore
from ai.results.profile import profile_table
from ai.results.table import ResultColumn, ResultTable
from ai.sql.catalog import Catalog, Column, Table
from ai.tokens import TokenCounter
from ai.types import LoggedMessage, ThreadKey
from tests.memories import THREAD, ask, opened, turn

COUNT = TokenCounter(patience=60)
ASKED = "how many apps did we ship in Lisbon?"
CATALOG = Catalog("shop", "sqlite", (Table("apps", (Column("name", "TEXT", "text"),)),))
TABLE = ResultTable((ResultColumn("city"), ResultColumn("n")), (("Lisbon", 3), ("Porto", 2)), 2)
DECISIONS = [json.loads(line) for line in Path(__file__).with_name("decisions.jsonl").read_text("utf-8").splitlines()]


def talk(memory: MemoryStore, turns: int, key: ThreadKey = THREAD) -> None:
    """Ask and answer about cities, one of them at length."""
    for number in range(1, turns + 1):
        ask(memory, number, f"how many apps did city {number} ship?", key)
        memory.add_reply(key, turn(number, key), f"City {number} shipped {number * 7} apps. " + "More. " * (number % 5))


def question(part: ThreadPart) -> Question:
    return Question(ASKED, CATALOG, date(2026, 11, 22), thread_part=part)


def told(messages: Messages) -> str:
    return "\n".join(str(message.content) for message in messages)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryStore]:
    with opened(tmp_path_factory.mktemp("threads")) as memory:
        yield memory


def test_every_call_of_a_model_is_told_of_the_thread(store: MemoryStore) -> None:
    key = replace(THREAD, channel="calls")
    ask(store, 1, "We decided that Lisbon counts as two cities.", key)
    store.add_reply(key, turn(1, key), "Noted: 4711.")
    asked, prompts = question(store.prompt.build(key, ASKED)), Prompts(COUNT)
    draft = Draft("SELECT 1", "apps")
    calls = {
        "write": prompts.write(asked),
        "repair": prompts.repair(asked, draft, "no such column"),
        "phrase": prompts.phrase(asked, draft, profile_table(TABLE), 2),
        "route": prompts.route(asked),
        "research": prompts.research(asked),
        "define": prompts.define(asked),
    }
    assert [name for name, messages in calls.items() if "counts as two cities" not in told(messages)] == []
    private = Prompts(COUNT, private=True).write(asked)
    assert "counts as two cities" in told(private)
    assert "4711" not in told(private)


def test_a_long_thread_costs_no_more_than_its_budget(store: MemoryStore) -> None:
    key = replace(THREAD, channel="long")
    prompts, sizes = Prompts(COUNT), []
    first = COUNT(told(prompts.write(question(store.prompt.build(key, ASKED)))))
    for number in range(1, 121):
        ask(store, number, f"how many apps in Lisbon for plan {number}? " + "Please. " * (number % 60), key)
        store.store_sql_query(key, f"SELECT {number} FROM apps", f"plan {number}?", {"data": [{"n": number}]})
        store.add_reply(key, turn(number, key), f"{number} apps. " + "Indeed. " * (number % 90))
        if number % 10 == 0:
            past = store.queries(key)
            asked = replace(question(store.prompt.build(key, ASKED)), past=past)
            sizes.append(COUNT(told(prompts.write(asked))))
    assert max(sizes) <= first + store.parts.limits.prompt
    assert min(sizes) >= first + store.parts.limits.prompt // 2, "a budget is there to be used"


def test_nothing_is_told_twice_and_whole_turns_come_last(store: MemoryStore) -> None:
    key = replace(THREAD, channel="twice")
    for number in range(1, 16):
        ask(store, number, "how many apps in Lisbon?", key)
        store.add_reply(key, turn(number, key), f"{number} apps.")
    shown = [message.content for message in store.prompt.build(key, ASKED).messages]
    assert len(shown) == len(set(shown))
    assert shown[-1] == "15 apps."


def test_a_prompt_before_a_turn_has_nothing_of_it_or_after(store: MemoryStore) -> None:
    key = replace(THREAD, channel="before")
    for number in range(1, 30):
        ask(store, number, f"Lisbon {number}?", key)
        store.add_reply(key, turn(number, key), f"answer {number}")
    part = store.prompt.build(key, "something else", before_turn=turn(12, key))
    assert [message.content for message in part.recent][-2:] == ["Lisbon 11?", "answer 11"]
    assert not [line for line in part.lines if "Lisbon 12?" in str(line.fields)]


def test_archives_are_told_by_their_handles(store: MemoryStore) -> None:
    key = replace(THREAD, channel="archived")
    talk(store, 3, key)
    handle = store.archives.store(key, 0, 3, summary="Cities one and two.").handle
    (line,) = [line for line in store.prompt.build(key, ASKED).lines if line.place == "archived"]
    assert line.fields == {"archive": handle, "messages": 4, "about": "Cities one and two. (4 msgs)"}


def test_the_words_of_a_paid_summary_are_read(store: MemoryStore) -> None:
    def scribe(key: ThreadKey, before: str, messages: Sequence[LoggedMessage], /) -> str:
        return "They compare cities by apps shipped. Lisbon is what they care about."

    key = replace(THREAD, channel="summed up")
    talk(store, 60, key)
    assert replace(store.summaries, summarise=scribe).refresh(key)
    for number in range(61, 131):
        ask(store, number, f"and city {number}?", key)
        store.add_reply(key, turn(number, key), "As many.")
        prompt = told(Prompts(COUNT).write(question(store.prompt.build(key, f"and city {number}?"))))
        assert "Lisbon is what they care about." in prompt


@pytest.mark.parametrize("every", [10, pytest.param(1, marks=[pytest.mark.slow, pytest.mark.timeout(600)])])
def test_a_decision_is_in_the_prompt_of_the_questions_that_need_it(tmp_path: Path, every: int) -> None:
    """It was said fifth of 200 messages, and the data talk has the words of the question ten times over."""
    missed = []
    with opened(tmp_path) as memory:
        for place, line in enumerate(DECISIONS[::every]):
            key = replace(THREAD, channel=f"C{place}")
            for number in range(1, 101):
                other = DECISIONS[(place + number) % len(DECISIONS)]["needed_by"]
                words = line["said"] if number == 3 else line["needed_by"] if number % 2 else other
                ask(memory, number, f"{words} ({number})" if number != 3 else words, key)
                memory.add_reply(key, turn(number, key), f"{words} came to {number * 17}.")
            part = memory.prompt.build(key, line["needed_by"])
            shown = "\n".join(str(dict(fields)) for fields in part.within(memory.parts.limits.prompt))
            assert COUNT(shown) <= memory.parts.limits.prompt
            missed += [line["said"]] if line["said"] not in [message.content for message in part.messages] else []
    assert len(missed) <= 5 / every, missed
