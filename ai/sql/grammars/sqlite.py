"""SQLite: every call anonymous, no `::`, no JSON paths of its own, casts as written."""

from typing import Any, ClassVar

from sqlglot import exp, generator, parser
from sqlglot.dialects.sqlite import SQLite
from sqlglot.generators.sqlite import SQLiteGenerator
from sqlglot.parsers.sqlite import SQLiteParser
from sqlglot.tokens import TokenType

from ai.sql.grammars.grammar import Grammar
from ai.sql.grammars.nodes import COMMON, extended
from ai.sql.grammars.verbatim import AS_READ, FUNCTION_PARSERS, JSON_ARROWS, Bounded, Plus, Quiet, keywords


class SQLiteTokens(Bounded, SQLite.Tokenizer):
    KEYWORDS: ClassVar[dict[str, TokenType]] = keywords(SQLite.Tokenizer)
    COMMANDS: ClassVar[set[TokenType]] = set()


class SQLiteReader(Quiet, SQLiteParser):
    FUNCTIONS: ClassVar[dict[str, Any]] = {}
    FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {"CAST": FUNCTION_PARSERS["CAST"]}
    NO_PAREN_FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {"CASE": parser.Parser.NO_PAREN_FUNCTION_PARSERS["CASE"]}
    LAMBDAS: ClassVar[dict[TokenType, Any]] = {}  # or `max(a -> 'b')` would not be JSON
    TYPED: ClassVar[frozenset[str] | None] = frozenset()
    JOINS_HAVE_EQUAL_PRECEDENCE = False  # would turn a comma into CROSS JOIN, which forbids SQLite to reorder
    COLUMN_OPERATORS: ClassVar[dict[Any, Any]] = {
        token: build for token, build in SQLiteParser.COLUMN_OPERATORS.items() if token is not TokenType.DCOLON
    }
    CONCAT_OPERATORS: ClassVar[dict[TokenType, Any]] = {
        **SQLiteParser.CONCAT_OPERATORS,
        **JSON_ARROWS,
    }

    def _parse_term(self, parse_mod: bool = True) -> exp.Expr | None:  # noqa: ARG002 - in LIMIT too, % is no per cent
        return super()._parse_term()


class SQLiteWriter(SQLiteGenerator):
    """SQLite with CAST types as written, since it decides by their letters."""

    TRANSFORMS: ClassVar[dict[Any, Any]] = {**SQLiteGenerator.TRANSFORMS, Plus: AS_READ[Plus]}
    TYPE_MAPPING: ClassVar[dict[Any, Any]] = {exp.DType.VARBINARY: "BLOB"}  # what sqlglot reads BLOB as

    def cast_sql(self, expression: exp.Cast, safe_prefix: str | None = None) -> str:
        """Write CAST as read, not as sqlglot's date functions."""
        return generator.Generator.cast_sql(self, expression, safe_prefix)


class VerbatimSQLite(SQLite):
    Tokenizer = SQLiteTokens
    Parser = SQLiteReader
    Generator = SQLiteWriter


JSON_TABLE = ("key", "value", "type", "atom", "id", "parent", "fullkey", "path")
GRAMMAR = Grammar(
    name="sqlite",
    label="SQLite",
    syntax=VerbatimSQLite,
    nodes=extended(
        COMMON,
        ((exp.Table,), "indexed"),
        ((exp.Glob, exp.Match), "this expression"),
    ),
    functions="sqlite",
    default_schema="main",
    table_functions={"json_each": JSON_TABLE, "json_tree": JSON_TABLE},
    row_ids=("rowid", "oid", "_rowid_"),
    explain=("EXPLAIN QUERY PLAN", "EXPLAIN"),
    alias_clauses=frozenset({"where", "group", "having", "windows", "order", "on"}),
    fence=(exp.Limit, 2**32 - 1),
    endless="(WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n FROM endless) SELECT n FROM endless)",
    cross_joins_stay=True,
    forward_ctes=True,
    bare_compounds=True,
    quoted_names_can_be_text=True,
)
