"""Grammars: the SQL of each kind of database as the guard sees it.

A new one is a module here, an entry in `GRAMMARS` and a list of functions; other dialects have the strict one.
"""

from ai.sql.grammars.duckdb import DUCKDB
from ai.sql.grammars.grammar import Grammar
from ai.sql.grammars.mysql import MYSQL
from ai.sql.grammars.postgres import POSTGRES
from ai.sql.grammars.sqlite import SQLITE
from ai.sql.grammars.strict import strict

__all__ = ["GRAMMARS", "Grammar", "grammar_of"]

GRAMMARS: dict[str, Grammar] = {grammar.name: grammar for grammar in (SQLITE, POSTGRES, MYSQL, DUCKDB)}


def grammar_of(dialect: str) -> Grammar:
    """Return the grammar for sqlglot's name of a dialect, or raise `ConfigError`."""
    return GRAMMARS.get(dialect) or strict(dialect)
