"""The guard: what may run on a user's database. It reads the SQL as a tree and lets through what it can vouch for.

The layers are a tuple of checks, each an allow-list; a refusal is a sentence and the layer that spoke. What runs is
written anew from the checked tree, so nothing that the guard did not see reaches the engine. It opens no connection:
the engine's own read-only mode, authorizer and limits stand behind it in `ai.sql.engines`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from ai.sql.catalog.catalog import Catalog
from ai.sql.grammars import Grammar, grammar_of
from ai.sql.guard.policy import enforce
from ai.sql.guard.reach import find_reach
from ai.sql.guard.shape import check_functions, check_shape
from ai.sql.guard.syntax import read_sql, write_sql
from ai.sql.rights.rights import EVERYTHING, Rights

CHECKS: tuple[Callable[[exp.Expr, Grammar], None], ...] = (check_shape, check_functions)


@dataclass(frozen=True, slots=True)
class Checked:
    """SQL that may run. `sql` is what runs, `written` what came in, `tables` what it reads (names of the catalog).

    `columns` are the (table, column) pairs that it reads, column names in lower case. `plain` is what runs but for the
    rights written into it: this is what is kept and shown, and checked again for whoever asks next. `mark` stands for what
    the rights keep back of these tables, "" for nothing: rows of the same `plain` and `mark` are rows of the same query.
    """

    sql: str
    written: str
    tables: tuple[str, ...]
    columns: tuple[tuple[str, str], ...] = ()
    plain: str = ""
    mark: str = ""


def check(sql: str, catalog: Catalog, rights: Rights = EVERYTHING) -> Checked:
    """Let one query through as far as the rights go, or raise `SqlRefused` with the reason and the layer (`L0` to `L6`)."""
    grammar = grammar_of(catalog.dialect)
    explain, tree = read_sql(sql, grammar)
    for judge in CHECKS:
        judge(tree, grammar)
    reach = find_reach(tree, catalog, grammar, rights)
    for node in reach.texts:
        node.replace(exp.Literal.string(node.name))
    plain = clean = f"{explain} {write_sql(tree, grammar)}".strip()
    mark = rights.mark(table for _, table in reach.places)
    if mark:
        enforce(tree, reach.places, reach.starred, grammar, rights)
        clean = f"{explain} {write_sql(tree, grammar)}".strip()
    return Checked(clean, sql, tuple(sorted(reach.tables)), tuple(sorted(reach.columns)), plain, mark)
