"""SQL text to tree and back, without rewriting: what sqlglot would translate stays as it was written.

The readers here know no functions, so each call stays a call by its own name and the guard sees exactly what the engine
will see. They own the bounds on text and parser too (layers L0 and L1 of the guard); they judge nothing else.
"""

import re
from typing import Any, ClassVar

from sqlglot import exp, generator, parser
from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.dialects.sqlite import SQLite
from sqlglot.errors import SqlglotError
from sqlglot.generators.sqlite import SQLiteGenerator
from sqlglot.parsers.sqlite import SQLiteParser
from sqlglot.tokens import Token, TokenType

from ai.errors import SqlRefused
from ai.sql.dialects import Dialect

MAX_BYTES = 64 * 1024
MAX_NODES = 40_000
PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class SQLiteTokens(SQLite.Tokenizer):
    """Words of SQLite, none of which swallows the rest of the text unread."""

    KEYWORDS: ClassVar[dict[str, TokenType]] = {
        word: token for word, token in SQLite.Tokenizer.KEYWORDS.items() if word != "EXPLAIN"
    }
    COMMANDS: ClassVar[set[TokenType]] = set()


class SQLiteReader(SQLiteParser):
    """SQLite in which every call is anonymous, and which has no `::` and no JSON paths of its own."""

    FUNCTIONS: ClassVar[dict[str, Any]] = {}
    FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {"CAST": parser.Parser.FUNCTION_PARSERS["CAST"]}
    NO_PAREN_FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {"CASE": parser.Parser.NO_PAREN_FUNCTION_PARSERS["CASE"]}
    LAMBDAS: ClassVar[dict[TokenType, Any]] = {}  # or `max(a -> 'b')` would not be JSON
    JOINS_HAVE_EQUAL_PRECEDENCE = False  # would turn a comma into CROSS JOIN, which forbids SQLite to reorder
    COLUMN_OPERATORS: ClassVar[dict[Any, Any]] = {
        token: build for token, build in SQLiteParser.COLUMN_OPERATORS.items() if token is not TokenType.DCOLON
    }
    CONCAT_OPERATORS: ClassVar[dict[TokenType, Any]] = {
        **SQLiteParser.CONCAT_OPERATORS,
        TokenType.ARROW: lambda _, this, path: exp.JSONExtract(this=this, expression=path),
        TokenType.DARROW: lambda _, this, path: exp.JSONExtractScalar(this=this, expression=path),
    }

    def _parse_term(self, parse_mod: bool = True) -> exp.Expr | None:  # noqa: ARG002 - in LIMIT too, % is no per cent
        return super()._parse_term()


class SQLiteWriter(SQLiteGenerator):
    """SQLite in which a CAST keeps its type, since SQLite decides by the letters of its name."""

    TYPE_MAPPING: ClassVar[dict[Any, Any]] = {exp.DType.VARBINARY: "BLOB"}  # what sqlglot reads BLOB as

    def cast_sql(self, expression: exp.Cast, safe_prefix: str | None = None) -> str:
        """CAST as it was written, not as the date function that sqlglot makes of some."""
        return generator.Generator.cast_sql(self, expression, safe_prefix)


class VerbatimSQLite(SQLite):
    """SQLite without sqlglot's improvements: functions, casts, JSON paths and comma joins stay what they are."""

    Tokenizer = SQLiteTokens
    Parser = SQLiteReader
    Generator = SQLiteWriter


SYNTAXES: dict[str, type[SqlglotDialect]] = {"sqlite": VerbatimSQLite}


def read_sql(sql: str, dialect: Dialect) -> tuple[str, exp.Expr]:
    """The words that ask for a plan ("" mostly) and the tree of the one statement; `SqlRefused` when it is not one."""
    _check_text(sql)
    syntax = SYNTAXES[dialect.name]()
    try:
        tokens = syntax.tokenize(sql)
        explain, tokens = _peel_explain(tokens, dialect)
        trees = [
            tree
            for tree in syntax.parser(max_nodes=MAX_NODES).parse(tokens, sql)
            if not isinstance(tree, exp.Semicolon | None)
        ]
    except RecursionError:
        raise SqlRefused("The SQL is nested too deeply; write it flatter, for example with WITH.", "L1") from None
    except (SqlglotError, ValueError) as error:
        raise SqlRefused(f"This is not SQL that {dialect.label} can run: {_first_line(error)}", "L1") from None
    if len(trees) != 1:
        raise SqlRefused(f"Exactly one statement may run at a time; this is {len(trees) or 'none'}.", "L1")
    return explain, trees[0]


def write_sql(tree: exp.Expr, dialect: Dialect) -> str:
    """The SQL of a checked tree: comments dropped, names quoted wherever they are not plain ASCII words."""
    for name in tree.find_all(exp.Identifier):
        if not PLAIN_NAME.fullmatch(name.name):
            name.set("quoted", True)
    syntax = SYNTAXES[dialect.name]()
    try:
        return syntax.generate(tree, comments=False, normalize_functions=False)
    except RecursionError:
        raise SqlRefused("The SQL is nested too deeply; write it flatter, for example with WITH.", "L6") from None


def _check_text(sql: str) -> None:
    if "\0" in sql:
        raise SqlRefused("The SQL holds a NUL character; remove it.", "L0")
    try:
        size = len(sql.encode("utf-8"))
    except UnicodeEncodeError:
        raise SqlRefused("The SQL holds half of a character; write it again in plain text.", "L0") from None
    if size > MAX_BYTES:
        raise SqlRefused(f"The SQL is longer than {MAX_BYTES // 1024} KB; ask for less at once.", "L0")


def _peel_explain(tokens: list[Token], dialect: Dialect) -> tuple[str, list[Token]]:
    for phrase in dialect.explain:
        words = phrase.split()
        if [token.text.upper() for token in tokens[: len(words)]] == words:
            return phrase, tokens[len(words) :]
    return "", tokens


def _first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0].strip() or "it does not read"
