"""Verdicts on a corpus of queries, for `datathread guard`; with a database, its engine is asked too (L5)."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ai.errors import ConfigError, QueryEnded, QueryFailed, SqlRefused
from ai.sql.catalog import Catalog
from ai.sql.database import Database
from ai.sql.guard import Checked, check
from ai.sql.rights import Rights, catalog_from, rights_from

# DuckDB makes several statements of one PIVOT, which have no plan together: only what it refuses is an opinion.
NO_PLAN_IS_NO_OPINION = frozenset({"duckdb"})


@dataclass(frozen=True, slots=True)
class Judge:
    catalog: Catalog
    rights: Rights
    database: Database | None = None

    def close(self) -> None:
        if self.database is not None:
            self.database.close()

    def verdicts(self, lines: Iterable[str]) -> Iterator[str]:
        """Judge JSON lines with id and sql; yield JSON lines with id, verdict, reason and layer."""
        for number, line in enumerate(lines, 1):
            if line.strip():
                case = _case(line, number)
                yield json.dumps({"id": case["id"], **self._verdict(case["sql"])}, ensure_ascii=False)

    def _verdict(self, sql: str) -> dict[str, str]:
        try:
            checked = check(sql, self.catalog, self.rights)
            if self.database is not None:
                second_opinion(checked, self.database)
        except SqlRefused as refusal:
            return {"verdict": "reject", "reason": str(refusal), "layer": refusal.layer}
        return {"verdict": "allow", "reason": "", "layer": ""}


def judge_from(dialect: str, policy: Mapping[str, Any], url: str | None) -> Judge:
    """Build a judge from a parsed policy, or raise `ConfigError`."""
    rights = rights_from(policy, dialect)
    if url is None:
        return Judge(catalog_from(policy, dialect), rights)
    database = Database("guard", url)
    if database.dialect.name != dialect:
        raise ConfigError(f"The database is {database.dialect.label}, which is not the dialect {dialect}.")
    return Judge(database.catalog(), rights, database)


def second_opinion(checked: Checked, database: Database) -> None:
    """Have the engine plan a query; `SqlRefused` (L5) if it cannot."""
    plan = checked.sql if checked.sql.upper().startswith("EXPLAIN") else f"EXPLAIN {checked.sql}"
    try:
        with database.run(replace(checked, sql=plan)) as stream:
            for _ in stream.batches:
                break
    except QueryEnded as error:
        raise SqlRefused(f"{database.dialect.label} cannot plan this: {error}", "L5") from None
    except QueryFailed as error:
        if database.dialect.name not in NO_PLAN_IS_NO_OPINION:
            raise SqlRefused(f"{database.dialect.label} cannot run this: {error}", "L5") from None


def _case(line: str, number: int) -> dict[str, Any]:
    try:
        case = json.loads(line)
    except json.JSONDecodeError:
        raise ConfigError(f"Line {number} is not JSON; each line is an object with id and sql.") from None
    if not isinstance(case, dict) or not isinstance(case.get("sql"), str) or "id" not in case:
        raise ConfigError(f"Line {number} has no id or no sql; each line is an object with both.")
    return case
