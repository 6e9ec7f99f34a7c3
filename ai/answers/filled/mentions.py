"""Names of the data in a model's own words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ai.answers.filled.sheet import UNADDED, ResultSheet
from ai.answers.filled.slots import Token
from ai.answers.formats import heading_words
from ai.language.formats import months_of
from ai.language.words import name_parts, plural, singular

SHORT = 3  # letters of a name taken only as it is written: "US" is not "us"
MOST_ROWS = 500
LETTER = r"[0-9A-Za-z\u00c0-\u024f]"
YEARLY = re.compile(r"[\s,]*(?:\bde )?(?:\b\d{4}年|\b\d{4}\b)")
YEAR = re.compile(r"(?:19|20)\d\d")
VAGUE = UNADDED | frozenset("amount value total sum n count cnt number num val result figure per of the in by".split())


@dataclass(frozen=True, slots=True)
class Mention:
    start: int
    end: int
    token: Token


def mentions_of(text: str, sheet: ResultSheet) -> list[Mention]:
    names: dict[str, Token] = {}
    for name, token in (*_columns(sheet), *_labels(sheet)):
        known = names.get(name)
        rows = (*(known.rows if known and known.column == token.column else ()), *token.rows)
        names[name] = Token(name, token.role, tuple(dict.fromkeys(rows)), token.column)
    found: list[Mention] = []
    for name, token in sorted(names.items(), key=lambda each: -len(each[0])):
        flags = re.NOFLAG if len(name) <= SHORT else re.IGNORECASE
        for match in re.finditer(_bounded(name), text, flags):
            if not any(each.start < match.end() and match.start() < each.end for each in found):
                found.append(Mention(match.start(), match.end(), token))
    return sorted(found, key=lambda each: each.start)


def _bounded(name: str) -> str:
    """Let a name end where another script begins."""
    starts, ends = (bool(re.match(LETTER, each)) for each in (name[0], name[-1]))
    return rf"{f'(?<!{LETTER})' if starts else ''}{re.escape(name)}{f'(?!{LETTER})' if ends else ''}"


def _labels(sheet: ResultSheet) -> Iterator[tuple[str, Token]]:
    for at in sheet.labels:
        for row, cells in enumerate(sheet.rows[:MOST_ROWS]):
            for text in _spellings(sheet, row, at, cells[at]):
                yield text, Token(text, "label", (row,), at)


def _spellings(sheet: ResultSheet, row: int, at: int, cell: object) -> set[str]:
    kind = sheet.formats[at].kind
    if cell is None:
        return set()
    if kind in ("date", "month", "month number"):
        by = sheet.formats[at]
        shown = {str(cell), by.cell(cell), by.said(cell), sheet.written(row, at)}
        return shown | {name for text in shown for name in [YEARLY.sub("", text).strip()] if _is_name(name)}
    text = str(cell).strip()
    return {text} if _is_name(text) or YEAR.fullmatch(text) else set()


def _months(sheet: ResultSheet, at: int) -> set[str]:
    """Name a column of one month, `orders_sep`, by the month."""
    parts = [part[:3] for part in name_parts(sheet.names[at])]
    months = [name for short, name in months_of(sheet.locale) if short in parts]
    return set(months) if len(months) == 1 else set()


def _is_name(text: str) -> bool:
    return any(letter.isalpha() for letter in text)


def _columns(sheet: ResultSheet) -> Iterator[tuple[str, Token]]:
    """Name figures in full and by a word of their own."""
    labels = {part for at in sheet.labels for part in name_parts(sheet.names[at])}
    words = {at: [p for p in name_parts(sheet.names[at]) if p not in VAGUE] for at in sheet.figures}
    for at in sheet.figures:
        others = {part for other, parts in words.items() if other != at for part in parts} | labels
        own = [part for part in words[at] if part not in others and len(part) > SHORT]
        full = heading_words(sheet.names[at]).lower()
        for name in {*own, *_months(sheet, at), *map(plural, own), *map(singular, own), *([full] if words[at] else [])}:
            yield name, Token(name, "column", (), at)
