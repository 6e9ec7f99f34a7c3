"""The decision: answer, ask one question back with the likeliest readings to choose from, or refuse.

The weights are data. A reading is answered only when no likelier one stands in its way for a reason that must be told.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ai.nl2sql.contradictions import conditions_of
from ai.nl2sql.definitions import is_term
from ai.nl2sql.echo import echo
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Filter, Meaning, Measure, Period
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import display, noun
from ai.nl2sql.values import STATE_NAMES
from ai.nl2sql.words import name_parts

TIE = 0.08  # readings that lie closer than this are equally likely
OBSTACLE = 1.2  # how much likelier a reading that cannot be answered must be to stand in the way of one that can
UNSURE = "I am not sure that I read this question right."
NO_SUM = "This figure does not add up over time. Which do you want?"
OFFERED = 4


@dataclass(frozen=True, slots=True)
class Choice:
    """A meaning to choose, by what it is called; `is_named` if the name is its own, not made of the meaning."""

    label: str
    meaning: Meaning
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a question was not read to its end: `reason` is one sentence; with `asks` it is a question back.

    `choices` are readings that can be answered, the likeliest first; with `offers` they are only near it.
    """

    reason: str
    choices: tuple[Choice, ...] = ()
    asks: bool = False
    offers: bool = False

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(choice.label for choice in self.choices)


def chosen(found: Sequence[Sketch], lexicon: Lexicon) -> Sketch | Doubt:
    """Return the reading to answer, or the doubt."""
    if not found:
        return Doubt("I find nothing in this question that this data holds.")
    good = [sketch for sketch in found if not sketch.problems and not sketch.unread()]
    likeliest = min(found, key=lambda sketch: sketch.likely)
    if not good or good[0].cost > likeliest.likely + OBSTACLE:
        return refused(likeliest)
    best = good[0]
    if best.choices:
        options = tuple(Choice(label, meaning, not best.vague) for label, meaning in best.choices)
        return Doubt(best.vague or NO_SUM, options, asks=True)
    near = [s for s in good[1:] if s.cost - best.cost < TIE and not _is_farther(s, best)]
    rivals = [best, *(s for s in near if _other_sense(best, s))]
    if (owner := _owner_of_that_name(rivals)) is not None:
        return owner
    options = choices_of(rivals, lexicon)
    if len(options) > 1:
        return Doubt("This can be read in several ways. Which do you mean?", options, asks=True)
    return best


def _owner_of_that_name(rivals: Sequence[Sketch]) -> Sketch | None:
    """Take the client where an app of its is called the same, and say so."""
    if len(rivals) != 2:
        return None
    for own, owned in (rivals, rivals[::-1]):
        (theirs, ours) = [
            [test for test in one.meaning.filters if test not in other.meaning.filters]
            for one, other in ((own, owned), (owned, own))
        ]
        if len(theirs) != 1 or len(ours) != 1 or (theirs[0].operator, theirs[0].values) != ("=", ours[0].values):
            return None
        lexicon, owner = own.lexicon, theirs[0].field
        way = lexicon.links.path(ours[0].field.table, owner.table)
        named = all(test.field in display(lexicon, test.field.table) for test in (theirs[0], ours[0]))
        if named and way and not any(link.many for link in way):
            own.assume(f"“{theirs[0].values[0]}” was read as the {noun(lexicon, owner.table, many=False)}")
            return own
    return None


def _other_sense(one: Sketch, other: Sketch) -> bool:
    """Whether the same words, read alike, name something else."""
    shapes = [[(p.kind, p.start, p.end) for p in sketch.cover.parts if p.kind != "flag"] for sketch in (one, other)]
    if shapes[0] == shapes[1] and _of_another_table(one, other):
        return True
    if (
        shapes[0] != shapes[1]
        or core(one.meaning) == core(other.meaning)
        or _of_same_columns(one.meaning, other.meaning)
    ):
        return False
    return in_columns(core(one.meaning), one.lexicon) != in_columns(core(other.meaning), one.lexicon)


def _of_another_table(one: Sketch, other: Sketch) -> bool:
    """Whether a state is shown that another table has too: “what's the status”."""
    bare = [sketch.meaning.changed(columns=(), subject="") for sketch in (one, other)]
    columns = [sketch.meaning.columns for sketch in (one, other)]
    single = bare[0] == bare[1] and not bare[0].tables and len(columns[0]) == len(columns[1]) == 1
    if not single or one.parts("noun") or columns[0][0].column != columns[1][0].column:
        return False
    return bool((STATE_NAMES | {"type", "kind"}) & {*name_parts(columns[0][0].column)})


def _of_same_columns(one: Meaning, other: Meaning) -> bool:
    """Whether rows are split alike, one cut to its own months."""
    columns = [[(group.table, group.column) for group in meaning.groups] for meaning in (one, other)]
    bare = [core(replace(meaning, groups=(), order=())) for meaning in (one, other)]
    return bool(columns[0]) and columns[0] == columns[1] and bare[0] == bare[1]


def in_columns(meaning: Meaning, lexicon: Lexicon) -> Meaning:
    """Return a meaning with the conditions of defined kinds, as far as they are simple, in the place of the kinds."""
    filters = {plain for test in meaning.filters for plain in _plainly(test, lexicon) if isinstance(plain, Filter)}
    measures = tuple(_measure_in_columns(measure, lexicon) for measure in meaning.measures)
    order = tuple(
        replace(each, key=_measure_in_columns(each.key, lexicon)) if isinstance(each.key, Measure) else each
        for each in meaning.order
    )
    return replace(meaning, filters=tuple(sorted(filters, key=repr)), measures=measures, order=order)


def _measure_in_columns(measure: Measure, lexicon: Lexicon) -> Measure:
    tests = {plain for test in measure.where for plain in _plainly(test, lexicon)}
    return replace(measure, where=tuple(sorted(tests, key=repr)))


def _plainly(test: Filter | Period, lexicon: Lexicon) -> tuple[Filter | Period, ...]:
    """Return the conditions of a kind; a yes or no by the truth of its value."""
    if isinstance(test, Period) or not is_term(test.field) or test.field not in lexicon.terms:
        return (test,)
    known = conditions_of(lexicon.terms[test.field].condition, test.field.table)
    return known if known and test.operator == "=" and test.values == (True,) else (test,)


def _is_farther(other: Sketch, best: Sketch) -> bool:
    """Whether rows are cut by a column of things beside them where they have one of that name: “orders by status”."""
    counted = {measure.table for measure in best.meaning.measures}
    own = best.meaning.groups[:1]
    theirs = other.meaning.groups[:1]
    if len(best.meaning.groups) != 1 or not own[0].column or own[0].unit or {own[0].table} != counted:
        return False
    return core(replace(other.meaning, groups=own)) == core(best.meaning) and theirs[0].table not in counted


def core(meaning: Meaning) -> Meaning:
    """The meaning without what only changes how its rows are shown."""
    return meaning.changed(subject="", distinct=False, columns=(), order=meaning.order if meaning.limit else ())


def choices_of(sketches: Sequence[Sketch], lexicon: Lexicon) -> tuple[Choice, ...]:
    return named([sketch.meaning for sketch in sketches], lexicon)


def named(meanings: Sequence[Meaning], lexicon: Lexicon) -> tuple[Choice, ...]:
    """Name meanings to choose from; those of the same rows and name are one."""
    said = [(echo(meaning, lexicon), meaning) for meaning in meanings]
    found: dict[str, Choice] = {}
    for label, meaning in said:
        alike = {other.root for name, other in said if name == label and other.root and _is_computed(other)}
        label = f"{label} of {noun(lexicon, meaning.root)}" if len(alike) > 1 and meaning.root else label
        label = label[:1].upper() + label[1:]
        found.setdefault(label, Choice(label, meaning))
    return tuple(found.values())[:OFFERED]


def _is_computed(meaning: Meaning) -> bool:
    return any(measure.function not in ("count", "metric") for measure in meaning.measures)


def refused(sketch: Sketch) -> Doubt:
    """Say why the likeliest reading is no answer."""
    if sketch.unread():
        return Doubt(sketch.unreadable())
    return Doubt(sketch.problems[0])
