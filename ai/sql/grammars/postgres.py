"""PostgreSQL: calls by their own names, JSON arrows as written, ORDER BY … USING as the order it means."""

import re
from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.dialects.postgres import Postgres
from sqlglot.generators.postgres import PostgresGenerator
from sqlglot.parsers.postgres import PostgresParser
from sqlglot.tokens import TokenType

from ai.sql.grammars.grammar import Grammar, unless_quoted
from ai.sql.grammars.nodes import ORDINARY_TYPES, RICH, extended
from ai.sql.grammars.verbatim import (
    AS_READ,
    JSON_ARROWS,
    QUANTIFIERS,
    Bounded,
    Quiet,
    keywords,
    spelled,
    without_arrows,
)


class PostgresTokens(Bounded, Postgres.Tokenizer):
    KEYWORDS: ClassVar[dict[str, TokenType]] = keywords(Postgres.Tokenizer)
    COMMANDS: ClassVar[set[TokenType]] = set()


UNICODE_SIGN = re.compile(r"[^0-9A-Fa-f+'\"\s]")
ESCAPED = r"{0}({0}|\+[0-9A-Fa-f]{{6}}|[0-9A-Fa-f]{{4}}|)"


class PostgresReader(Quiet, PostgresParser):
    FUNCTIONS: ClassVar[dict[str, Any]] = {}
    FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {**spelled(PostgresParser, "OVERLAY"), **QUANTIFIERS}
    LAMBDAS: ClassVar[dict[TokenType, Any]] = without_arrows(PostgresParser.LAMBDAS)
    PRIMARY_PARSERS: ClassVar[dict[TokenType, Any]] = {
        **PostgresParser.PRIMARY_PARSERS,
        TokenType.UNICODE_STRING: lambda self, token: self.unicode_text(token.text),
    }
    JOINS_HAVE_EQUAL_PRECEDENCE = False
    JSON_OPERATORS: ClassVar[dict[TokenType, Any]] = {
        **PostgresParser.JSON_OPERATORS,
        **{token: (lambda _, this, path, _build=build: _build(_, this, path)) for token, build in JSON_ARROWS.items()},
    }

    def unicode_text(self, text: str) -> exp.Expr:
        r"""Read `U&'d\0061ta' UESCAPE '\'` as the text that it means."""
        sign = str(self._parse_string()).strip("'") if self._match_text_seq("UESCAPE") else "\\"
        if not UNICODE_SIGN.fullmatch(sign):
            self.raise_error("UESCAPE takes one sign")
        try:
            plain = re.sub(ESCAPED.format(re.escape(sign)), lambda found: _meant(found.group(1)), text)
            return exp.Literal.string(plain.encode("utf-16", "surrogatepass").decode("utf-16"))
        except (ValueError, OverflowError):
            self.raise_error("This escape names no character")
            raise

    def _parse_ordered(self, parse_method: Any = None) -> exp.Ordered | None:
        """Read `x USING <` as `x`, `x USING >` as `x DESC`: equal by definition."""
        ordered = super()._parse_ordered(parse_method)
        if ordered is not None and self._match(TokenType.USING):
            if not self._match_set((TokenType.LT, TokenType.GT)):
                self.raise_error("Expected < or > after USING")
            ordered.set("desc", self._prev.token_type is TokenType.GT)
            ordered.set("nulls_first", ordered.args["desc"])
        return ordered


def _meant(escape: str) -> str:
    """Return the character of an escape without its sign; a doubled sign means itself. Raises ValueError."""
    if len(escape) == 1:
        return escape
    number = int(escape, 16)
    if number == 0:
        raise ValueError(escape)
    return chr(number)


class PostgresWriter(PostgresGenerator):
    MULTI_ARG_DISTINCT = True  # string_agg(DISTINCT name, ', ') has two arguments there
    TRANSFORMS: ClassVar[dict[Any, Any]] = {
        **PostgresGenerator.TRANSFORMS,
        **AS_READ,
        exp.Sqrt: lambda self, e: f"|/ {self.sql(e, 'this')}",  # sqrt() of a numeric is no double
        exp.Cbrt: lambda self, e: f"||/ {self.sql(e, 'this')}",
        exp.CurrentTime: lambda _, __: "CURRENT_TIME",  # no call: brackets are an error
        exp.JSONExtract: lambda self, e: self.binary(e, "->"),
        exp.JSONExtractScalar: lambda self, e: self.binary(e, "->>"),
    }


class VerbatimPostgres(Postgres):
    Tokenizer = PostgresTokens
    Parser = PostgresReader
    Generator = PostgresWriter


KEY_VALUE = ("key", "value")
ONE_COLUMN = (
    "generate_series generate_subscripts unnest json_array_elements_text string_to_table jsonb_array_elements_text "
    "json_object_keys jsonb_object_keys jsonb_path_query jsonb_path_query_tz regexp_matches regexp_split_to_table"
).split()
GRAMMAR = Grammar(
    name="postgres",
    label="PostgreSQL",
    syntax=VerbatimPostgres,
    nodes=extended(
        RICH,
        ((exp.Select,), "operation_modifiers"),
        ((exp.Distinct,), "on"),
        ((exp.With,), "search"),
        ((exp.RecursiveWithSearch,), "kind this expression using"),
        ((exp.Table,), "rows_from only ordinality"),
        ((exp.Overlay,), "this expression from_ for_"),
        ((exp.ArrayContainsAll, exp.ArrayContainedBy, exp.ArrayOverlaps, exp.Adjacent), "this expression"),
        ((exp.JSONBContainsAllTopKeys, exp.JSONBContainsAnyTopKeys), "this expression"),
        ((exp.JSONBContainsTopKey, exp.JSONBExtract, exp.JSONBExtractScalar), "this expression"),
        ((exp.JSONBDeleteAtPath, exp.JSONBPathExists, exp.StartsWith, exp.Distance), "this expression"),
        ((exp.Operator,), "this operator expression"),
        ((exp.MatchAgainst,), "this expressions"),
        ((exp.Cbrt, exp.Sqrt, exp.Variadic), "this"),
        ((exp.Kwarg,), "this expression"),
    ),
    functions="postgres",
    default_schema="public",
    table_functions={
        **dict.fromkeys(ONE_COLUMN, ("",)),
        **dict.fromkeys(("json_array_elements", "jsonb_array_elements"), ("", "value")),
        **dict.fromkeys(("json_each", "jsonb_each", "json_each_text", "jsonb_each_text"), KEY_VALUE),
        **dict.fromkeys(("json_to_record", "jsonb_to_record", "json_to_recordset", "jsonb_to_recordset"), ()),
    },
    schemas_of_functions=frozenset({"pg_catalog"}),
    types=ORDINARY_TYPES,
    table_key=unless_quoted,
    column_key=unless_quoted,
    whole_rows=True,
    system_columns=frozenset("ctid xmin xmax cmin cmax tableoid".split()),
    niladic=frozenset(
        "user current_user current_role session_user system_user current_catalog current_schema current_database "
        "current_date current_time current_timestamp localtime localtimestamp".split()
    ),
    alias_clauses=frozenset(),
    bare_alias_clauses=frozenset({"group", "order", "distinct"}),
    fence=(exp.Offset, 0),
    explain=("EXPLAIN ANALYZE VERBOSE", "EXPLAIN ANALYZE", "EXPLAIN VERBOSE", "EXPLAIN"),
    explain_options=True,
    max_name=63,
)
