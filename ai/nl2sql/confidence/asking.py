"""The question back about a reading too unsure to answer: its doubtful part, and other readings."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ai.nl2sql.chart.parts import Flag
from ai.nl2sql.choose import OFFERED, Doubt, named
from ai.nl2sql.confidence import costs, picks, shapes
from ai.nl2sql.confidence.derivation import Derivation
from ai.nl2sql.confidence.sayings import SAYINGS, lacks, numbers_left, says
from ai.nl2sql.guesses import is_spelt_alike
from ai.nl2sql.meaning import Filter, Meaning, Measure
from ai.nl2sql.schema import days, figure_days, noun, title

UNSURE = "I am not sure that I read this question right."
UNSURE_EDIT = "I am not sure what this changes in the answer before."


def doubted(made: Derivation) -> Doubt:
    """Ask whether a reading is meant; possible others stand beside it."""
    rivals = [sketch.meaning for sketch in made.rivals]
    meanings = dict.fromkeys((made.meaning, *_neighbours(made), *rivals))
    return Doubt(doubtful(made), named(tuple(meanings)[:OFFERED], made.lexicon), offers=True)


def doubtful(made: Derivation) -> str:
    """Name the doubtful part of a reading, in one sentence."""
    return next(filter(None, (say(made) for say in REASONS)), UNSURE_EDIT if made.before else UNSURE)


def _guess(made: Derivation) -> str:
    """A word read as another one."""
    found = [note for note in made.notes if costs.READ_AS in note]
    note = next((note for note in found if not is_spelt_alike(note)), next(iter(found), ""))
    said, _, name = note.removeprefix("“").partition(f"” {costs.READ_AS} ")
    return f"I am not sure that “{said}” means {name}." if name else ""


def _word_left(made: Derivation) -> str:
    """An unused name of the data, or another telling word."""
    held = {at for part in made.parts for at in range(part.start, part.end)}
    left = [made.words[at].text for at in costs.places_left(made) if at not in held]
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
    parts = [part for part in made.parts if part.cost > costs.LOOSE and part.said and not isinstance(part.data, Flag)]
    worst = max(parts, key=lambda part: part.cost, default=None)
    return f"I am not sure that I read “{worst.said}” right." if worst else ""


REASONS: Sequence[Callable[[Derivation], str]] = (
    _guess, _number_left, _saying_left, _guessed_row, _open_day, _word_left, _guessed_day, _loose_word,
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
