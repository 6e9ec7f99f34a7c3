"""The reader: a question becomes a lattice, a chart of constituents, n-best meanings, and a checked one of them.

What it cannot read to the last content word it does not answer: it gives a `Doubt` that names the words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from ai.nl2sql import sales
from ai.nl2sql.additivity import carried, settled
from ai.nl2sql.chart.cover import NARROW
from ai.nl2sql.choose import NO_SUM, Choice, Doubt, chosen, named
from ai.nl2sql.confidence.asking import doubted
from ai.nl2sql.confidence.derivation import Derivation
from ai.nl2sql.confidence.judging import asked_below, confidence
from ai.nl2sql.echo import echo
from ai.nl2sql.lexicon import Lexicon, lexicon_of
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.offers.nearest import nearest
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.rewording import in_own_words, respelled
from ai.nl2sql.sketching import LONGEST_TEXT, sketched, sketches, words_of
from ai.nl2sql.superiors import in_line
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.follow import followed
from ai.nl2sql.threads.fragments import best_of
from ai.nl2sql.threads.referents import usable, with_name
from ai.nl2sql.threads.steps import CONTINUES_NOTHING, Followed
from ai.nl2sql.threads.unanswered import gap
from ai.nl2sql.threads.unanswered.anew import restated
from ai.nl2sql.unspecific import QUESTION, meant, of_any_figure, of_growth
from ai.nl2sql.worth import more_sold, of_rows_before, of_these, speaks_of_money
from ai.nl2sql.writer import write_sql
from ai.sql.catalog import Catalog
from ai.sql.semantics import NO_SEMANTICS, Semantics

__all__ = [
    "Doubt",
    "ListPlace",
    "Reading",
    "place_said",
    "read",
    "reading_of",
    "reply_to",
]

MERE = 2  # words


@dataclass(frozen=True, slots=True)
class Reading:
    """A question read: its meaning, its SQL, the meaning in plain words, and what was assumed.

    `confidence` is how likely it is right; where too little, `doubt` is to be asked instead. `changes` tells an edit,
    `taken` what an open question before was taken for.
    """

    meaning: Meaning
    sql: str
    text: str
    assumptions: tuple[str, ...] = ()
    confidence: float = 1.0
    doubt: Doubt | None = None
    changes: bool = False
    taken: str = ""


class ListPlace(NamedTuple):
    """A place in a list, from 0, or from the end by -1."""

    said: str
    at: int


def place_said(text: str) -> ListPlace | None:
    """Return the place named by “the second one”, None without one."""
    found = signals.ONE.search(text)
    return ListPlace(found.group(), signals.PLACES[found["place"].lower()]) if found else None


def read(
    text: str,
    catalog: Catalog,
    today: date,
    previous: Meaning | None = None,
    semantics: Semantics = NO_SEMANTICS,
    earlier: Sequence[Meaning] = (),
    *,
    unanswered: tuple[str, ...] = (),
) -> Reading | Doubt:
    """Read one question; a follow-up edits `previous`, and `semantics` are definitions that fit the catalog.

    `earlier` are the meanings before that one, newest first. `unanswered` are the questions
    since then without an answer, newest first.
    """
    if previous is None:
        found = _first(text, lexicon_of(catalog, semantics), today, unanswered=unanswered)
    else:
        found = _weighed(derived(text, catalog, today, previous, semantics, earlier, unanswered=unanswered), today)
    return found if isinstance(found, Reading) else as_typed(found, text, lexicon_of(catalog, semantics))


def as_typed(doubt: Doubt, text: str, lexicon: Lexicon) -> Doubt:
    """Name the words of a doubt as they were typed."""
    reason = doubt.reason.replace(gap.shortened(respelled(text, lexicon)), gap.shortened(text))
    return replace(doubt, reason=in_own_words(reason, text, lexicon))


def derived(
    text: str,
    catalog: Catalog,
    today: date,
    previous: Meaning | None = None,
    semantics: Semantics = NO_SEMANTICS,
    earlier: Sequence[Meaning] = (),
    *,
    unanswered: tuple[str, ...] = (),
) -> Derivation | Doubt:
    """Read one question as `read` does; return how the reading was made."""
    lexicon = lexicon_of(catalog, semantics)
    if previous is None:
        return _derived(text, lexicon, today, unanswered=unanswered)
    known = usable(previous, lexicon) is not None
    before = tuple(meaning for meaning in (previous, *earlier) if known and usable(meaning, lexicon))
    return _derived(text, lexicon, today, before, unanswered=unanswered)


@lru_cache(maxsize=256)
def _first(text: str, lexicon: Lexicon, today: date, *, unanswered: tuple[str, ...]) -> Reading | Doubt:
    """Read a question without others before it; people ask the same ones again and again."""
    return _weighed(_derived(text, lexicon, today, unanswered=unanswered), today)


@lru_cache(maxsize=64)  # a turn reads its message several times, and again what its thread left open
def _derived(
    text: str, lexicon: Lexicon, today: date, before: tuple[Meaning, ...] = (), *, unanswered: tuple[str, ...]
) -> Derivation | Doubt:
    return _read(text, lexicon, today, before, unanswered=unanswered)


def _read(
    text: str, lexicon: Lexicon, today: date, before: Sequence[Meaning], *, unanswered: tuple[str, ...]
) -> Derivation | Doubt:
    """Read a message; one about money, of the amount of the rows shown before."""

    def edit(said: str) -> Derivation | None:
        made = _read_as_said(said, lexicon, today, before, unanswered=unanswered)
        return made if isinstance(made, Derivation) and made.before is not None else None

    found = _read_as_said(text, lexicon, today, before, unanswered=unanswered)
    spoken_of = of_rows_before(text, before[0], lexicon) if before and not unanswered else None
    if spoken_of and (isinstance(found, Doubt) or found.before is None) and (made := edit(spoken_of[0])):
        return replace(made, notes=(*made.notes, spoken_of[1]))
    if before and not unanswered and isinstance(found, Derivation) and found.before is None and _is_mere_money(text):
        return edit(f"and {found.text}") or found
    if not before or isinstance(found, Derivation) or found.reason != QUESTION:
        return found
    spoken = of_these(text, {before[0].root}, lexicon, lambda said: sketches(said, lexicon, today, before[0]))
    if spoken is None:
        alone = _read_as_said(text, lexicon, today, (), unanswered=())
        if isinstance(alone, Doubt):
            return found
        short = _is_mere_money(text)
        if made := edit(f"{'and ' * short}{alone.text}"):
            return made
        leans = short or signals.begins_leaning(text)  # “and revenue?” is never that of everything
        return found if leans else replace(alone, deep=len(before), lost=len(unanswered))
    again = _read_as_said(spoken.text, lexicon, today, before, unanswered=unanswered)
    if isinstance(again, Doubt):
        return found
    return replace(again, notes=(*again.notes, f"{spoken.word} is the {spoken.name}"))


def _is_mere_money(text: str) -> bool:
    """Whether a message only names money, and so goes on from what was said: “revenue?”."""
    return len(text.split()) <= MERE and speaks_of_money(text)


def _read_as_said(
    text: str, lexicon: Lexicon, today: date, before: Sequence[Meaning], *, unanswered: tuple[str, ...]
) -> Derivation | Doubt:
    if len(text) > LONGEST_TEXT:
        return Doubt("This is too long to read as one question; please ask it in a sentence or two.")
    context = before[0] if before else None
    readings: dict[str, list[Sketch]] = {}

    def look(said: str) -> list[Sketch]:
        if said not in readings:
            readings[said] = sketches(said, lexicon, today, context)
        return readings[said]

    text = more_sold(respelled(text, lexicon))
    if unanswered and (said := restated(text, unanswered[0], look)):
        again = _read(said, lexicon, today, before, unanswered=unanswered[1:])
        if isinstance(again, Derivation):
            return replace(again, notes=(*again.notes, f"read as “{said}”"))
    made = (
        gap.after_gap(text, before, lexicon, look, lost=unanswered)
        if unanswered
        else followed(text, before, lexicon, look)
    )
    if made is not None:
        moment = _settled(text, made, before, lexicon, today, look)
        if isinstance(moment, Doubt):
            return moment
        found = readings[max(readings, key=len)] if readings else []
        return Derivation(text, moment, lexicon, best_of(lambda _: found, text), found, context, made.notes,
                          deep=len(before), lost=len(unanswered))  # fmt: skip
    text = gap.unopened(text) if before or unanswered else signals.NEW.sub("", text)
    found = sketches(text, lexicon, today) if context else look(text)
    decided = in_line(text, lexicon, look) or _alone(text, found, lexicon, today, look)
    asked = sales.restated(sales.SalesQuestion(text, decided, found), lexicon, look)
    if isinstance(asked.decided, Doubt):
        return asked.decided
    return Derivation(asked.text, asked.decided.meaning, lexicon, asked.decided, asked.found, None,
                      tuple(asked.decided.notes), deep=len(before), lost=len(unanswered))  # fmt: skip


def _settled(
    text: str,
    made: Followed,
    before: Sequence[Meaning],
    lexicon: Lexicon,
    today: date,
    look: Callable[[str], list[Sketch]],
) -> Meaning | Doubt:
    """Return the meaning of an edit; the doubt where there is none, or its figure does not add up."""
    if made.meaning is None and not made.asks and len(figures := meant(text, lexicon, look)) > 1:
        return Doubt(QUESTION, named(figures, lexicon), asks=True)
    if made.meaning is None:
        return Doubt(made.problem or CONTINUES_NOTHING, named(made.choices, lexicon), asks=made.asks)
    moment = settled(carried(before[0], made.meaning, lexicon) if before else made.meaning, lexicon, today)
    if moment.problem:
        return Doubt(moment.problem)
    if moment.choices:
        choices = tuple(Choice(label, meaning, is_named=True) for label, meaning in moment.choices)
        return Doubt(NO_SUM, choices, asks=True)
    return moment.meaning


def _weighed(made: Derivation | Doubt, today: date) -> Reading | Doubt:
    """Say how likely a reading is, with the question back where too little."""
    if isinstance(made, Doubt):
        return made
    sure = confidence(made)
    doubt = doubted(made) if sure < asked_below(made) else None
    found = reading_of(made.meaning, made.notes, made.lexicon, today)
    return replace(found, confidence=sure, doubt=doubt, changes=made.before is not None)


def _alone(
    text: str, found: Sequence[Sketch], lexicon: Lexicon, today: date, look: Callable[[str], list[Sketch]]
) -> Sketch | Doubt:
    decided = chosen(found, lexicon)
    if of_any_figure(text) and len(figures := meant(text, lexicon, look)) > 1:
        return Doubt(QUESTION, named(figures, lexicon), asks=True)
    if isinstance(decided, Sketch):
        return decided
    figures = () if decided.asks and not of_growth(text) else meant(text, lexicon, look)
    if len(figures) > 1:
        return Doubt(QUESTION, named(figures, lexicon), asks=True)
    if len(decided.choices) > 1:
        return decided
    likely = replace(decided, choices=(*named(figures, lexicon), *decided.choices))
    return with_offers(likely, text, found, lexicon, today)


def with_offers(doubt: Doubt, text: str, found: Sequence[Sketch], lexicon: Lexicon, today: date) -> Doubt:
    """Add the nearest meanings that can be answered."""
    near = nearest(words_of(text, lexicon), found, lexicon, lambda words: sketched(words, lexicon, today, width=NARROW))
    choices = named([*(choice.meaning for choice in doubt.choices), *near], lexicon)
    return replace(doubt, choices=choices, offers=bool(choices))


def reply_to(
    doubt: Doubt, text: str, catalog: Catalog, today: date, semantics: Semantics = NO_SEMANTICS
) -> Reading | Doubt | None:
    """Read a message as the pick of a doubt's choices, or as a change of each; None for neither."""
    lexicon = lexicon_of(catalog, semantics)
    said = text.strip().casefold()
    offered = [(choice.label, choice.meaning) for choice in doubt.choices]
    picked: Meaning | tuple[Meaning, ...] | None
    picked = next((meaning for label, meaning in offered if label.casefold() == said), None)
    if picked is None and offered and (doubt.asks or doubt.offers):
        picked = gap.replied(text, offered, lexicon, lambda message: sketches(message, lexicon, today, offered[0][1]))
    if doubt.offers and isinstance(picked, Meaning) and picked not in [meaning for _, meaning in offered]:
        picked = (picked,)  # a change of what was offered, not yet of what was meant
    if isinstance(picked, tuple):
        reason = doubt.reason if doubt.asks else gap.unanswered(text)
        return replace(doubt, reason=reason, choices=named(picked, lexicon))
    return reading_of(picked, (), lexicon, today) if picked is not None else None


def reading_of(meaning: Meaning, notes: tuple[str, ...], lexicon: Lexicon, today: date) -> Reading:
    """Write a meaning down: its SQL, with the name of its one thing, and its words."""
    return Reading(meaning, write_sql(with_name(meaning, lexicon), lexicon, today), echo(meaning, lexicon), notes)
