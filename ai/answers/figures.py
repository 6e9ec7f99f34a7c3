"""Checked numbers: each figure of a text is bound to a cell of the result, an aggregate of cells, or arithmetic on them.

The text is taken apart into sentences with their numbers, dates and names (`scene`); a figure is bound when some value that
its sentence may mean (`arithmetic`, `counts`) is the one that is said (`fitting`). What is bound to nothing is wrong, or at
least not proved, and must not be shown. Claims about order are held against the rows as well (`claims`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ai.answers.arithmetic import amounts
from ai.answers.claims import wrong_claims
from ai.answers.counts import counts, counts_another_list
from ai.answers.facts import Facts, facts, facts_of
from ai.answers.fitting import Candidate, fits
from ai.answers.limits import all_named_are_beyond, is_beyond, limit_holds
from ai.answers.mentions import days, in_order, mentions
from ai.answers.moments import Dated, Moment, dates, moment_of
from ai.answers.numerals import Numeral, numerals
from ai.answers.plain_text import PlainText, Span, plain_text, sentences
from ai.answers.ratios import multiples
from ai.answers.scene import Scene
from ai.answers.shares import shares
from ai.results.table import ResultTable

_CODE_NAME = re.compile(r"(?<![\w.-])([A-Za-z]+-?)\d+(?![\w%]|\.\d)")
_ZERO_ROWS = re.compile(r"\b(?:no|none|zero|nothing)\b", re.IGNORECASE)
HOLE = "_"  # stands where a name or a date was; it is part of no number


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of the figures of a text; places are in the text as it was given, Markdown and all."""

    ok: bool
    unbound: tuple[Span, ...]
    bound: tuple[Span, ...]


def check(text: str, result: ResultTable | Facts, *, question: str = "", allowed: Iterable[str] = ()) -> Checked:
    """Bind each figure of a text about a result. Figures of the question, and `allowed` ones, may be repeated."""
    known = result if isinstance(result, Facts) else facts_of(result)
    plain = plain_text(text)
    asked = _asked("\n".join([question, *allowed]))
    bound: list[Span] = []
    unbound: list[Span] = []
    for scene in scenes(plain.text, known):
        for span, holds in _judged(scene, asked):
            (bound if holds else unbound).append(_in_markdown(span, plain))
    return Checked(not unbound, tuple(dict.fromkeys(unbound)), tuple(bound))


def check_rows(text: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], *, question: str = "") -> Checked:
    """The same for a result given as names of columns and rows."""
    return check(text, facts(columns, rows), question=question)


def scenes(text: str, known: Facts) -> tuple[Scene, ...]:
    """The sentences of a text that is no longer Markdown, taken apart."""
    names = mentions(text, known)
    masked = _masked(text, [*((m.start, m.end) for m in names), *_column_names(text, known)])
    dated = tuple(d for d in dates(masked) if not _is_number(d, known))
    named = in_order([*names, *days(dated, known)])
    masked = _masked(masked, [(d.start, d.end) for d in dated])
    numbers = numerals(masked)
    whole = tuple(Span(m.start, m.end, "") for m in named) + tuple(Span(n.start, n.end, "") for n in numbers)
    return tuple(
        Scene(
            known,
            text,
            part.start,
            part.end,
            tuple(m for m in named if part.start <= m.start < part.end),
            tuple(n for n in numbers if part.start <= n.start < part.end),
            tuple(d for d in dated if part.start <= d.start < part.end),
        )
        for part in sentences(text, whole)
    )


def _asked(said: str) -> frozenset[Decimal | Moment]:
    """The figures and the dates that may be repeated."""
    return frozenset(reading for dated in dates(said) for reading in dated.readings) | frozenset(
        reading.value for numeral in numerals(said) for reading in numeral.readings
    )


def _judged(scene: Scene, asked: frozenset[Decimal | Moment]) -> Iterator[tuple[Span, bool]]:
    """Each figure and each wrong claim of a sentence, and whether it holds."""
    for numeral in scene.numerals:
        repeated = numeral.readings[0].value in asked
        yield Span(numeral.start, numeral.end, numeral.text), repeated or is_bound(scene, numeral)
    for dated in scene.dated:
        if dated.has_digits or _has_months(scene.facts):
            holds = any(reading in asked for reading in dated.readings) or _is_dated(scene, dated)
            yield Span(dated.start, dated.end, dated.text), holds
    for claim in wrong_claims(scene):
        yield claim, False
    for name in _wrong_names(scene):
        yield name, False


def is_bound(scene: Scene, numeral: Numeral) -> bool:
    """Whether a number of a sentence says a value that the sentence may mean."""
    if (limited := limit_holds(scene, numeral)) is not None:
        return limited
    if counts_another_list(scene, numeral):
        return False
    return all_named_are_beyond(scene, numeral) and (_is_said(scene, numeral) or is_beyond(scene, numeral))


def _is_said(scene: Scene, numeral: Numeral) -> bool:
    kinds = {reading.kind for reading in numeral.readings}
    direction = _direction(scene, numeral)
    if any(fits(numeral, candidate, direction) for candidate in amounts(scene, numeral)):
        return True
    if "percent" in kinds or "points" in kinds:
        return any(fits(numeral, candidate, direction) for candidate in shares(scene, numeral))
    if "times" in kinds:
        return any(fits(numeral, candidate) for candidate in multiples(scene, numeral))
    if numeral.currency:
        return False
    return any(fits(numeral, Candidate(count)) for count in counts(scene, numeral))


def _direction(scene: Scene, numeral: Numeral) -> int:
    """Up or down as said of a change; a number that is reached ("fell to 5") is none, nor is one that is hedged."""
    before = scene.between(max(scene.start, numeral.start - 16), numeral.start)
    if re.search(r"\b(?:to|at|from|reached|hit|with)\s+(?:only |just |about |a )?[$€£(]?$", before):
        return 0
    return 0 if numeral.hedge in ("over", "under") and re.search(r"than\s+\S?$", before) else scene.direction(numeral)


def _is_dated(scene: Scene, dated: Dated) -> bool:
    """Whether a date is one of some row, of a column's name, or the first or the last of a period that rows cover."""
    if any(m.start == dated.start for m in scene.mentions):
        return True
    names = [moment for c in scene.facts.columns for moment in (moment_of(c.name), *map(_year, c.words)) if moment]
    cells = [m for c in scene.facts.columns if c.is_text for cell in c.cells for m in _moments_in(cell)]
    return any(reading.agrees(moment) for reading in dated.readings for moment in (*names, *cells))


def _moments_in(cell: object) -> Iterator[Moment]:
    if isinstance(cell, str):
        yield from (reading for dated in dates(cell) for reading in dated.readings)


def _year(word: str) -> Moment | None:
    return Moment(year=int(word)) if re.fullmatch(r"(?:19|20)\d\d", word) else moment_of(word)


def _is_number(dated: Dated, known: Facts) -> bool:
    """Whether what looks like a year, or a time, is a number: no date of the result has it, and a number does."""
    if not dated.bare_year:
        return False
    year = Moment(year=int(dated.text))
    named = any(dated.text in c.words for c in known.columns)
    if named or any(year.agrees(moment) for moment in known.moments):
        return False
    return any(int(dated.text) == number for c in known.measures for number in c.known) or not any(
        c.is_date for c in known.columns
    )


def _has_months(known: Facts) -> bool:
    return any(moment.month is not None for c in known.columns for moment in c.moments if moment)


def _column_names(text: str, known: Facts) -> Iterator[tuple[int, int]]:
    """Where the text has the name of a column that has digits in it."""
    for column in known.columns:
        if any(char.isdigit() for char in column.name) and not column.name.strip().isdigit():
            spaced = r"[\s_-]+".join(map(re.escape, re.split(r"[\s_-]+", column.name)))
            yield from ((m.start(), m.end()) for m in re.finditer(rf"(?<!\w){spaced}(?!\w)", text, re.IGNORECASE))


def _wrong_names(scene: Scene) -> Iterator[Span]:
    """Names such as "S4" of a family that the result has others of: "S1", "S3"."""
    named = {(m.start, m.end) for m in scene.mentions}
    texts = [cell for c in scene.facts.names for cell in c.cells if isinstance(cell, str)]
    families = {m[1] for text in texts for m in _CODE_NAME.finditer(text)}
    known = {m.group() for text in (*texts, *(c.name for c in scene.facts.columns)) for m in _CODE_NAME.finditer(text)}
    for found in _CODE_NAME.finditer(scene.text):
        place = scene.start + found.start(), scene.start + found.end()
        inside = any(start <= place[0] and place[1] <= end for start, end in named)
        dated = any(d.start <= place[0] < d.end for d in scene.dated)
        if found[1] in families and found.group() not in known and not inside and not dated:
            yield Span(*place, found.group())


def _masked(text: str, places: Iterable[tuple[int, int]]) -> str:
    """The text with holes where names and dates are; a piece without digits stays, as hedges and units may be in it."""
    letters = list(text)
    for start, end in places:
        letters[start:end] = HOLE * (end - start)
    return "".join(letters)


def _in_markdown(span: Span, plain: PlainText) -> Span:
    start, end = plain.in_markdown(span.start, span.end)
    return Span(start, end, span.text)
