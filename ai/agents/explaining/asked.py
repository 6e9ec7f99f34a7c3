"""What a question after a cause is about: figure, conditions and periods, from its words and its thread."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ai.agents.explaining.names import other_names, said_name
from ai.agents.explaining.periods import compared, said_periods
from ai.agents.wishes.why import is_down, named_words
from ai.analysis.study import Days
from ai.analysts.port import Question
from ai.nl2sql.choose import Doubt
from ai.nl2sql.lexicon import Lexicon, lexicon_of
from ai.nl2sql.meaning import Field, Meaning, Measure, Period, from_json
from ai.nl2sql.reader import Reading, read
from ai.nl2sql.schema import figure_days

CLAUSE = re.compile(r"[.?!;,:…]+(?:\s+|$)|\s[-–—]+\s")
GOES_ON = re.compile(r"\s*(?:in|for|at|on|of|from|among|within|especially|mainly|only)\b", re.IGNORECASE)
TELLING = re.compile(r"(?<!^)\b[A-Z]\w|\d|[\"“]")
MEAN = re.compile(r"\b(?:average|avg|mean)\b(?!.*\b(?:daily|weekly|monthly|(?:per|a|each) (?:day|week|month))\b)", re.I)
A_TIME = "last month"
WHICH = "Which figure should I explain? Name it with a period."
NO_DAYS = "This figure has no day in the data, so I cannot compare two periods of it; ask for it by a group instead."
UNKNOWN = "I cannot read {} in this question as something that this data holds; name the figure in words of the data."


@dataclass(frozen=True, slots=True)
class AskedChange:
    """A figure in two periods. `base` holds its conditions; `notes` tell what was assumed."""

    measure: Measure
    base: Meaning
    day: Field
    before: Days
    now: Days
    name: str
    says_down: bool | None = None
    is_cut: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Figure:
    meaning: Meaning
    name: str = ""


def asked_change(question: Question) -> AskedChange | Doubt:
    """Read a question after a cause."""
    lexicon = lexicon_of(question.catalog, question.semantics)
    text, previous = _with_unanswered(question, lexicon), None
    if text == question.text:
        previous = next((found for query in question.past if (found := from_json(query.meaning))), None)
    clauses = [said_periods(clause, question.today) for clause in CLAUSE.split(text) if clause.strip()]
    whole = said_periods(text, question.today)
    figure = _figure([clause.rest for clause in clauses], question, lexicon, previous)
    if isinstance(figure, Doubt):
        return figure
    measure = _measure(figure.meaning)
    days = figure_days(lexicon, measure) if measure else []
    if measure is None or not days:
        return Doubt(NO_DAYS)
    own = [p.field for p in figure.meaning.periods if p.field.table == days[0].table]
    day = own[0] if own else days[0]
    times = compared(whole, previous, question.today)
    notes = ("the last whole week, as no period was named",) if times.is_assumed else ()
    return AskedChange(
        measure,
        _base(figure.meaning, measure, day),
        day,
        times.before,
        times.now,
        figure.name or said_name(measure, lexicon),
        is_down(question.text),
        times.is_cut,
        notes,
    )


def _with_unanswered(question: Question, lexicon: Lexicon) -> str:
    """Return the question after the one before it in the thread, where that one got no answer and this names nothing."""
    if any(_named(said_periods(clause, question.today).rest, lexicon) for clause in CLAUSE.split(question.text)):
        return question.text
    answered = {query.turn_id for query in question.past}
    asked = [message for message in question.thread_part.recent if message.role == "user"]
    last = next((message for message in reversed(asked) if message.turn_id != question.turn_id), None)
    return f"{last.content}. {question.text}" if last and last.turn_id not in answered else question.text


def _figure(clauses: list[str], question: Question, lexicon: Lexicon, previous: Meaning | None) -> _Figure | Doubt:
    """Read the first clause that names a figure; one without names stands for the thread's."""
    candidates = list(_candidates(clauses, lexicon))
    problem: Doubt | None = None
    for words in candidates:
        for said in other_names(words, " ".join(clauses), lexicon):
            found = _read(f"{said.words} {A_TIME}", question, None)
            if isinstance(found, Meaning):
                return _Figure(_of_rows(said.of(found), words), said.name)
            problem = problem or found
        if previous and isinstance(found := _read(words, question, previous), Meaning):
            return _Figure(found)
    if not candidates:
        return _Figure(previous) if previous else Doubt(WHICH)
    unknown = ", ".join(f"“{word}”" for word in candidates[0].split())
    return replace(problem, asks=False) if problem and problem.choices else Doubt(UNKNOWN.format(unknown))


def _candidates(clauses: list[str], lexicon: Lexicon) -> Iterator[str]:
    """Yield the telling words of clauses; a clause that names something more goes with the one before."""
    joined: list[str] = []
    for clause in clauses:
        words = _named(clause, lexicon)
        if joined and words and (GOES_ON.match(clause) or TELLING.search(clause)):
            joined[-1] = f"{joined[-1]} {GOES_ON.match(clause).group() if GOES_ON.match(clause) else ''} {words}"  # type: ignore[union-attr]
        elif words:
            joined.append(words)
    yield from joined


def _named(text: str, lexicon: Lexicon) -> str:
    """Return the words of a text that may name something in the data."""

    def is_name(words: tuple[str, ...]) -> bool:
        return any(not sense.cost for sense in lexicon.senses(words)) or lexicon.defines(words)

    return named_words(text, is_name)


def _read(text: str, question: Question, previous: Meaning | None) -> Meaning | Doubt:
    found = read(text, question.catalog, question.today, previous, question.semantics)
    if isinstance(found, Reading):
        is_figure = found.meaning.all_measures or found.meaning.subject
        return found.meaning if is_figure else Doubt(WHICH)
    return found


def _of_rows(meaning: Meaning, words: str) -> Meaning:
    """Read “average fee” as the mean of all rows, not of sums by day."""
    if not MEAN.search(words) or not meaning.measures or meaning.measures[0].function != "sum":
        return meaning
    return replace(meaning, measures=(replace(meaning.measures[0], function="avg"),))


def _measure(meaning: Meaning) -> Measure | None:
    """Return the figure of a meaning, without its times; rows are counted."""
    if not meaning.all_measures:
        return Measure("count", meaning.subject) if meaning.subject else None
    measure = meaning.all_measures[0]
    if measure.less:
        measure = replace(measure, less=None, per=None)
    return _timeless(replace(measure, per=_timeless(measure.per) if measure.per else None))


def _timeless(measure: Measure) -> Measure:
    return replace(measure, where=tuple(test for test in measure.where if not isinstance(test, Period)))


def _base(meaning: Meaning, measure: Measure, day: Field) -> Meaning:
    """Keep the conditions alone."""
    return Meaning(
        measure.table,
        filters=meaning.filters,
        periods=tuple(period for period in meaning.periods if period.field != day),
        presences=meaning.presences,
        either=meaning.either,
        keys=meaning.keys,
        among=meaning.among,
    )
