"""Chunks: the words of a question, grouped into phrases, each with everything that it may stand for.

`chunk` takes the longest known phrase at each place; `settle` then chooses, for each phrase, the table, column or value
that lies nearest to everything else the question names. Neither decides what a phrase does in the sentence.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ai.nl2sql.dates import Span, date_phrase
from ai.nl2sql.grammar import Sign, SignKind, signs
from ai.nl2sql.lexicon import PARTIAL, VAGUE, Lexicon, Sense
from ai.nl2sql.words import Word, scaled

_STEP = 0.5  # what one join costs against a less exact name
_TIE = 0.05
_SILENT: frozenset[SignKind] = frozenset({"filler", "is", "that", "have", "list", "and", "followup", "everything"})


@dataclass(frozen=True, slots=True)
class Chunk:
    """One phrase. After `settle`, `table` and `column` are single, and `values` holds more than one only if undecided."""

    text: str
    signs: tuple[Sign, ...] = ()
    senses: tuple[Sense, ...] = ()
    span: Span | None = None
    number: int | float | None = None
    quoted: bool = False
    note: str = ""
    table: Sense | None = None
    columns: tuple[Sense, ...] = ()
    values: tuple[Sense, ...] = ()

    def sign(self, kind: SignKind) -> str | None:
        """The value of this kind of sign, or None when the phrase is no such sign."""
        return next((sign.value for sign in self.signs if sign.kind == kind), None)

    @property
    def column(self) -> Sense | None:
        return self.columns[0] if self.columns else None

    @property
    def names_table(self) -> str | None:
        """The table that the phrase surely names."""
        return self.table.table if self.table and self.table.cost < VAGUE else None

    @property
    def rather_table(self) -> bool:
        """Whether the phrase names a table at least as well as a column."""
        return bool(self.table and (self.column is None or self.table.cost <= self.column.cost))

    @property
    def rather_column(self) -> bool:
        """Whether the phrase is a better name of a column than of a table."""
        return bool(self.column and (self.table is None or self.column.cost < self.table.cost))

    @property
    def silent(self) -> bool:
        """A closed-class phrase that adds nothing when it stands alone."""
        return bool(self.signs) and any(sign.kind in _SILENT for sign in self.signs) and not self.quoted

    @property
    def unknown(self) -> bool:
        """Nothing that we know: perhaps a literal, perhaps something that we cannot answer."""
        return not (self.signs or self.senses or self.span or self.number is not None)


def chunk(words: Sequence[Word], lexicon: Lexicon, today: date) -> tuple[Chunk, ...]:
    """Cut the words into the longest phrases that mean something; a single word may stay unknown."""
    chunks: list[Chunk] = []
    at = 0
    while at < len(words):
        length, found = _longest(words[at:], lexicon, today)
        chunks.append(found)
        at += length
    return tuple(chunks)


def _longest(words: Sequence[Word], lexicon: Lexicon, today: date) -> tuple[int, Chunk]:
    dated = date_phrase(words, today)
    for length in range(min(lexicon.longest, len(words)), 0, -1):
        said = words[:length]
        key = tuple(word.key for word in said)
        if length > 1 and any(word.quoted for word in said):
            continue
        found = Chunk(
            " ".join(word.text for word in said),
            signs=() if said[0].quoted or lexicon.defines(key) else signs().get(key, ()),
            senses=_senses(said, key, lexicon),
            span=dated.span if dated and dated.length == length and not _modal(said) else None,
            quoted=said[0].quoted,
        )
        if found.signs or found.senses or found.span:
            return length, _with_number(found, words) if length == 1 else found
    return _alone(words, lexicon)


def _senses(said: Sequence[Word], key: tuple[str, ...], lexicon: Lexicon) -> tuple[Sense, ...]:
    """What the words name. A closed-class word names something only by a whole name, and a value only in capitals."""
    if said[0].quoted:
        return lexicon.senses(tuple(part for word in key for part in word.split()))
    senses = lexicon.senses(key)
    if not senses and len(key) > 2 and "of" in key[1:-1]:
        senses = tuple(s for s in lexicon.senses(tuple(word for word in key if word != "of")) if s.value is None)
    if len(said) == 1 and key in signs() and not lexicon.defines(key):
        limit = 0.01 if any(sign.kind in ("filler", "is") for sign in signs()[key]) else PARTIAL
        return tuple(s for s in senses if (s.cost < limit if s.value is None else said[0].text.isupper()))
    return senses


def _modal(said: Sequence[Word]) -> bool:
    """“may” is a month only with a capital or with a word before it."""
    return len(said) == 1 and said[0].text == "may"


def _with_number(found: Chunk, words: Sequence[Word]) -> Chunk:
    return replace(found, number=words[0].number)


def _alone(words: Sequence[Word], lexicon: Lexicon) -> tuple[int, Chunk]:
    """A number, a misspelt word that must mean a known one, or an unknown word."""
    word = words[0]
    number = scaled(word, words[1] if len(words) > 1 else None)
    if number:
        value, length = number
        return length, Chunk(
            " ".join(w.text for w in words[:length]), number=int(value) if value == int(value) and length > 1 else value
        )
    meant = None if word.quoted else lexicon.nearest(word.key)
    if meant:
        note = f"“{word.text}” was read as “{meant}”"
        return 1, Chunk(word.text, senses=lexicon.senses((meant,)), note=note)
    return 1, Chunk(word.text, quoted=word.quoted)


def settle(chunks: Sequence[Chunk], lexicon: Lexicon, context: Iterable[str] = ()) -> tuple[Chunk, ...]:
    """Choose between the senses of each phrase. `context` names tables that the conversation is already about."""
    anchor = _anchor(chunks, lexicon, tuple(context))
    if anchor is None:
        return tuple(chunks)
    tabled = [replace(c, table=_best([s for s in c.senses if s.column is None], lexicon, (anchor,))) for c in chunks]
    anchors = (anchor, *dict.fromkeys(table for c in tabled if (table := c.names_table)))
    return tuple(_settled(at, tabled, lexicon, anchors) for at in range(len(tabled)))


def _settled(at: int, chunks: Sequence[Chunk], lexicon: Lexicon, anchors: tuple[str, ...]) -> Chunk:
    here = chunks[at]
    beside = {c.table.table for c in _neighbours(at, chunks) if c.table}
    columns = _closest([s for s in here.senses if s.column and s.value is None], lexicon, anchors, beside)
    values = _closest([s for s in here.senses if s.value is not None], lexicon, anchors, beside)
    return replace(here, columns=columns, values=values)


def _neighbours(at: int, chunks: Sequence[Chunk]) -> Iterable[Chunk]:
    """The nearest phrase that is not silent, on each side."""
    for side in (range(at + 1, len(chunks)), range(at - 1, -1, -1)):
        loud = next((chunks[i] for i in side if not chunks[i].silent), None)
        if loud:
            yield loud


def _anchor(chunks: Sequence[Chunk], lexicon: Lexicon, context: tuple[str, ...]) -> str | None:
    """The table from which everything that is named lies nearest; of equals, the one the conversation is about."""
    tables = dict.fromkeys((*context[:1], *(sense.table for c in chunks for sense in c.senses)))

    def total(table: str) -> float:
        near = sum(min((_cost(s, lexicon, (table,)) for s in c.senses), default=0.0) for c in chunks)
        named = any(s.table == table and s.column is None and s.cost < VAGUE for c in chunks for s in c.senses)
        return near - 0.3 * (table in context) - 0.2 * named

    return min(tables, key=total, default=None)


def _cost(sense: Sense, lexicon: Lexicon, anchors: tuple[str, ...]) -> float:
    return sense.cost + _STEP * min(lexicon.links.distance(a, sense.table) for a in anchors)


def _best(senses: list[Sense], lexicon: Lexicon, anchors: tuple[str, ...]) -> Sense | None:
    return min(senses, key=lambda sense: 3 * sense.cost + _cost(sense, lexicon, anchors), default=None)


def _closest(senses: list[Sense], lexicon: Lexicon, anchors: tuple[str, ...], beside: set[str]) -> tuple[Sense, ...]:
    """The senses of least cost: those in a table named right beside the phrase, then those near to the anchors."""

    def cost(sense: Sense) -> float:
        return _cost(sense, lexicon, anchors) - (sense.table in beside) + 0.06 * (sense.table not in anchors[:1])

    ranked = sorted(senses, key=cost)
    return tuple(sense for sense in ranked if cost(sense) - cost(ranked[0]) < _TIE)
