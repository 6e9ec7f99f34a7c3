"""Where a text names rows of a result: by a text cell, by a part of a name that no other row has, or by a date."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

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


def mentions(text: str, facts: Facts) -> tuple[Mention, ...]:
    """The names of rows in a text. One piece may name the values of several columns."""
    names = [mention for column in facts.columns if column.is_text for mention in _named(text, column)]
    keys = [
        mention for column in facts.columns if column.is_key and not column.is_text for mention in _keyed(text, column)
    ]
    found = _longest([*names, *keys])
    parts = [m for column in facts.columns if column.is_text for m in _in_part(text, column) if not _inside(m, found)]
    return (*found, *_longest(parts))


def in_order(found: Iterable[Mention]) -> tuple[Mention, ...]:
    """Mentions as they stand in their text, the longer one first where two begin at one place."""
    return tuple(sorted(found, key=lambda m: (m.start, -m.end, m.column.place)))


def _named(text: str, column: Column) -> Iterator[Mention]:
    for value, rows in islice(column.texts.items(), MOST_NAMES):
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
    values = dict(islice(column.texts.items(), MOST_NAMES))
    people = all(_PERSON.fullmatch(value) for value in values)
    for value, rows in values.items():
        words = set(re.findall(r"[^\W\d_]{4,}", value)) | ({value.split()[0]} if people else set())
        for word in words if len(re.findall(r"\w+", value)) > 1 else ():
            owners.setdefault(word.lower(), []).append(rows)
    for match in re.finditer(r"(?<![\w-])[^\W\d_]{2,}(?![\w-])", text):
        word = match.group().lower()
        telling = word not in _COMMON and word not in MONTHS and word not in column.words
        if match.group()[0].isupper() and telling and len(owners.get(word, ())) == 1:
            yield Mention(match.start(), match.end(), column, owners[word][0])


def days(dated: Iterable[Dated], facts: Facts) -> Iterator[Mention]:
    """The dates of a text that rows have."""
    column = next((c for c in facts.columns if c.is_date), None)
    for date in dated if column else ():
        rows = frozenset(row for row, at in enumerate(facts.moments) if any(said.agrees(at) for said in date.readings))
        if column and rows:
            yield Mention(date.start, date.end, column, rows)


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
