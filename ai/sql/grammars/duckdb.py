"""DuckDB: calls by their own names, JSON arrows as written, PIVOT with an order and a limit."""

from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.generators.duckdb import DuckDBGenerator
from sqlglot.parsers.duckdb import DuckDBParser
from sqlglot.tokens import TokenType

from ai.sql.grammars.grammar import Grammar
from ai.sql.grammars.nodes import ORDINARY_TYPES, RICH, extended, is_naming
from ai.sql.grammars.verbatim import AS_READ, JSON_ARROWS, QUANTIFIERS, Bounded, Quiet, keywords, spelled

LAMBDA_FUNCTIONS = frozenset(
    "list_transform array_transform apply list_apply array_apply list_filter array_filter filter list_reduce "
    "array_reduce reduce columns".split()
)


class DuckDBTokens(Bounded, DuckDB.Tokenizer):
    KEYWORDS: ClassVar[dict[str, TokenType]] = keywords(DuckDB.Tokenizer)
    COMMANDS: ClassVar[set[TokenType]] = set()


class DuckDBReader(Quiet, DuckDBParser):
    FUNCTIONS: ClassVar[dict[str, Any]] = {}
    FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {**spelled(DuckDBParser, "TRY_CAST"), **QUANTIFIERS}
    LAMBDAS: ClassVar[dict[TokenType, Any]] = {
        **DuckDBParser.LAMBDAS,
        TokenType.ARROW: lambda self, names: exp.Lambda(this=self._parse_disjunction(), expressions=names),
    }
    JOINS_HAVE_EQUAL_PRECEDENCE = False
    JSON_OPERATORS: ClassVar[dict[TokenType, Any]] = {
        token: (lambda _, this, path, _build=build: _build(_, this, path)) for token, build in JSON_ARROWS.items()
    }

    def _parse_primary(self) -> exp.Expr | None:
        """Keep `.5` without a zero before it, which would show in its text."""
        has_dot = self._curr is not None and self._curr.token_type is TokenType.DOT
        found = super()._parse_primary()
        return exp.Literal.number(found.name[1:]) if has_dot and isinstance(found, exp.Literal) else found

    def _parse_statement(self) -> exp.Expr | None:
        """Read a PIVOT with ORDER BY or LIMIT as a query over it."""
        tree = super()._parse_statement()
        if isinstance(tree, exp.Pivot) and self._curr:
            query = exp.Select(expressions=[exp.Star()], from_=exp.From(this=exp.Subquery(this=tree)))
            tree = self._parse_query_modifiers(query)
        return tree and _resolved(tree)

    def _replace_lambda(self, node: exp.Expr | None, expressions: list[exp.Expr]) -> exp.Expr | None:  # noqa: ARG002
        return node  # a parameter stays a name that has to be found, like any other


def _restore_columns(method: exp.Dot) -> None:
    """Make names before a method columns again; sqlglot takes `(a || t.b).f()` for a path."""
    for path in list(method.this.find_all(exp.Dot)):
        if isinstance(path.this, exp.Identifier) and isinstance(path.expression, exp.Identifier):
            path.replace(exp.Column(this=path.expression, table=path.this))
    for name in list(method.this.find_all(exp.Identifier)):
        if name.parent is method or not is_naming(name):
            name.replace(exp.Column(this=name.copy()))


def _resolved(tree: exp.Expr) -> exp.Expr:
    """Settle `x.f()` as a column's method, and `x -> y` as JSON unless `f` takes a lambda."""
    for dot in list(tree.find_all(exp.Dot)):
        if isinstance(dot.expression, exp.Anonymous):
            _restore_columns(dot)
    for arrow in list(tree.find_all(exp.Lambda)):
        call = arrow.parent
        takes = isinstance(call, exp.Anonymous) and call.name.lower() in LAMBDA_FUNCTIONS
        if not takes and len(arrow.expressions) == 1:
            arrow.replace(exp.JSONExtract(this=exp.Column(this=arrow.expressions[0]), expression=arrow.this))
    return tree


class DuckDBWriter(DuckDBGenerator):
    MULTI_ARG_DISTINCT = True  # string_agg(DISTINCT name, ', ') has two arguments there
    TRANSFORMS: ClassVar[dict[Any, Any]] = {
        **DuckDBGenerator.TRANSFORMS,
        **AS_READ,
        exp.Abs: lambda self, e: f"@ {self.sql(e, 'this')}",
        exp.RegexpLike: lambda self, e: self.binary(
            e, "~"
        ),  # the whole text has to match; regexp_matches() finds a part
        exp.JSONExtract: lambda self, e: f"({self.binary(e, '->')})",
        exp.JSONExtractScalar: lambda self, e: f"({self.binary(e, '->>')})",
    }


class VerbatimDuckDB(DuckDB):
    Tokenizer = DuckDBTokens
    Parser = DuckDBReader
    Generator = DuckDBWriter


JSON_TABLE = ("key", "value", "type", "atom", "id", "parent", "fullkey", "path", "rowid")
GRAMMAR = Grammar(
    name="duckdb",
    label="DuckDB",
    syntax=VerbatimDuckDB,
    nodes=extended(
        RICH,
        ((exp.Select,), "qualify sample operation_modifiers"),
        ((exp.Qualify,), "this"),
        ((exp.Union, exp.Except, exp.Intersect), "by_name"),
        ((exp.Group,), "all"),
        ((exp.Star,), "except_ replace rename"),
        (
            (exp.Pivot,),
            "this expressions using group unpivot into fields alias columns include_nulls pivot_column_naming",
        ),
        ((exp.UnpivotColumns,), "this expressions"),
        ((exp.PivotAlias,), "this alias"),
        ((exp.Table, exp.Subquery), "pivots"),
        ((exp.Distinct,), "on"),
        ((exp.Lambda,), "this expressions"),
        ((exp.Comprehension,), "this expression position iterator condition"),
        ((exp.Struct,), "expressions"),
        ((exp.Map,), "keys values"),
        ((exp.ToMap,), "this"),
        ((exp.PropertyEQ, exp.Kwarg, exp.Glob, exp.StartsWith), "this expression"),
        ((exp.ArrayContainsAll, exp.ArrayContainedBy, exp.ArrayOverlaps), "this expression"),
        ((exp.TryCast,), "this to safe"),
        ((exp.Limit,), "limit_options"),
        ((exp.Abs,), "this"),
    ),
    functions="duckdb",
    default_schema="main",
    table_functions={
        "range": ("",),
        "generate_series": ("",),
        "unnest": ("",),
        "json_each": JSON_TABLE,
        "json_tree": JSON_TABLE,
        "repeat": ("",),
    },
    row_ids=("rowid",),
    types=ORDINARY_TYPES,
    join_words=frozenset({"SEMI", "ANTI", "ASOF", "POSITIONAL"}),
    whole_rows=True,
    near_rows=frozenset({"select", "where", "group"}),
    unions_repeat=True,
    implicit_lateral=True,
    explain=("EXPLAIN ANALYZE", "EXPLAIN"),
    explain_options=True,
    lateral_aliases=True,
    structs=True,
    fence=(exp.Limit, 2**63 - 1),
)
