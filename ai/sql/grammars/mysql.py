"""MySQL and MariaDB: calls by their own names, operators as both servers read them."""

from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.dialects.mysql import MySQL
from sqlglot.generators.mysql import MySQLGenerator
from sqlglot.parsers.mysql import MySQLParser
from sqlglot.tokens import TokenType

from ai.sql.grammars.grammar import Grammar, caseless, exact
from ai.sql.grammars.nodes import ORDINARY_TYPES, RICH, extended
from ai.sql.grammars.verbatim import AS_READ, Bounded, Quiet, keywords, spelled


class MySQLTokens(Bounded, MySQL.Tokenizer):
    KEYWORDS: ClassVar[dict[str, TokenType]] = keywords(MySQL.Tokenizer)
    COMMANDS: ClassVar[set[TokenType]] = set()


class MySQLReader(Quiet, MySQLParser):
    FUNCTIONS: ClassVar[dict[str, Any]] = {}
    FUNCTION_PARSERS: ClassVar[dict[str, Any]] = spelled(
        MySQLParser, "GROUP_CONCAT", "CONVERT", "MATCH", "JSON_TABLE", "CHAR"
    )
    LAMBDAS: ClassVar[dict[TokenType, Any]] = {
        token: build for token, build in MySQLParser.LAMBDAS.items() if token not in (TokenType.ARROW, TokenType.FARROW)
    }
    JOINS_HAVE_EQUAL_PRECEDENCE = False
    TYPED: ClassVar[frozenset[str] | None] = frozenset({"DATE", "TIME", "TIMESTAMP", "TIMESTAMPTZ", "BINARY"})
    PRIMARY_PARSERS: ClassVar[dict[TokenType, Any]] = {
        **MySQLParser.PRIMARY_PARSERS,
        TokenType.HEX_STRING: lambda self, token: exp.HexString(
            this=token.text, is_integer=self.sql[token.start] == "0"
        ),
    }

    def _parse_statement(self) -> exp.Expr | None:
        """Read `VALUES (1, 2)` as a query, not as a call."""
        if self._match(TokenType.VALUES, advance=False):
            return self._parse_query_modifiers(self._parse_derived_table_values())
        return super()._parse_statement()

    COLUMN_OPERATORS: ClassVar[dict[Any, Any]] = {
        **{token: build for token, build in MySQLParser.COLUMN_OPERATORS.items() if token is not TokenType.DCOLON},
        TokenType.ARROW: lambda _, this, path: exp.JSONExtract(this=this, expression=path),
        TokenType.DARROW: lambda _, this, path: exp.JSONExtractScalar(this=this, expression=path),
    }


def _interval(writer: MySQLGenerator, node: exp.Interval) -> str:
    """Write the function INTERVAL(n, a, b, …) as well as the literal."""
    is_call = isinstance(node.this, exp.Tuple) and not node.args.get("unit")
    return f"INTERVAL{writer.sql(node, 'this')}" if is_call else str(AS_READ[exp.Interval](writer, node))


class MySQLWriter(MySQLGenerator):
    """MySQL with operators as read: MariaDB has no REGEXP_LIKE()."""

    RESERVED_KEYWORDS: ClassVar[set[str]] = set(MySQLGenerator.RESERVED_KEYWORDS) - {"dual"}
    TRANSFORMS: ClassVar[dict[Any, Any]] = {
        **MySQLGenerator.TRANSFORMS,
        **AS_READ,
        exp.HexString: lambda _, e: f"0x{e.name}" if e.args.get("is_integer") else f"x'{e.name}'",
        exp.RegexpLike: lambda self, e: self.binary(e, "REGEXP"),
        exp.Interval: lambda self, e: _interval(self, e),
        exp.JSONExtract: lambda self, e: f"{self.sql(e, 'this')}->{self.sql(e, 'expression')}",
        exp.JSONExtractScalar: lambda self, e: f"{self.sql(e, 'this')}->>{self.sql(e, 'expression')}",
    }


class VerbatimMySQL(MySQL):
    Tokenizer = MySQLTokens
    Parser = MySQLReader
    Generator = MySQLWriter


GRAMMAR = Grammar(
    name="mysql",
    label="MySQL",
    syntax=VerbatimMySQL,
    nodes=extended(
        RICH,
        ((exp.Select,), "operation_modifiers"),
        ((exp.Table,), "hints"),
        ((exp.IndexTableHint,), "this expressions target"),
        ((exp.GroupConcat,), "this separator"),
        ((exp.MatchAgainst,), "this expressions modifier"),
        ((exp.Introducer, exp.JSONArrayContains), "this expression"),
        ((exp.Chr,), "expressions charset"),
        ((exp.Soundex,), "this"),
        ((exp.JSONTable,), "this path schema"),
        ((exp.JSONSchema,), "expressions"),
        ((exp.JSONColumnDef,), "this kind path nested_schema ordinality"),
        ((exp.Concat,), "expressions"),
        ((exp.DataType,), "kind"),
        ((exp.HexString,), "is_integer"),
    ),
    functions="mysql",
    types=ORDINARY_TYPES,
    table_key=exact,
    column_key=caseless,
    explain=("EXPLAIN FORMAT = JSON", "EXPLAIN FORMAT = TREE", "EXPLAIN EXTENDED", "EXPLAIN ANALYZE", "EXPLAIN"),
    join_words=frozenset({"STRAIGHT_JOIN", "STRAIGHT"}),
    closed_entries=True,
    system_columns=frozenset({"_rowid"}),
    alias_clauses=frozenset({"group", "having", "order", "windows"}),
    lateral_aliases=True,  # in windows and queries of the SELECT list
    fence=(exp.Limit, 2**64 - 1),
    runs_comments=True,
    calls_with_units=frozenset({"timestampdiff", "timestampadd"}),
    max_name=64,
)
