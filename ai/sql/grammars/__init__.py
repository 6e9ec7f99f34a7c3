"""Grammars: the SQL of each kind of database as the guard sees it, each loaded when first asked for.

A new one is a module here with its `GRAMMAR`, a name in `OWN` and a list of functions; other dialects have the strict
one.
"""

from functools import cache
from importlib import import_module

from ai.sql.grammars.grammar import Grammar
from ai.sql.grammars.nodes import is_naming
from ai.sql.grammars.strict import strict
from ai.sql.grammars.verbatim import MOST_TOKENS

__all__ = ["MOST_TOKENS", "OWN", "Grammar", "grammar_of", "is_naming"]

OWN = ("sqlite", "postgres", "mysql", "duckdb")


@cache
def grammar_of(dialect: str) -> Grammar:
    """Return the grammar for sqlglot's name of a dialect, or raise `ConfigError`."""
    if dialect not in OWN:
        return strict(dialect)
    grammar: Grammar = import_module(f"ai.sql.grammars.{dialect}").GRAMMAR
    return grammar
