"""Count wrong answers told as right, for 1,000 questions to a model writing wrong SQL only.

Each question gets its accepted query with one seeded fault, however often the bot asks again. An answer is told as
right when its rows are of no accepted query and it has no caution. The accepted queries show the cost of the checks.
"""

import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import yaml
from sqlglot import exp, parse_one

from ai.agents.port import CautionEvent
from ai.types import ThreadKey
from benchmarks.report.rows import Row
from bot.cli.predict import Item, is_heard, request_of, said, shown, source_of
from bot.product import Product, open_product
from config import load
from tests.corpora.companies import CORPORA, TODAY, build, sets
from tests.corpora.score import lines, verdict
from tests.openai_server import Asked, ModelServer, Reply

OTHER: dict[type[exp.Expr], type[exp.Expr]] = {exp.Sum: exp.Avg, exp.Avg: exp.Sum, exp.Max: exp.Min, exp.Min: exp.Max}
FLIPPED: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.EQ: exp.NEQ,
    exp.GT: exp.LT,
    exp.LT: exp.GT,
    exp.GTE: exp.LTE,
    exp.LTE: exp.GTE,
}
Question = dict[str, Any]
Fault = Callable[[exp.Expr, random.Random], bool]  # changes the tree, or says that it does not apply


def lost_filter(tree: exp.Expr, _: random.Random) -> bool:
    found = tree.find(exp.Where)
    return bool(found and found.pop())


def other_figure(tree: exp.Expr, chance: random.Random) -> bool:
    return _replaced(tree, chance, OTHER)


def flipped_comparison(tree: exp.Expr, chance: random.Random) -> bool:
    return _replaced(tree, chance, FLIPPED)


def _replaced(tree: exp.Expr, chance: random.Random, others: Mapping[type[exp.Expr], type[exp.Expr]]) -> bool:
    found = [each for each in tree.find_all(*others) if not each.find_ancestor(exp.Join)]
    if found:
        chosen = chance.choice(found)
        chosen.replace(others[type(chosen)](**chosen.args))
    return bool(found)


def other_number(tree: exp.Expr, chance: random.Random) -> bool:
    found = [each for each in tree.find_all(exp.Literal) if not each.is_string]
    if found:
        chosen = chance.choice(found)
        chosen.replace(exp.Literal.number(f"{float(chosen.name) + 1:g}"))
    return bool(found)


def other_order(tree: exp.Expr, _: random.Random) -> bool:
    found = tree.find(exp.Ordered)
    if found and tree.find(exp.Limit):
        found.set("desc", not found.args.get("desc"))
        return True
    return False


def cut_short(tree: exp.Expr, _: random.Random) -> bool:
    if not isinstance(tree, exp.Select) or tree.args.get("limit"):
        return False
    tree.set("limit", exp.Limit(expression=exp.Literal.number(2)))
    return True


FAULTS: tuple[Fault, ...] = (lost_filter, other_figure, flipped_comparison, other_number, other_order, cut_short)


def rows(questions: int) -> Iterator[Row]:
    with TemporaryDirectory() as name:
        databases = Path(name)
        build(databases)
        found = list(chosen(databases, questions))
        for model, number in (("a bad model", 1), ("a good model", 0)):
            told = Counter(
                outcome for outcome in asked({each["id"]: pair[number] for each, *pair in found}, found, databases)
            )
            share = 1000 / len(found)
            of = f"{model}, of 1,000 questions"
            without = {"the same SQL without checks": 1000.0} if number else {}
            yield Row(f"{of}: wrong answers told as right", share * told["wrong"], "", without)
            yield Row(f"{of}: wrong answers with a caution", share * told["wrong, cautioned"])
            yield Row(f"{of}: right answers", share * (told["right"] + told["right, cautioned"]), more=True)
            yield Row(f"{of}: right answers with a caution", share * told["right, cautioned"])
            yield Row(f"{of}: asked back or refused", share * told["open"])


def chosen(databases: Path, most: int) -> Iterator[tuple[Question, str, str]]:
    """Yield questions with an accepted query and a wrong one, spread over all companies."""
    every = [
        item for file in sets(CORPORA) for item in lines(file) if item["kind"] == "answerable" and not item["history"]
    ]
    random.Random(7).shuffle(every)
    taken = 0
    for item in every:
        golds = item["gold_sql"]
        assert isinstance(golds, list)
        wrong = faulty(item, str(golds[0]), databases / f"{item['db']}.sqlite") if taken < most else None
        if wrong:
            taken += 1
            yield item, str(golds[0]), wrong


def faulty(item: Question, gold: str, database: Path) -> str | None:
    """Return the query with the first fault, in an order of the question's own, that runs and finds other rows."""
    chance = random.Random(str(item["id"]))
    for fault in chance.sample(FAULTS, len(FAULTS)):
        tree = parse_one(gold, dialect="sqlite")
        if fault(tree, chance) and _differs(item, tree.sql("sqlite"), database):
            return tree.sql("sqlite")
    return None


def _differs(item: Question, sql: str, database: Path) -> bool:
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            found = [list(row) for row in connection.execute(sql)]
    except sqlite3.Error:
        return False
    answer = {"status": "answered", "rows": found, "total": len(found)}
    return verdict(item, answer, database) == "wrong"


def asked(sql: Mapping[str, str], found: list[tuple[Question, str, str]], databases: Path) -> Iterator[str]:
    current: list[str] = [""]

    def model(asked: Asked) -> Reply:
        if asked.schema == "route":
            return Reply(data={"intent": "sql_query"})
        if asked.schema == "answer":
            return Reply(data={"kind": "sql", "sql": current[0], "text": "as asked", "expects": "rows"})
        return Reply(text="These are the rows.")

    names = sorted({str(item["db"]) for item, *_ in found})
    with ModelServer(model) as server, opened(names, databases, server.url) as product:
        for item, *_ in found:
            current[0] = sql[item["id"]]
            yield outcome(product, item, databases / f"{item['db']}.sqlite")


@contextmanager
def opened(names: list[str], databases: Path, model: str) -> Iterator[Product]:
    with TemporaryDirectory() as name:
        config = Path(name) / "workspace.yaml"
        sources = {name: source_of(name, databases, CORPORA) for name in names}
        config.write_text(yaml.safe_dump({"sources": sources}), "utf-8")
        settings = load(config_file=config, data_dir=Path(name) / "data", openai_base_url=model)
        with open_product(settings) as product:
            yield product


def outcome(product: Product, item: Question, database: Path) -> str:
    asked = Item(str(item["id"]), str(item["db"]), str(item["question"]), ())
    request = request_of(asked, asked.question, ThreadKey("", "bench", uuid4().hex), TODAY)
    is_heard(product, request)
    answer = said(product, request)
    judged = verdict(item, shown(product, request, answer), database)
    cautioned = any(isinstance(event, CautionEvent) for event in answer.events)
    return judged + ", cautioned" * (cautioned and judged != "open")
