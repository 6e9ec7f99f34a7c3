"""Reading without rewriting, for any dialect of sqlglot: what the readers of this package have in common.

A reader here knows no functions, so each call stays a call by its own name and the guard sees exactly what the engine
will see. Only calls with a syntax of their own (CAST, EXTRACT …) become nodes of their own.
"""

from typing import Any

from sqlglot import exp, parser
from sqlglot.dialects.dialect import Dialect
from sqlglot.tokens import Tokenizer, TokenType

FUNCTION_PARSERS: dict[str, Any] = parser.Parser.FUNCTION_PARSERS
WITH_WORDS_INSIDE = ("CAST", "EXTRACT", "POSITION", "SUBSTRING", "TRIM")
JSON_ARROWS: dict[TokenType, Any] = {
    TokenType.ARROW: lambda _, this, path: exp.JSONExtract(this=this, expression=path),
    TokenType.DARROW: lambda _, this, path: exp.JSONExtractScalar(this=this, expression=path),
}
NOT_READ = frozenset({"EXPLAIN", "/*+"})


class Quiet:
    """Says nothing about statements that sqlglot does not know: they are refused, which says it better."""

    def _warn_unsupported(self) -> None:
        pass


def keywords(tokens: type[Tokenizer]) -> dict[str, TokenType]:
    """The words of a dialect, less EXPLAIN (peeled before parsing) and hints (comments, to all who do not obey them)."""
    return {word: token for word, token in tokens.KEYWORDS.items() if word not in NOT_READ}


def spelled(reader: type[parser.Parser], *names: str) -> dict[str, Any]:
    """The parsers of those calls that have words inside their brackets, as the dialect has them."""
    return {
        name: reader.FUNCTION_PARSERS[name] for name in (*WITH_WORDS_INSIDE, *names) if name in reader.FUNCTION_PARSERS
    }


def without_arrows(lambdas: dict[TokenType, Any]) -> dict[TokenType, Any]:
    """The ways to begin an argument, less `x -> …`: it would hide a column that JSON is taken out of."""
    return {token: build for token, build in lambdas.items() if token is not TokenType.ARROW}


def verbatim(base: type[Dialect]) -> type[Dialect]:
    """A dialect of sqlglot that reads every call as anonymous, for those dialects that have no reader of their own."""
    tokens = type("Tokens", (base.tokenizer_class,), {"KEYWORDS": keywords(base.tokenizer_class), "COMMANDS": set()})
    reading = {
        "FUNCTIONS": {},
        "FUNCTION_PARSERS": spelled(base.parser_class),
        "LAMBDAS": without_arrows(base.parser_class.LAMBDAS),
    }
    reader = type("Reader", (Quiet, base.parser_class), reading)
    classes = {"Tokenizer": tokens, "Parser": reader, "Generator": base.generator_class}
    return type(f"Verbatim{base.__name__}", (base,), classes)
