"""Values of one turn and their words: threads, deeds, errors, costs, and the signal to stop."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import get_args

import pytest

from ai.errors import (
    BudgetSpent,
    Masked,
    MissingExtra,
    ModelFault,
    ModelUnavailable,
    QueryCancelled,
    QueryFailed,
    QueryLocked,
    QueryTimeout,
    SqlRefused,
    Stopped,
)
from ai.ledger import LedgerEntry, Prices, Spender, TokenUsage, money
from ai.stopping import Stop
from ai.types import Deed, LoggedMessage, Place, Request, ThreadKey

NOON = datetime(2026, 1, 7, 12, tzinfo=UTC)
THREAD = ThreadKey("T1", "C1", "1.1")
ENTRY = LedgerEntry(Spender("T1:C1:1", THREAD, "U1"), "phrase", 1, "model", NOON)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("T1/C1/1.1", THREAD),
        ("1.1", ThreadKey("", "", "1.1")),
        ("C1/1.1", ThreadKey("", "", "C1/1.1")),
        ("a/b/c/d", ThreadKey("", "", "a/b/c/d")),
    ],
)
def test_a_thread_has_a_name(name: str, key: ThreadKey) -> None:
    assert ThreadKey.of(name) == ThreadKey.of(key) == key
    assert str(THREAD) == "T1/C1/1.1"


@pytest.mark.parametrize(
    ("deed", "stored"),
    [
        (Deed("chart"), '["chart","","",false]'),
        (Deed("fix", "T1:C1:1", "für mich", until_next=True), '["fix","T1:C1:1","für mich",true]'),
    ],
)
def test_a_deed_comes_back(deed: Deed, stored: str) -> None:
    assert deed.stored == stored
    assert Deed.read(stored) == deed
    assert Deed.read("") is None


def test_a_message_was_said_in_its_thread_or_in_another() -> None:
    message = LoggedMessage(THREAD, 1, "T1:C1:1", "user", "hello", "U1", 2, NOON)
    assert message.said_in == THREAD
    assert replace(message, place="2.2").said_in == ThreadKey("T1", "C1", "2.2")


def test_a_request_comes_from_a_place() -> None:
    request = Request("T1:C1:1", THREAD, "how many?", "U1", NOON, "shop")
    assert Place.of(request) == Place("T1", "C1", "default", "shop")
    assert (Place.of(request).owner, Place.of(replace(request, workspace="C1")).owner) == ("", "C1")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            Masked(["users.email"]),
            "I cannot compute with users.email, which is masked for you; ask for something else, or ask an owner.",
        ),
        (
            Masked(["users.email", "users.phone"]),
            "I cannot compute with users.email and users.phone, which are masked for you; "
            "ask for something else, or ask an owner.",
        ),
        (QueryTimeout(30.0), "The query was stopped after 30 seconds; ask for less data or a shorter period."),
        (QueryTimeout(0.5), "The query was stopped after 0.5 seconds; ask for less data or a shorter period."),
        (
            QueryLocked(),
            "This data is locked, as somebody is changing it; ask again in a minute, and tell an owner if it stays so.",
        ),
        (
            QueryCancelled(),
            "The database server ended the query; ask for a shorter period, and ask an owner why if it happens again.",
        ),
        (QueryFailed("oops"), "The database could not run this query; try to word the question differently."),
        (Stopped(), "Stopped."),
        (
            MissingExtra("STATE_URL", "postgres"),
            "STATE_URL needs packages that are not installed: run pip install 'datathread[postgres]'.",
        ),
    ],
    ids=lambda told: type(told).__name__ if isinstance(told, Exception) else "",
)
def test_an_error_says_what_to_do(error: Exception, said: str) -> None:
    assert str(error) == said


def test_an_error_tells_its_facts() -> None:
    assert (Masked(["a"]).layer, SqlRefused("no", "L2").layer) == ("L4", "L2")
    assert (QueryTimeout(2).seconds, QueryFailed("oops").detail, MissingExtra("x", "y").extra) == (2, "oops", "y")
    gone, spent = ModelUnavailable("Gone.", "down"), BudgetSpent("Spent.")
    assert ((gone.kind, gone.detail), (spent.kind, str(spent))) == (("down", ""), ("budget", "Spent."))


def test_a_call_costs_what_its_tokens_cost() -> None:
    usage = TokenUsage(prompt=1_000_000, cached=250_000, completion=500_000)
    assert usage.total == 1_500_000
    assert Prices(prompt=2, completion=8, cached=0.5).cost(usage) == 1.5 + 0.125 + 4
    assert Prices(prompt=2, completion=8).cost(usage) == 2 + 4
    assert Prices(prompt=2, completion=8, cached=0).cost(usage) == 1.5 + 4
    assert Prices().cost(usage) == 0
    guessed = TokenUsage(10, 5, 1, reported=False)
    assert usage + guessed == TokenUsage(1_000_010, 250_005, 500_001, reported=False)
    assert guessed + guessed == TokenUsage(20, 10, 2, reported=False)
    assert usage + usage == TokenUsage(2_000_000, 500_000, 1_000_000)


def test_money_is_told_by_currency() -> None:
    costs = [replace(ENTRY, cost=cost, currency=currency) for cost, currency in ((0.001, "USD"), (0.0002, "USD"))]
    assert money(costs) == "0.0012 USD"
    assert money([*costs, replace(ENTRY, cost=2, currency="EUR")]) == "0.0012 USD and 2.0000 EUR"
    assert money([ENTRY]) == money([]) == "no prices are set"


def test_a_call_failed_by_a_fault() -> None:
    assert all(replace(ENTRY, outcome=fault).failed for fault in get_args(ModelFault))
    assert not any(replace(ENTRY, outcome=outcome).failed for outcome in ("open", "ok", "broken off"))


def test_a_stop_reaches_what_runs() -> None:
    stop, heard = Stop(), list[str]()
    stop.check()
    with stop.interrupting(lambda: heard.append("first")):
        with stop.interrupting(lambda: heard.append("second")):
            assert (stop.is_listened_to, stop.is_called) == (True, False)
            stop.call()
        stop.call()
    stop.call()
    assert heard == ["first", "second", "first"]
    assert (stop.is_listened_to, stop.is_called) == (False, True)
    with pytest.raises(Stopped):
        stop.check()
    with pytest.raises(Stopped), stop.interrupting(lambda: heard.append("late")):
        heard.append("never")
    assert "never" not in heard
