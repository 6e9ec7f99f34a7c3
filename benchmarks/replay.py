"""Send a model's recorded SQL the whole way of a question, then with seeded faults to measure the repairs.

A local server plays the model from `llm_replay_dail_gpt4.jsonl`; everything else is real. Answers and the recorded SQL
are compared with the accepted answers on every database variant (suite EX).
"""

import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import process_time
from typing import Any

import yaml
from sqlglot import exp, parse_one

from ai.agents.port import ReplyEvent, run_now
from ai.memory.log import queries
from ai.memory.log.database import reading
from ai.types import AnsweredQuery, FailedQuery, Request, ThreadKey
from benchmarks.report.rows import MissingPart, Row
from benchmarks.text_to_sql import QUESTIONS, Item, comparer, database_file, items
from bot.product import Product, open_product
from config import load
from tests.openai_server import Asked, ModelServer, Reply

RECORDED = QUESTIONS / "llm_replay_dail_gpt4.jsonl"


@dataclass
class Recorded:
    """The model: answers the current question with its queries in turn, the last one for good."""

    left: list[str] = field(default_factory=list)
    calls: Counter[str] = field(default_factory=Counter)

    def __call__(self, asked: Asked) -> Reply | None:
        self.calls[asked.schema or "words"] += 1
        if asked.schema == "route":
            return Reply(data={"intent": "sql_query"})
        if asked.schema != "answer":
            return Reply(text="These are the rows.")
        sql = self.left.pop(0) if len(self.left) > 1 else self.left[0]
        return Reply(data={"kind": "sql", "sql": sql, "text": "as recorded", "expects": "rows"})


@dataclass(frozen=True)
class AskedTurn:
    """One question: the SQL of its answer or None, and the problems of refused or failed queries."""

    sql: str | None
    problems: tuple[str, ...]
    kind: str


@dataclass(frozen=True)
class ReplayDesk:
    """The product over all databases, with the recorded model."""

    product: Product
    model: Recorded

    def ask(self, item: Item, answers: list[str], run: str) -> AskedTurn:
        thread, at = ThreadKey("T", run, item["id"]), datetime.now(UTC)
        turn_id = f"T:{run}:{item['id']}"
        self.model.left = list(answers)
        self.product.memory.receive(thread, turn_id, item["question"], "U", at)
        request = Request(turn_id, thread, item["question"], "U", at, item["db"])
        events = list(self.product.orchestrator.answer(request, run_now))
        with reading(self.product.memory.parts.engine) as connection:
            written = queries.of_turn(connection, turn_id)
        ran = [query.sql for query in written if isinstance(query, AnsweredQuery)]
        return AskedTurn(
            ran[-1] if ran else None, tuple(q.problem for q in written if isinstance(q, FailedQuery)), _kind(events)
        )


def _kind(events: list[ReplyEvent]) -> str:
    return type(events[-1]).__name__ if events else "nothing"


@contextmanager
def open_desk(databases: set[str]) -> Iterator[ReplayDesk]:
    with tempfile.TemporaryDirectory(prefix="datathread-bench-") as name, ModelServer(model := Recorded()) as server:
        folder = Path(name)
        sources = {each: {"url": f"sqlite:///{database_file(each)}"} for each in sorted(databases)}
        channels = {"*": {"source": min(databases)}}
        (folder / "bot.yaml").write_text(yaml.safe_dump({"sources": sources, "channels": channels}), "utf-8")
        settings = load(data_dir=folder / "data", config_file=folder / "bot.yaml", openai_base_url=server.url)
        with open_product(settings) as product:
            yield ReplayDesk(product, model)


@cache
def right(item_id: str, sql: str | None) -> bool:
    item = asked()[item_id]
    variants = comparer().dbs_for(QUESTIONS / "db", item["db"], suite=True)
    return bool(comparer().compare(variants, item["gold_sql"], sql)["ex"])


@cache
def asked() -> Mapping[str, Item]:
    return {item["id"]: item for item in items("spider_dev") if database_file(item["db"]).exists()}


def hashes(databases: set[str]) -> str:
    return sha256(b"".join(database_file(name).read_bytes() for name in sorted(databases))).hexdigest()


# The faults: each makes of a right query one that a model could have written by mistake, None where it does not apply.


def mistyped(tree: exp.Expr, _: random.Random) -> str | None:
    return re.sub(r"\bFROM\b", "FRM", tree.sql("sqlite"), count=1)


def unclosed(tree: exp.Expr, _: random.Random) -> str | None:
    sql = tree.sql("sqlite")
    return sql[::-1].replace(")", "", 1)[::-1] if ")" in sql else None


def wrong_column(tree: exp.Expr, chance: random.Random) -> str | None:
    found = [column for column in tree.find_all(exp.Column) if isinstance(column.this, exp.Identifier)]
    if not found:
        return None
    chosen = chance.choice(found)
    chosen.set("this", exp.to_identifier(f"{chosen.name}_name"))
    return tree.sql("sqlite")


def wrong_table(tree: exp.Expr, chance: random.Random) -> str | None:
    chosen = chance.choice(list(tree.find_all(exp.Table)))
    chosen.set("this", exp.to_identifier(f"{chosen.name}_data"))
    return tree.sql("sqlite")


def misspelt_value(tree: exp.Expr, chance: random.Random) -> str | None:
    texts = [
        each for each in tree.find_all(exp.Literal) if each.is_string and len(each.name) > 4 and "%" not in each.name
    ]
    if not texts:
        return None
    chosen = chance.choice(texts)
    chosen.set("this", chosen.name[:2] + chosen.name[3:])
    return tree.sql("sqlite")


FAULTS: tuple[Callable[[exp.Expr, random.Random], str | None], ...] = (
    mistyped,
    unclosed,
    wrong_column,
    wrong_table,
    misspelt_value,
)


def no_harm(desk: ReplayDesk, recorded: Mapping[str, str]) -> Iterator[Row]:
    started = process_time()
    told = {key: desk.ask(asked()[key], [sql], "recorded") for key, sql in recorded.items()}
    taken = process_time() - started
    itself = sum(right(key, sql) for key, sql in recorded.items())
    through = sum(right(key, answer.sql) for key, answer in told.items())
    lost = sum(right(key, recorded[key]) and not right(key, answer.sql) for key, answer in told.items())
    share = 100 / len(recorded)
    yield Row(
        "recorded SQL, right on all variants", share * through, "%", {"the SQL itself": share * itself}, more=True
    )
    yield Row("right SQL that was not answered right", lost, limit=0.0)
    yield Row("queries that were refused or failed", sum(len(answer.problems) for answer in told.values()))
    yield Row("processor time of a question, server included", 1000 * taken / len(recorded), "ms")


def repaired(
    desk: ReplayDesk, recorded: Mapping[str, str], fault: Callable[[exp.Expr, random.Random], str | None]
) -> Iterator[Row]:
    broken: dict[str, str] = {}
    for key, sql in recorded.items():
        made = fault(parse_one(sql, dialect="sqlite"), random.Random(key)) if right(key, sql) else None
        if made and not right(key, made):
            broken[key] = made
    desk.model.calls.clear()
    mended = sum(
        right(key, desk.ask(asked()[key], [made, recorded[key]], fault.__name__).sql) for key, made in broken.items()
    )
    if broken:
        what = f"{fault.__name__.replace('_', ' ')}, {len(broken)} queries"
        yield Row(f"{what}: right after the repair", 100 * mended / len(broken), "%", {"without": 0.0}, more=True)
        yield Row(f"{what}: calls of a question", desk.model.calls["answer"] / len(broken))


def rows(questions: int) -> Iterator[Row]:
    if not RECORDED.exists():
        raise MissingPart("the recorded answers of a model are absent")
    lines: list[dict[str, Any]] = [json.loads(line) for line in RECORDED.read_text("utf-8").splitlines()]
    every = max(1, len(lines) // questions)
    recorded = {each["id"]: each["sql"] for each in lines[::every] if each["id"] in asked()}
    databases = {asked()[key]["db"] for key in recorded}
    before = hashes(databases)
    with open_desk(databases) as desk:
        yield from no_harm(desk, recorded)
        for fault in FAULTS:
            yield from repaired(desk, recorded, fault)
    yield Row(f"databases that changed, of {len(databases)}", float(hashes(databases) != before), limit=0.0)
