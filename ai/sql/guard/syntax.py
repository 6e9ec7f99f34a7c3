"""SQL text to tree and back: layers L0 and L1 bound the text and the parser, L6 writes."""

import re

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.tokens import Token, TokenType

from ai.errors import SqlRefused
from ai.sql.grammars import MOST_TOKENS, Grammar

MAX_BYTES = 64 * 1024
MAX_WORK = 12_000  # words and signs, judged in about 0.2 seconds of processor time on a loaded machine
WORK = {
    **dict.fromkeys((TokenType.VAR, TokenType.IDENTIFIER, TokenType.STAR), 2),
    **dict.fromkeys((TokenType.COMMA, TokenType.R_PAREN), 0),
}
MAX_BRACKETS = 100  # subscripts: the parser's work grows with their square
MAX_JOINS = 256  # words; one takes the parser as long as twenty others
PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
EXECUTABLE = re.compile(r"\s*(M?!|\+.*\b(set_var|resource_group)\b)", re.IGNORECASE | re.DOTALL)
BASED = frozenset({TokenType.HEX_STRING, TokenType.BIT_STRING})
GLUED = re.compile(r"[A-Za-z_]")
EXPLAIN_OPTIONS = frozenset(
    "ANALYZE VERBOSE COSTS BUFFERS TIMING SUMMARY FORMAT TEXT JSON XML YAML GRAPHVIZ HTML TRUE FALSE ON OFF ,".split()
)


def read_sql(sql: str, grammar: Grammar) -> tuple[str, exp.Expr]:
    """Parse one statement; return the words asking for its plan and its tree, or raise `SqlRefused`."""
    _check_text(sql)
    syntax = grammar.syntax()
    try:
        tokens = syntax.tokenize(sql)
        _check_work(tokens)
        _check_comments(tokens, grammar)
        tokens = tokens if grammar.runs_comments else _whole_numbers(tokens, sql)  # 0x1F is text to MySQL
        explain, tokens = _peel_explain(tokens, grammar)
        trees = [tree for tree in syntax.parser().parse(tokens, sql) if not isinstance(tree, exp.Semicolon | None)]
    except RecursionError:
        raise SqlRefused("The SQL is nested too deeply; write it flatter, for example with WITH.", "L1") from None
    except (SqlglotError, ValueError) as error:
        raise SqlRefused(f"This is not SQL that {grammar.label} can run: {_first_line(error)}", "L1") from None
    if len(trees) != 1:
        raise SqlRefused(f"Exactly one statement may run at a time; this is {len(trees) or 'none'}.", "L1")
    return explain, trees[0]


def read_expression(text: str, grammar: Grammar) -> exp.Expr:
    try:
        return grammar.syntax().parse_into(exp.Condition, text)[0] or exp.false()
    except (SqlglotError, ValueError) as error:
        found = _first_line(error).partition(" into <")[0]
        raise SqlRefused(f"The rights hold a condition that does not read: {found}", "L4") from None


def write_sql(tree: exp.Expr, grammar: Grammar, *, keep: bool = False) -> str:
    """Write a checked tree without comments, quoting unusual names, and names that the engine takes for calls.

    The tree is spent unless `keep`.
    """
    for name in tree.find_all(exp.Identifier):
        if name.name.lower() in grammar.niladic and not name.args.get("quoted"):
            name.set("this", grammar.column_key(name))
            name.set("quoted", True)
        elif not PLAIN_NAME.fullmatch(name.name):
            name.set("quoted", True)
    try:
        return grammar.syntax().generate(tree, copy=keep, comments=False, normalize_functions=False)
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


def _check_work(tokens: list[Token]) -> None:
    if len(tokens) > MOST_TOKENS or sum(WORK.get(token.token_type, 1) for token in tokens) > MAX_WORK:
        raise SqlRefused(f"The SQL has more than {MAX_WORK:,} words and signs; ask for less at once.", "L0")
    if sum(token.token_type is TokenType.L_BRACKET for token in tokens) > MAX_BRACKETS:
        raise SqlRefused(f"The SQL has more than {MAX_BRACKETS} square brackets; write it simpler.", "L0")
    if sum(token.token_type is TokenType.JOIN for token in tokens) > MAX_JOINS:
        raise SqlRefused(f"The SQL has more than {MAX_JOINS} joins; ask for less at once.", "L0")


def _check_comments(tokens: list[Token], grammar: Grammar) -> None:
    if grammar.runs_comments and any(EXECUTABLE.match(text) for token in tokens for text in token.comments):
        raise SqlRefused("A comment that the server would run (/*! … */) is not allowed; leave it out.", "L0")


def _whole_numbers(tokens: list[Token], sql: str) -> list[Token]:
    """Read `1_000`, `0x1F`, `0o17` and `0b11` as the numbers that they are; refuse other letters after a number."""
    whole: list[Token] = []
    for token in tokens:
        before = whole[-1] if whole else None
        written = sql[token.start : token.end + 1]
        if token.token_type in BASED and written[:1] == "0":
            token.token_type, token.text = TokenType.NUMBER, _number(written)
        elif (
            before and before.token_type is TokenType.NUMBER and before.end + 1 == token.start and GLUED.match(written)
        ):
            before.text, before.end = _number(sql[before.start : token.end + 1]), token.end
            continue
        whole.append(token)
    return whole


def _number(written: str) -> str:
    try:
        return str(int(written, 0 if written[1].lower() in "xob" else 10))
    except ValueError:
        raise SqlRefused(f"{written} is not a number; write it in plain digits.", "L1") from None


def _peel_explain(tokens: list[Token], grammar: Grammar) -> tuple[str, list[Token]]:
    words = [token.text.upper() for token in tokens]
    if words[:2] == ["EXPLAIN", "("] and ")" in words and grammar.explain_options:
        end = words.index(")")
        if EXPLAIN_OPTIONS.issuperset(words[2:end]):
            return f"EXPLAIN ({' '.join(words[2:end])})", tokens[end + 1 :]
    for phrase in grammar.explain:
        wanted = phrase.split()
        if words[: len(wanted)] == wanted:
            return phrase, tokens[len(wanted) :]
    return "", tokens


def _first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0].strip()
