"""The whole text of each prompt, for a small shop and for one of many tables."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage

from ai.analysts.port import SQL_QUERY, UNSUPPORTED, Draft, Example, Question
from ai.analysts.prompts.prompts import Messages, Prompts, Room
from ai.analysts.prompts.turn import definitions
from ai.memory.prompt import ThreadLine, ThreadPart
from ai.results.profile import profile_table
from ai.results.table import ResultColumn, ResultTable
from ai.sql.catalog import Catalog, Column, ForeignKey, Labels, Table
from ai.sql.semantics import parse_semantics
from ai.tokens import estimate
from ai.types import AnsweredQuery, LoggedMessage, Role, ThreadKey

HERE = Path(__file__).parent
AT = datetime(2026, 11, 22, tzinfo=UTC)
THREAD = ThreadKey("T", "C", "1.0")
COUNTRIES = Labels("countries", (("de", "Germany"), ("fr", "France")))
CUSTOMERS = Table(
    "customers",
    (
        Column("id", "INTEGER", "integer"),
        Column("full name", "VARCHAR(80)", "text", comment="As it stands in the passport."),
        Column("country", "CHAR(2)", "text", values=("de", "fr"), labels=COUNTRIES),
        Column("plan", "TEXT", "text", values=("free", "paid")),
        Column("joined", "TEXT", "date", is_compact=True),
        Column("seen", "BIGINT", "datetime", is_epoch=True),
    ),
    ("id",),
    comment="Everybody who ever bought something.",
)
ORDERS = Table(
    "orders",
    (
        Column("id", "INTEGER", "integer"),
        Column("customer_id", "INTEGER", "integer"),
        Column("total", "NUMERIC(10, 2)", "number"),
        Column("paid_on", "TIMESTAMP WITH TIME ZONE", "datetime"),
        Column("shop", "TEXT", "text", values=tuple(f"shop {letter}" for letter in "abcdefghijk")),
        Column("till", "TEXT", "text", values=("a till with a name that is much too long",)),
    ),
    ("id",),
    (ForeignKey(("customer_id",), "customers", ("id",)), ForeignKey(("shop", "till"), "tills", ("shop", "name"))),
)
SHOP = Catalog("shop", "postgres", (CUSTOMERS, ORDERS))
PARTS = ("notes_of_orders", "tags_of_customers", "dates_of_stock")
LARGE = Catalog(
    "shop",
    "postgres",
    (
        CUSTOMERS,
        ORDERS,
        *(
            Table(f"{part}_{number}", tuple(Column(f"{part}_{number}_{name}", "TEXT", "text") for name in "abcdefgh"))
            for part in PARTS
            for number in range(8)
        ),
    ),
)


def message(seq: int, role: Role, text: str) -> LoggedMessage:
    return LoggedMessage(THREAD, seq, f"T:C:{seq}", role, text, "U1", 5, AT)


ASKED, TOLD = message(1, "user", "customers by plan"), message(2, "assistant", "Most customers pay.")
PAST = AnsweredQuery(
    id=1,
    thread=THREAD,
    turn_id="T:C:1",
    source="shop",
    question="customers by plan",
    sql="SELECT plan, COUNT(*) FROM customers WHERE joined > 20250101 GROUP BY plan",
    reading="customers by plan",
    meaning=None,
    analyst="language model",
    row_count=2,
    truncated=False,
    headline="",
    result=None,
    elapsed_ms=1,
    created_at=AT,
)
LINES = (
    ThreadLine("said", {"bot": TOLD.content}, 8, message=TOLD),
    ThreadLine("said", {"U1": ASKED.content}, 8, of_people=True, message=ASKED),
    ThreadLine("earlier", {"earlier": "They count customers."}, 8),
    ThreadLine("result", {"result": "q1", "rows": 2}, 190),
)
SEMANTICS = parse_semantics((HERE / "shop.yaml").read_text("utf-8"), "shop.yaml").semantics
KINDS = {SQL_QUERY: "asks for figures", UNSUPPORTED: "anything else"}


def question(text: str = "how many paid customers in Germany?", catalog: Catalog = SHOP) -> Question:
    examples = enumerate(("paid", "free", "lost", "new"), 1)
    return Question(
        text,
        catalog,
        AT.date(),
        ThreadPart((ASKED, TOLD), 800, lambda: LINES),
        (PAST,),
        SEMANTICS,
        tuple(Example(f"how many {plan} customers?", f"SELECT '{plan}', {number}") for number, plan in examples),
        kinds=KINDS,
    )


def asked() -> Iterator[tuple[str, Messages]]:
    """Yield each kind of prompt by what it is."""
    draft = Draft("SELECT plan, COUNT(*) AS n FROM customers GROUP BY plan", "customers by plan")
    table = ResultTable((ResultColumn("plan"), ResultColumn("n")), (("free", 3), ("paid", 4), (None, 9)), 3)
    shown, hidden = Prompts(estimate), Prompts(estimate, private=True)
    problem = "no such column: 'Ada' in customers"
    for kind, prompts in (("", shown), ("private ", hidden)):
        yield f"{kind}write", prompts.write(question())
        yield f"{kind}repair", prompts.repair(question(), draft, problem)[-1:]
        yield f"{kind}research", prompts.research(question())
    yield "linked", shown.write(question(catalog=LARGE))[1:]
    yield "tight", shown.write(question(), "tight")[1:]
    yield "definitions", (HumanMessage("\n".join(definitions(SEMANTICS))),)
    yield "phrase", shown.phrase(question(), draft, profile_table(table), 3)
    yield "route", shown.route(question())
    yield "define", shown.define(question("revenue excludes refunds"))
    yield "likeliest", shown.likeliest(question("why did revenue fall?"), ("customers.plan", "orders.shop"))


def as_text(messages: Messages) -> str:
    return "".join(f"[{message.type}]\n{message.text}\n" for message in messages)


WRITTEN = dict(
    part.split("\n", 1) for part in (HERE / "prompts.txt").read_text("utf-8").removeprefix("# ").split("\n\n# ")
)


@pytest.mark.parametrize("kind", WRITTEN)
def test_each_prompt_is_told_word_for_word(kind: str) -> None:
    assert as_text(dict(asked())[kind]) == WRITTEN[kind].rstrip("\n") + "\n"


def test_each_prompt_is_written_down() -> None:
    assert [kind for kind, _ in asked()] == [*WRITTEN]


@pytest.mark.parametrize(("room", "whole"), [("tight", 0), ("usual", 0), ("wide", 24)])
def test_only_a_wide_prompt_holds_many_tables_whole(room: Room, whole: int) -> None:
    shown = "\n".join(str(message.text) for message in Prompts(estimate).write(question(catalog=LARGE), room))
    assert shown.count("_h text)") == whole
