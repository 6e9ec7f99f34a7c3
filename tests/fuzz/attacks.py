"""Attacks stay attacks: each of the corpora, inside other queries, in other spaces and with comments, is refused."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from ai.errors import SqlRefused
from ai.sql.catalog import Catalog
from ai.sql.guard import check
from ai.sql.rights import Rights, catalog_from, rights_from
from tests.cases import cases
from tests.fuzz.outcome import Outcome, Try
from tests.paths import ROOT

CORPORA = ROOT / "tests" / "unit" / "ai" / "sql" / "corpora"
ANALYTIC = ROOT / "tests" / "contract" / "analytic" / "attacks.jsonl"
KEPT = {
    "tables": {
        "customers": ["id", "name", "email", "country", "created_at", "attrs"],
        "orders": ["id", "customer_id", "status", "ordered_at", "note"],
        "products": ["id", "name", "category", "price"],
    },
    "denied_columns": {"customers": ["email"]},
}
ALONE = "R1"  # what is no query by itself may be one inside another
AROUND = (
    "SELECT * FROM ({a}) AS q1",
    "WITH w1 AS ({a}) SELECT count(*) FROM w1",
    "SELECT 1 AS one WHERE EXISTS ({a})",
    "SELECT (SELECT count(*) FROM ({a}) AS q2) AS n",
    "SELECT 1 AS one UNION ALL {a}",
    "{a} UNION ALL SELECT 1",
    "SELECT o1.one FROM (SELECT 1 AS one) AS o1 LEFT JOIN ({a}) AS q3 ON 1 = 1",
    "EXPLAIN {a}",
)
SPACES = (" ", "\n", "\t", " /* */ ", "  ")


@contextmanager
def attacks(kind: str, _folder: Path) -> Iterator[Try]:
    own = json.loads((CORPORA / "policy.json").read_text("utf-8"))
    held = [(sql, rule, *_judge(own, kind)) for sql, rule in _of_corpus(kind)]
    kept = {**KEPT, "default_schema": {"mysql": "music", "sqlite": "main", "duckdb": "main", "postgres": "public"}}
    held += [
        (case.values[0]["sql"], "", *_judge(kept, kind))
        for case in cases(ANALYTIC)
        if case.values[0]["kind"] in ("any", kind)
    ]

    def tried(number: int) -> Outcome:
        chance = Random(f"{kind} attack {number}")
        sql, rule, catalog, rights = held[number % len(held)]
        if number >= len(held):
            sql = _wrapped(sql, chance) if rule != ALONE else _spaced(sql, chance)
        try:
            return Outcome(f"{sql!r} runs as {check(sql, catalog, rights).sql}", "allowed")
        except SqlRefused as refusal:
            return Outcome("", f"refused by {refusal.layer}")

    yield tried


def _judge(policy: dict[str, object], kind: str) -> tuple[Catalog, Rights]:
    return catalog_from(policy, kind), rights_from(policy, kind)


def _of_corpus(kind: str) -> Iterator[tuple[str, str]]:
    for line in map(json.loads, (CORPORA / "attacks.jsonl").read_text("utf-8").splitlines()):
        if line["dialect"] == kind:
            yield line["sql"], line["rule"]


def _wrapped(sql: str, chance: Random) -> str:
    inner = sql.rstrip().rstrip(";")
    for _ in range(chance.choice((1, 1, 2, 3))):
        inner = chance.choice(AROUND).replace("{a}", inner)
    return _spaced(inner, chance)


def _spaced(sql: str, chance: Random) -> str:
    """Write some spaces otherwise, outside of quotes."""
    at = {place for place, sign in enumerate(sql) if sign == " " and sum(map(sql[:place].count, "'\"`$")) % 2 == 0}
    chosen = set(chance.sample(sorted(at), min(len(at), chance.choice((0, 1, 3)))))
    return "".join(chance.choice(SPACES) if place in chosen else sign for place, sign in enumerate(sql))
