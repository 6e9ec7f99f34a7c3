"""Reading without rewriting: what all readers have in common.

A reader knows no functions, so each call keeps its name and the guard sees what the engine will see. Only calls with a
syntax of their own (CAST, EXTRACT …) become nodes of their own. No word swallows the rest of the text unread.
"""

from typing import Any, ClassVar, cast

from sqlglot import exp, parser
from sqlglot.dialects.dialect import Dialect
from sqlglot.tokenizer_core import TokenizerCore
from sqlglot.tokens import Tokenizer, TokenType

FUNCTION_PARSERS: dict[str, Any] = parser.Parser.FUNCTION_PARSERS
WITH_WORDS_INSIDE = ("CAST", "EXTRACT", "POSITION", "SUBSTRING", "TRIM")
JSON_ARROWS: dict[TokenType, Any] = {
    TokenType.ARROW: lambda _, this, path: exp.JSONExtract(this=this, expression=path),
    TokenType.DARROW: lambda _, this, path: exp.JSONExtractScalar(this=this, expression=path),
}
CONSTRUCTORS = frozenset({"ARRAY", "LIST"})
NOT_READ = frozenset({"EXPLAIN", "/*+"})
MOST_TOKENS = 24_000  # read of a text; a query with more is beyond the work that the guard allows


class BoundedCore(TokenizerCore):
    """Reads no token beyond `MOST_TOKENS`."""

    __slots__ = ()

    def _add(self, token_type: TokenType, text: str | None = None) -> None:
        super()._add(token_type, text)
        if len(self.tokens) > MOST_TOKENS:
            self.size = self._current
            self._end = True


class Bounded:
    """A tokenizer with a bounded core."""

    __slots__ = ()

    def _init_core(self) -> TokenizerCore:
        core: TokenizerCore = super()._init_core()  # type: ignore[misc]
        core.__class__ = BoundedCore
        return core


class Typed(exp.Cast):
    """A value with its type before it, `DATE '2026-11-23'`, which is no cast to every engine."""


class Plus(exp.Unary):
    """A plus before a value; it makes a text a number, and takes a column's type away on SQLite."""


class Quiet(parser.Parser):
    """A parser without warnings: unknown statements are refused anyway."""

    TYPED: ClassVar[frozenset[str] | None] = None  # types that may stand before a text; None for all

    def _warn_unsupported(self) -> None:
        pass

    def _parse_unary(self) -> exp.Expr | None:
        return Plus(this=self._parse_unary()) if self._match(TokenType.PLUS) else super()._parse_unary()

    def _parse_type(self, parse_interval: bool = True, fallback_to_identifier: bool = False) -> exp.Expr | None:
        """Read `DATE 'x'::text` as the text of a date; sqlglot reads a date of a text."""
        if self._curr and self._curr.token_type in self.TYPE_TOKENS and self._curr.token_type != TokenType.INTERVAL:
            index = self._index
            kind = self._parse_types(check_func=True, allow_identifiers=False)
            if isinstance(kind, exp.DataType) and self._match(TokenType.STRING, advance=False):
                if self.TYPED is not None and str(kind.this.name) not in self.TYPED:
                    self.raise_error("A name cannot stand before a text; write AS between them")
                return self._parse_column_ops(Typed(this=self._parse_primary(), to=kind))
            self._retreat(index)
        return super()._parse_type(parse_interval, fallback_to_identifier)

    def _parse_interval(self, require_interval: bool = True, parse_function_unit: bool = True) -> Any:  # noqa: ARG002
        """Read amount and unit as written; sqlglot takes `'1 day ago'` for a day, and `+ 1` after it for one more."""
        index, units = self._index, self.dialect.VALID_INTERVAL_UNITS
        if not self._match(TokenType.INTERVAL) and require_interval:
            return None
        amount = self._parse_primary() if self._match(TokenType.STRING, advance=False) else self._parse_term()
        is_unit = self._curr is not None and self._curr.text.upper() in units
        is_name = isinstance(amount, exp.Column) and not amount.table and not amount.this.quoted
        if amount is None or (is_name and not is_unit):
            self._retreat(index)
            return None
        unit: exp.Expr | None = self._parse_var(any_token=True, upper=True) if is_unit else None
        if unit and self._match_text_seq("TO"):
            unit = exp.IntervalSpan(this=unit, expression=self._parse_var(any_token=True, upper=True))
        return exp.Interval(this=amount, unit=unit)

    def _parse_quantified(self, kind: type[exp.Expr]) -> exp.Expr:
        """Read `ALL (…)` over an array or a query; sqlglot reads arrays of ANY alone."""
        if self._curr and self._curr.token_type in {*self.SUBQUERY_TOKENS, TokenType.VALUES}:
            return kind(this=self._parse_select())
        return kind(this=exp.Paren(this=self._parse_disjunction()))

    def _parse_bracket(self, this: exp.Expr | None = None) -> exp.Expr | None:
        """Read `list(x)[1]` and `"array"[1]` as subscripts; sqlglot takes the names for constructors of arrays."""
        read: Any = super()._parse_bracket
        if this is None or this.name.upper() not in CONSTRUCTORS or _is_constructor(this):
            return cast(exp.Expr | None, read(this))
        subscript = read(whole := exp.Paren(this=exp.Paren(this=this)))  # brackets around a text still have its name
        if subscript is whole:
            return this
        whole.replace(whole.this)
        return cast(exp.Expr, subscript)


def _is_constructor(node: exp.Expr) -> bool:
    word = node.this if isinstance(node, exp.Column) and not node.table else node
    is_word = isinstance(word, exp.Identifier | exp.Var) and not word.args.get("quoted")
    return is_word and word.name.upper() == "ARRAY"


def keywords(tokens: type[Tokenizer]) -> dict[str, TokenType]:
    """Return a dialect's words without EXPLAIN, peeled before parsing, and hints."""
    return {word: token for word, token in tokens.KEYWORDS.items() if word not in NOT_READ}


def spelled(reader: type[parser.Parser], *names: str) -> dict[str, Any]:
    """Return the dialect's parsers of calls with words inside their brackets."""
    return {
        name: reader.FUNCTION_PARSERS[name] for name in (*WITH_WORDS_INSIDE, *names) if name in reader.FUNCTION_PARSERS
    }


def without_arrows(lambdas: dict[TokenType, Any]) -> dict[TokenType, Any]:
    """Leave out `x -> …`: it would hide a column read as JSON."""
    return {token: build for token, build in lambdas.items() if token is not TokenType.ARROW}


def _interval(writer: Any, node: exp.Interval) -> str:
    amount, unit = writer.sql(node, "this"), writer.sql(node, "unit")
    amount = amount if isinstance(node.this, exp.Column | exp.Literal | exp.Neg | exp.Paren) else f"({amount})"
    return f"INTERVAL {amount} {unit}".rstrip()


AS_READ: dict[Any, Any] = {
    Typed: lambda self, e: f"{self.sql(e, 'to')} {self.sql(e, 'this')}",
    Plus: lambda self, e: f"+ {self.sql(e, 'this')}",
    exp.Interval: _interval,
    exp.IgnoreNulls: lambda self, e: f"{self.sql(e, 'this')} IGNORE NULLS",
    exp.RespectNulls: lambda self, e: f"{self.sql(e, 'this')} RESPECT NULLS",
}
QUANTIFIERS: dict[str, Any] = {
    "ALL": lambda self: self._parse_quantified(exp.All),
    "SOME": lambda self: self._parse_quantified(exp.Any),
}


def verbatim(base: type[Dialect]) -> type[Dialect]:
    """Derive a dialect with every call anonymous from one of sqlglot's."""
    tokens = type(
        "Tokens", (Bounded, base.tokenizer_class), {"KEYWORDS": keywords(base.tokenizer_class), "COMMANDS": set()}
    )
    reading = {
        "FUNCTIONS": {},
        "FUNCTION_PARSERS": spelled(base.parser_class),
        "LAMBDAS": without_arrows(base.parser_class.LAMBDAS),
    }
    reader = type("Reader", (Quiet, base.parser_class), reading)
    made = {"MULTI_ARG_DISTINCT": True, "TRANSFORMS": {**base.generator_class.TRANSFORMS, **AS_READ}}
    writer = type("Writer", (base.generator_class,), made)
    classes = {"Tokenizer": tokens, "Parser": reader, "Generator": writer}
    return type(f"Verbatim{base.__name__}", (base,), classes)
