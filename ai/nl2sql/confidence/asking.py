"""The question back about a reading too unsure to answer: its doubtful part, and other readings."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from ai.language.words import EMPTY
from ai.nl2sql.chart.parts import Part
from ai.nl2sql.checks import complaint
from ai.nl2sql.choose import UNSURE, Doubt, named
from ai.nl2sql.confidence import costs, picks, results, shapes
from ai.nl2sql.confidence.causes import speaking_against
from ai.nl2sql.confidence.derivation import Derivation
from ai.nl2sql.confidence.sayings import SAYINGS, lacks, numbers_left, says
from ai.nl2sql.guesses import is_spelt_alike
from ai.nl2sql.meaning import Field, Filter, Meaning, Measure
from ai.nl2sql.schema import days, figure_days, noun, title
from ai.nl2sql.words import name_parts, stems

FEWEST = 2  # choices; one alone is none
UNSURE_EDIT = "I am not sure what this changes in the answer before."
FOUND_NOTHING = "I find nothing that way, so I may have misread you."


def doubted(made: Derivation) -> Doubt:
    """Ask whether a reading is meant; possible others stand beside it."""
    rivals = [sketch.meaning for sketch in made.rivals]
    meanings = _apart((made.meaning, *_neighbours(made), *rivals))
    if len(meanings) < FEWEST:
        meanings = _apart((*meanings, *(wider for wider in _wider(made.meaning) if not complaint(wider, made.lexicon))))
    return Doubt(doubtful(made), named(meanings, made.lexicon), offers=True)


def _wider(meaning: Meaning) -> Iterator[Meaning]:
    """Yield a meaning with one part less."""
    if meaning.limit:
        yield replace(meaning, limit=None, within=(), offset=0)
    if meaning.filters:
        yield replace(meaning, filters=meaning.filters[:-1])
    if meaning.groups and meaning.measures and not meaning.fold and not meaning.limit:
        yield replace(meaning, groups=(), order=(), share=False, series="", columns=(), within=(), every=False)
    if meaning.periods:
        yield replace(meaning, periods=())


def _apart(meanings: Iterable[Meaning]) -> list[Meaning]:
    """Leave out what differs only in the order of its columns."""
    found = {
        replace(meaning, columns=tuple(sorted(meaning.columns, key=repr))): meaning for meaning in reversed([*meanings])
    }
    return [*reversed(found.values())]


def doubtful(made: Derivation) -> str:
    """Name the doubtful part of a reading, in one sentence."""
    said = next(filter(None, (say(made) for say in REASONS)), UNSURE_EDIT if made.before else speaking_against(made))
    return said or UNSURE


def _guess(made: Derivation) -> str:
    """A word read as another one."""
    found = [note for note in made.notes if costs.READ_AS in note]
    note = next((note for note in found if not is_spelt_alike(note)), next(iter(found), ""))
    said, _, name = note.removeprefix("“").partition(f"” {costs.READ_AS} ")
    return f"I am not sure that “{said}” means {name}." if name else ""


def _word_left(made: Derivation) -> str:
    """An unused name of the data, or another telling word."""
    held = {at for part in made.parts for at in range(part.start, part.end)}
    lattice = made.sketch.lattice if made.sketch else None
    worth = [at for at in range(len(made.words)) if lattice and lattice.at(at, "worth")]  # “value” of “order value”
    places = [at for at in (*costs.places_left(made), *worth) if at not in held]
    left = [made.words[at].text for at in places if made.words[at].key not in EMPTY]
    return f"I am not sure what “{left[0]}” means here." if left else ""


def _number_left(made: Derivation) -> str:
    left = numbers_left(made)
    return f"I am not sure what “{left[0]}” means here." if left else ""


def _saying_left(made: Derivation) -> str:
    """A word with an unfulfilled wish."""
    for name in ("negation", "share", "average", "comparison", "bound", "rank", "split", "time", "choice"):
        if lacks(name, made) and (found := SAYINGS[name].words.search(made.text)):
            return f"I am not sure that I read “{found[0]}” right."
    return ""


def _guessed_row(made: Derivation) -> str:
    """Rows to list or to count."""
    if shapes.lists_events(made) and not says("list", made):
        return f"I am not sure whether you want the {noun(made.lexicon, made.meaning.subject)} or their number."
    return ""


def _open_day(made: Derivation) -> str:
    """Rows without a day, listed with it."""
    days_shown = picks.open_days(made)
    return f"I am not sure whether rows without {title(days_shown[0])} belong here." if days_shown else ""


def _guessed_day(made: Derivation) -> str:
    """A time on one of several days."""
    if made.before is None and made.meaning.periods and picks.rival_days(made) > 1:
        return f"I am not sure that the time is about {title(made.meaning.periods[0].field)}."
    return ""


def _loose_word(made: Derivation) -> str:
    """The constituent of the worst fit."""
    parts = [part for part in made.parts if part.cost > costs.LOOSE and part.said and not _named_so(part)]
    worst = max(parts, key=lambda part: part.cost, default=None)
    return f"I am not sure that I read “{worst.said}” right." if worst else ""


def _named_so(part: Part) -> bool:
    """Whether words name just this."""
    field = part.data if isinstance(part.data, Field) else None
    name = (*name_parts(field.table), *name_parts(field.column)) if field else name_parts(str(part.data))
    return part.kind in ("noun", "attribute") and set(stems(part.said.lower().split())) <= set(stems(name))


def _odd_result(made: Derivation) -> str:
    """A result that is seldom wanted."""
    if results.gives_nothing(made) or results.gives_null(made) or results.gives_zero(made):
        return FOUND_NOTHING
    if made.result and results.overlength_unlisted(made):
        return f"That way I find {made.result.row_count:,} rows, more than anyone reads."
    return ""


def _none_of_both(made: Derivation) -> str:
    return FOUND_NOTHING if results.adds_to_none(made) else ""


REASONS: Sequence[Callable[[Derivation], str]] = (
    _none_of_both, _guess, _number_left, _saying_left, _word_left, _guessed_row, _open_day, _guessed_day, _odd_result,
    _loose_word,
)  # fmt: skip


def _neighbours(made: Derivation) -> Iterator[Meaning]:
    """Yield meanings near the reading: the message for itself, the number of the rows, another day, no split."""
    meaning, lexicon = made.meaning, made.lexicon
    if made.before is not None and made.sound:
        yield made.sound[0].meaning
    for day in picks.open_days(made):
        yield replace(meaning, filters=(*meaning.filters, Filter(day, "not null")))
    if not meaning.all_measures and meaning.subject:
        yield replace(meaning, columns=(), distinct=False, order=(), limit=None,
                      measures=(Measure("count", meaning.subject),))  # fmt: skip
    if len(meaning.periods) == 1 and meaning.root:
        (period,) = meaning.periods
        figure = next(iter(meaning.all_measures), None)
        known = figure_days(lexicon, figure) if figure else days(lexicon, meaning.root)
        yield from (replace(meaning, periods=(replace(period, field=day),)) for day in known if day != period.field)
    if meaning.groups and meaning.measures and not meaning.limit and not meaning.fold and "group" not in made.kinds:
        yield replace(meaning, groups=(), order=(), share=False, series="", columns=(), within=(), every=False)
