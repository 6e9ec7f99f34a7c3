"""Read a question after a cause: figure, conditions and periods, from its words and its thread."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ai.agents.explaining.extremes import extreme_step, one_shown
from ai.agents.explaining.figure_meant import WHICH, FigureMeant, figure_meant, named, names_data
from ai.agents.explaining.names import figures, said_name, scoped_name
from ai.agents.explaining.periods import Compared, SaidPeriods, beside, compared, of_two, said_periods
from ai.agents.wishes.why import QUERY, is_down
from ai.analysis.study import Days
from ai.analysts.port import Question
from ai.language.formats import AMERICAN
from ai.language.periods import period_named
from ai.nl2sql.additivity import held
from ai.nl2sql.changes.figure import parts_of
from ai.nl2sql.choose import Choice, Doubt
from ai.nl2sql.lexicon import Lexicon, lexicon_of
from ai.nl2sql.meaning import Field, Function, Meaning, Measure, Period, from_json
from ai.nl2sql.reader import ListPlace, place_said
from ai.nl2sql.schema import adds_up, figure_days, is_numeric, noun, title
from ai.nl2sql.words import plural
from ai.results.table import Row
from ai.types import AnsweredQuery

BETWEEN = re.compile(r"\b(?:diff(?:erence)?|gap|differ(?:s|ed)?|different|lower|higher|less|more|worse|better)\b", re.I)
CLAUSE = re.compile(r"[.?!;,:…]+(?:\s+|$)|\s[-–—]+\s")
NO_PLACE = "The last answer has no such row; name what I should explain."
OFFERED = 4
NO_DAYS = "This figure has no day in the data, so I cannot compare two periods of it; ask for it by a group instead."
NO_PERIOD = "the last whole week, as no period was named"
MEAN_OF_DAYS = "the mean of the days, as this figure does not add up over time"
LONGEST_UNIT = {"week": 7, "month": 31}  # days
NO_SUM_OVER = "{} does not add up over time; ask for one {} beside the one before."
NO_PARTS = "{} is no sum of its parts, so no part makes a share of its change. Which shall I explain instead?"
NOT_SUMS = {"median": "A median", "min": "A lowest figure", "max": "A highest figure"}
WHOLE = "all {} together; name one of them to explain it alone"


Shown = Callable[[AnsweredQuery], tuple[Row, ...]]


@dataclass(frozen=True, slots=True)
class AskedChange:
    """A figure in two periods. `base` holds its conditions; `notes` tell the assumptions."""

    measure: Measure
    base: Meaning
    day: Field
    before: Days
    now: Days
    name: str
    says_down: bool | None = None
    is_cut: bool = False
    is_mean: bool = False
    notes: tuple[str, ...] = ()


def options(doubt: Doubt, question: Question) -> tuple[str, ...]:
    """Return the question again for each figure near it."""
    lexicon = lexicon_of(question.catalog, question.semantics)
    when = _said(question.text, question).when or _shown_when(question) or "last week"
    near = [measure for choice in doubt.choices if (measure := _measure(choice.meaning, lexicon))]
    measures = near if doubt.reason != WHICH else list(figures(lexicon))
    names = [
        _apart(each, measures, lexicon) for each in measures if figure_days(lexicon, each) and _explains(each, lexicon)
    ]
    return tuple(dict.fromkeys(" ".join(f"Why did {name} change {when}".split()) + "?" for name in names))[:OFFERED]


def _apart(measure: Measure, others: Iterable[Measure], lexicon: Lexicon) -> str:
    """Name a figure, with its table where another bears the same name."""
    name = said_name(measure, lexicon)
    alike = sum(said_name(other, lexicon) == name for other in dict.fromkeys(others))
    return f"{name} of {noun(lexicon, measure.table)}" if alike > 1 else name


def _explains(measure: Measure, lexicon: Lexicon) -> bool:
    return parts_of(measure, lexicon) is not None or is_distinct(measure)


def is_distinct(measure: Measure) -> bool:
    return measure.function == "count" and measure.column is not None and measure.per is None


def _shown_when(question: Question) -> str:
    """Name the period of the answer before, "" for none or several."""
    earlier = _query_meant(question)
    shown = from_json(earlier.meaning) if earlier else None
    periods = shown.periods if shown else ()
    return period_named(periods[0].start, periods[0].end, question.today, AMERICAN) if len(periods) == 1 else ""


def asked_change(question: Question, shown: Shown) -> AskedChange | Doubt:
    """Read a question after a cause; `shown` gives the kept rows of an answer."""
    lexicon = lexicon_of(question.catalog, question.semantics)
    text, previous = _with_unanswered(question, lexicon), None
    earlier = _query_meant(question)
    if text == question.text and earlier:
        previous = from_json(earlier.meaning)
    place = place_said(text) if previous else None
    said = QUERY.sub(" ", text.replace(place.said, " ") if place else text)
    clauses = [_said(clause, question) for clause in CLAUSE.split(said) if clause.strip()]
    whole = _said(said, question)
    figure = figure_meant([clause.rest for clause in clauses], question, lexicon, previous)
    if previous and earlier and isinstance(figure, FigureMeant) and (place or figure.meaning is previous):
        figure = _of_one(figure, place, previous, shown(earlier), lexicon)
    if isinstance(figure, Doubt):
        return figure
    measure = _measure(figure.meaning, lexicon)
    days = figure_days(lexicon, measure) if measure else []
    if measure is None or not days:
        return Doubt(NO_DAYS)
    own = [p.field for p in figure.meaning.periods if p.field.table == days[0].table]
    day = own[0] if own else days[0]
    both = _two_shown(question) if previous and not whole.spans and BETWEEN.search(text) else None
    times = both or compared(whole, previous, question.today)
    if previous and earlier and not whole.spans and (step := extreme_step(text, previous, shown(earlier))):
        times = beside(step[1], question.today, base=step[0])
    if reason := _no_sum(figure.meaning, measure):
        return Doubt(reason, _summed(measure, lexicon))
    state = held(measure, lexicon)
    if state and state.over != "day" and times.now.length > LONGEST_UNIT[state.over]:
        return Doubt(NO_SUM_OVER.format(said_name(measure, lexicon), state.over))
    base = _base(figure.meaning, measure, day)
    is_mean = state is not None and state.over == "day"
    return AskedChange(
        measure,
        base,
        day,
        times.before,
        times.now,
        scoped_name(figure.name or said_name(measure, lexicon), measure, base, lexicon),
        is_down(question.text),
        times.is_cut,
        is_mean=is_mean,
        notes=_notes(times, previous if figure.meaning is previous else None, lexicon, is_mean=is_mean),
    )


def _of_one(
    figure: FigureMeant, place: ListPlace | None, previous: Meaning, rows: tuple[Row, ...], lexicon: Lexicon
) -> FigureMeant | Doubt:
    """Hold a figure to the one row of the answer before that is meant."""
    test = one_shown(place, previous, rows, lexicon)
    if test is None:
        return Doubt(NO_PLACE) if place else figure
    return replace(figure, meaning=replace(figure.meaning, filters=(*figure.meaning.filters, test)))


def _notes(times: Compared, listed: Meaning | None, lexicon: Lexicon, *, is_mean: bool) -> tuple[str, ...]:
    said = (NO_PERIOD if times.is_assumed else "", MEAN_OF_DAYS if is_mean else "", _whole(listed, lexicon))
    return tuple(filter(None, said))


def _said(text: str, question: Question) -> SaidPeriods:
    return said_periods(text, question.today, question.semantics.fiscal_month)


def _two_shown(question: Question) -> Compared | None:
    """Return the times of the last two answers, where they differ in nothing else."""
    return of_two([meaning for query in question.past[:2] if (meaning := from_json(query.meaning))])


def _query_meant(question: Question) -> AnsweredQuery | None:
    """Return the answer named by its number, else the last one with a meaning."""
    number = QUERY.search(question.text)
    known = [query for query in question.past if from_json(query.meaning)]
    named = (query for query in known if number and query.id == int(number["id"]))
    return next(named, None) if number else next(iter(known), None)


def _with_unanswered(question: Question, lexicon: Lexicon) -> str:
    """Put the last question, if unanswered, in front of one without names; “plot it” is none."""
    if QUERY.search(question.text) or any(
        named(_said(clause, question).rest, lexicon) for clause in CLAUSE.split(question.text)
    ):
        return question.text
    answered = {query.turn_id for query in question.past}
    asked = [message for message in question.thread_part.recent if message.role == "user"]
    last = next((message for message in reversed(asked) if message.turn_id != question.turn_id), None)
    if last is None or last.turn_id in answered or not names_data(last.content, lexicon):
        return question.text
    return f"{last.content}. {question.text}"


def _measure(meaning: Meaning, lexicon: Lexicon) -> Measure | None:
    if not meaning.all_measures:
        numbers = [field for field in meaning.columns if is_numeric(lexicon, field)]
        if len(numbers) == 1:
            return Measure("avg", numbers[0].table, numbers[0].column)
        return Measure("count", meaning.subject) if meaning.subject else None
    measure = meaning.all_measures[0]
    if measure.less:
        measure = replace(measure, less=None, per=None)
    return _timeless(replace(measure, per=_timeless(measure.per) if measure.per else None))


def _no_sum(meaning: Meaning, measure: Measure) -> str:
    """Return why no part makes a share of a figure's change, "" for a figure made of sums."""
    name = meaning.fold.function if meaning.fold else measure.function
    return NO_PARTS.format(NOT_SUMS[name]) if name in NOT_SUMS else ""


def _summed(measure: Measure, lexicon: Lexicon) -> tuple[Choice, ...]:
    """Return the average and the sum of the same column; nothing without one."""
    if not measure.column:
        return ()
    adds = adds_up(lexicon, Field(measure.table, measure.column))
    functions: tuple[Function, ...] = ("avg", "sum") if adds else ("avg",)
    plain = [replace(measure, function=function, per=None, less=None) for function in functions]
    return tuple(Choice("", Meaning(measure.table, measures=(each,))) for each in plain)


def _whole(previous: Meaning | None, lexicon: Lexicon) -> str:
    """Say of a list of things that all of them together are explained."""
    group = next((group for group in previous.groups if not group.unit), None) if previous else None
    if group is None:
        return ""
    things = plural(title(Field(group.table, group.column))) if group.column else noun(lexicon, group.table)
    return WHOLE.format(things)


def _timeless(measure: Measure) -> Measure:
    return replace(measure, where=tuple(test for test in measure.where if not isinstance(test, Period)))


def _base(meaning: Meaning, measure: Measure, day: Field) -> Meaning:
    return Meaning(
        measure.table,
        filters=meaning.filters,
        periods=tuple(period for period in meaning.periods if period.field != day),
        presences=meaning.presences,
        either=meaning.either,
        keys=meaning.keys,
        among=meaning.among,
    )
