"""Reading without rewriting: what all readers have in common.

A reader knows no functions, so each call keeps its name and the guard sees what the engine will see. Only calls with a
syntax of their own (CAST, EXTRACT …) become nodes of their own. No word swallows the rest of the text unread.
"""

from typing import Any, cast

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


class Quiet:
    """A parser without warnings: unknown statements are refused anyway."""

    def _warn_unsupported(self) -> None:
        pass

    def _parse_bracket(self, this: exp.Expr | None = None) -> exp.Expr | None:
        """Read `list(x)[1]` and `"array"[1]` as subscripts; sqlglot takes the names for constructors of arrays."""
        read: Any = super()._parse_bracket  # type: ignore[misc]
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
    classes = {"Tokenizer": tokens, "Parser": reader, "Generator": base.generator_class}
    return type(f"Verbatim{base.__name__}", (base,), classes)
