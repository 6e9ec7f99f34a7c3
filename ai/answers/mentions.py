"""Where a text names rows of a result: by a text cell, by a part of a name that no other row has, or by a date."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ai.answers.facts import Column, Facts, number_of
from ai.answers.moments import MONTHS, Dated

_PERSON = re.compile(r"[A-Z][^\W\d_]+ [A-Z][^\W\d_]+")
GAP = r"[\s_–-]+"
MOST_NAMES = 2_000
SHORT = 3  # letters of a name that is taken only as it is written: "US" is not "us"
_COMMON = frozenset(
    "total other others all none new unknown average more most less than with from this that they have were only over under rows each".split()
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A piece of a text that names the rows of a column's value."""

    start: int
    end: int
    column: Column
    rows: frozenset[int]


def mentions(text: str, facts: Facts, dated: Iterable[Dated]) -> tuple[Mention, ...]:
    """The mentions in a text in their order. One piece may name the values of several columns."""
    names = [mention for column in facts.columns if column.is_text for mention in _named(text, column)]
    keys = [
        mention for column in facts.columns if column.is_key and not column.is_text for mention in _keyed(text, column)
    ]
    found = _longest([*names, *keys])
    parts = [m for column in facts.columns if column.is_text for m in _in_part(text, column) if not _inside(m, found)]
    days = [m for date in dated for m in _days(date, facts) if not _inside(m, found)]
    return tuple(sorted([*found, *_longest(parts), *days], key=lambda m: (m.start, -m.end, m.column.place)))


def _values(column: Column) -> dict[str, frozenset[int]]:
    """The texts of a column and the rows of each."""
    rows: dict[str, list[int]] = {}
    for row, cell in enumerate(column.cells):
        if isinstance(cell, str) and cell.strip():
            rows.setdefault(cell.strip(), []).append(row)
    return {value: frozenset(at) for value, at in list(rows.items())[:MOST_NAMES]}


def _named(text: str, column: Column) -> Iterator[Mention]:
    for value, rows in _values(column).items():
        if number_of(value) is not None:
            continue
        spelled = GAP.join(re.escape(part) for part in re.split(GAP, value) if part)
        flags = re.IGNORECASE if len(value) > SHORT else 0
        for match in re.finditer(rf"(?<!\w){spelled}(?:e?s)?(?!\w)", text, flags):
            yield Mention(match.start(), match.end(), column, rows)


def _keyed(text: str, column: Column) -> Iterator[Mention]:
    """Numbers that name rows, with the name of their column before them: "store 12", "#12"."""
    noun = re.escape(column.words[0] if column.words[-1] in ("id", "no", "nr", "number") else column.words[-1])
    for match in re.finditer(rf"(?<!\w)(?:{noun}s?\s+#?|#)(\d+)(?!\w|[.,]\d)", text, re.IGNORECASE):
        rows = frozenset(row for row, number in enumerate(column.numbers) if number == int(match[1]))
        if rows:
            yield Mention(match.start(), match.end(), column, rows)


def _in_part(text: str, column: Column) -> Iterator[Mention]:
    """Parts of names that only one value has: "Schmidt" of "Anna Schmidt"."""
    owners: dict[str, list[frozenset[int]]] = {}
    people = all(_PERSON.fullmatch(value) for value in _values(column))
    for value, rows in _values(column).items():
        words = set(re.findall(r"[^\W\d_]{4,}", value)) | ({value.split()[0]} if people else set())
        for word in words if len(re.findall(r"\w+", value)) > 1 else ():
            owners.setdefault(word.lower(), []).append(rows)
    for match in re.finditer(r"(?<![\w-])[^\W\d_]{2,}(?![\w-])", text):
        word = match.group().lower()
        telling = word not in _COMMON and word not in MONTHS and word not in column.words
        if match.group()[0].isupper() and telling and len(owners.get(word, ())) == 1:
            yield Mention(match.start(), match.end(), column, owners[word][0])


def _days(dated: Dated, facts: Facts) -> Iterator[Mention]:
    column = next((c for c in facts.columns if c.is_date), None)
    if column is None:
        return
    rows = frozenset(
        row for row in range(facts.held) if any(reading.agrees(facts.moment(row)) for reading in dated.readings)
    )
    if rows:
        yield Mention(dated.start, dated.end, column, rows)


def _longest(found: Iterable[Mention]) -> list[Mention]:
    """Without the mentions that stand inside a longer one."""
    kept: list[Mention] = []
    for mention in sorted(found, key=lambda m: m.start - m.end):
        if not _inside(mention, kept):
            kept.append(mention)
    return kept


def _inside(mention: Mention, others: Iterable[Mention]) -> bool:
    same = (mention.start, mention.end)
    return any(o.start < mention.end and mention.start < o.end and (o.start, o.end) != same for o in others)
