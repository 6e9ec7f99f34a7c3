"""The book of model calls: repeatable, fair between turns at once, within budgets, and forgotten with what it is of."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from threading import Barrier

import pytest

from ai.errors import BudgetSpent
from ai.ledger import Budgets, Prices, Spender, TokenUsage
from ai.memory.log.spending import Spending
from ai.memory_store import Forgotten, MemoryStore
from ai.types import ThreadKey
from tests.memories import NOON, ask, turn

HERE, ELSEWHERE = ThreadKey("T1", "C1", "1.0"), ThreadKey("T1", "C2", "2.0")
ANA = Spender("t1", HERE, "U_ANA")
BEN = Spender("t2", HERE, "U_BEN")
AWAY = Spender("t3", ELSEWHERE, "U_ANA")
CALL = TokenUsage(prompt=500, completion=100, reported=False)


@pytest.fixture
def book(memory: MemoryStore) -> Spending:
    return replace(memory.spending, prices=Prices(prompt=2, completion=8, cached=0.5, currency="EUR"))


def held_to(book: Spending, budgets: Budgets) -> Spending:
    return replace(book, budgets=budgets, clock=lambda: NOON)


def test_a_call_is_settled_once(book: Spending) -> None:
    entry = book.enter(ANA, "write_sql", "m", CALL)
    assert [(known.outcome, known.usage) for known in book.of_turn("t1")] == [("open", CALL)]
    for usage in (TokenUsage(1000, 400, 50), TokenUsage(9, 9, 9)):
        book.settle(entry, usage, 1200, "ok")
    (settled,) = book.of_turn("t1")
    assert (settled.outcome, settled.usage, settled.ms) == ("ok", TokenUsage(1000, 400, 50), 1200)
    assert settled.cost == pytest.approx(0.0018)
    assert settled.currency == "EUR"


def test_calls_are_numbered_by_purpose_within_their_turn(book: Spending) -> None:
    made = [book.enter(ANA, purpose, "m", CALL) for purpose in ("write_sql", "phrase", "write_sql")]
    made.append(book.enter(BEN, "write_sql", "m", CALL))
    assert [(entry.spender.turn_id, entry.purpose, entry.n) for entry in made] == [
        ("t1", "write_sql", 1),
        ("t1", "phrase", 1),
        ("t1", "write_sql", 2),
        ("t2", "write_sql", 1),
    ]
    assert [entry.n for entry in book.of_thread(HERE)] == [1, 1, 2, 1]


@pytest.mark.parametrize(
    ("budgets", "said", "still_served"),
    [
        (Budgets(user=1000), "Your budget of 1,000", BEN),
        (Budgets(channel=1000), "This channel's", AWAY),
        (Budgets(total=1000), "The bot's", None),
    ],
    ids=["user", "channel", "total"],
)
def test_a_budget_refuses_with_a_sentence(
    book: Spending, budgets: Budgets, said: str, still_served: Spender | None
) -> None:
    book = held_to(book, budgets)
    book.enter(ANA, "write_sql", "m", CALL)
    with pytest.raises(BudgetSpent) as refused:
        book.enter(ANA, "phrase", "m", CALL)
    assert str(refused.value).startswith(said)
    assert "midnight (UTC)" in str(refused.value)
    assert len(book.of_turn("t1")) == 1
    if still_served is not None:
        assert book.enter(still_served, "phrase", "m", CALL).n == 1


def test_a_budget_begins_anew_at_midnight_of_its_time_zone(book: Spending) -> None:
    budgets = Budgets(user=1000, timezone="Europe/Berlin")
    moments = iter([datetime(2026, 1, 7, 22, 59, tzinfo=UTC), datetime(2026, 1, 7, 23, 1, tzinfo=UTC)])
    book = replace(book, budgets=budgets, clock=lambda: next(moments))
    assert [book.enter(ANA, "phrase", "m", CALL).n for _ in range(2)] == [1, 2]


def test_less_than_expected_leaves_room(book: Spending) -> None:
    book = held_to(book, Budgets(total=1000))
    book.settle(book.enter(ANA, "phrase", "m", CALL), TokenUsage(100, 0, 10), 5, "ok")
    assert book.enter(ANA, "phrase", "m", CALL).n == 2


def test_of_many_at_once_only_as_many_pass_as_there_is_room_for(book: Spending) -> None:
    book, start = held_to(book, Budgets(total=2000)), Barrier(8)

    def one(number: int) -> bool:
        start.wait()
        try:
            book.enter(Spender(f"turn {number}", HERE, f"U{number}"), "phrase", "m", CALL)
        except BudgetSpent:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(one, range(8))) == 3


@pytest.mark.parametrize("how", ["thread", "person", "everything", "expired"])
def test_calls_are_forgotten_with_what_they_are_of(memory: MemoryStore, how: str) -> None:
    here = ThreadKey("T1", "C1", "1764000000.000100")
    for number, who in ((1, "U1"), (2, "U_OTHER")):
        ask(memory, number, "how many apps?", here)
        memory.spending.enter(Spender(turn(number, here), here, who), "phrase", "m", CALL)
    memory.spending.enter(AWAY, "phrase", "m", CALL)
    life = memory.lifecycle
    forget: dict[str, Callable[[], Forgotten]] = {
        "thread": lambda: life.forget_thread(here),
        "person": lambda: life.forget_person("U_OTHER"),
        "everything": life.forget_everything,
        "expired": lambda: life.expire({"C1": 1.0}.get, NOON.replace(year=2030)),
    }
    forget[how]()
    left = [
        entry.spender.turn_id for entry in (*memory.spending.of_thread(here), *memory.spending.of_thread(ELSEWHERE))
    ]
    assert left == {"person": [turn(1, here), "t3"], "everything": []}.get(how, ["t3"])
