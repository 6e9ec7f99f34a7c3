"""Questions without a figure: “how are the clinics doing?”. They are asked back with those of the data."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from ai.language.tables import Patterns
from ai.nl2sql.additivity import held
from ai.nl2sql.carried import on_rows
from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Fold, Group, Meaning, Measure, Order, Period
from ai.nl2sql.reading.accounts.vague import MOST, figures_about
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import called, display, figure_days
from ai.nl2sql.worth import amounts_meant, speaks_of_money

Shape = Literal["plain", "trend", "rank", "each", "beside"]
QUESTION = "Which figure do you mean?"
UNSPECIFIC = Patterns("ai.nl2sql", "unspecific")


NUMBERS = re.compile(
    r"(?:(?:can|could) you )?(?:please )?(?:(?:pull|get|send|show|give|grab|fetch)(?: me| us)?(?: up)? )?(?:the |our |all )?(?:numbers|figures|stats|statistics|kpis|metrics) (?:for|on|about) ",
    re.IGNORECASE,
)


OF_ALL = re.compile(r"^(?:we|it all|everything|things|(?:our |the )?business|the company)(?: |$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Topic:
    """What an unspecific question is about, as far as it says."""

    table: str = ""
    filters: tuple[Filter, ...] = ()
    periods: tuple[Period, ...] = ()


def is_unspecific(text: str) -> bool:
    return speaks_of_money(text) or any(pattern.match(text.strip()) for _, pattern in UNSPECIFIC.cases)


def of_any_figure(text: str) -> bool:
    """“the numbers for Pingo” name no column."""
    return NUMBERS.match(text.strip()) is not None


def of_growth(text: str) -> bool:
    """Whether a message asks for growth without a figure: “which clinic grew the most?”."""
    return any(pattern.match(text.strip()) for shape, pattern in UNSPECIFIC.cases if shape == "growth")


def meant(text: str, lexicon: Lexicon, read: Callable[[str], Sequence[Sketch]]) -> tuple[Meaning, ...]:
    """Return the meanings of an unspecific question, a figure each; none for other questions and unknown names."""
    for shape, pattern in UNSPECIFIC.cases:
        if found := pattern.match(text.strip()):
            said = found.groupdict()
            if shape == "growth":
                return tuple(_growth(_phrased(said), lexicon, read))[:MOST]
            words = f"{said.get('topic') or ''}{said.get('more') or ''}".strip()
            topic = _topic(words, read) if words else Topic()
            return _shaped(topic, cast(Shape, shape), lexicon) if topic is not None else ()
    return amounts_meant(text, lexicon, read)


def _phrased(said: Mapping[str, str | None]) -> str:
    """Say “which category grew the most in October” or “best month for” of a figure, in the place of {}."""
    if text := said.get("said"):
        return f"{{}} {text}"
    if best := said.get("best"):
        return f"{best} for {{}}{said['when'] or ''}"
    if before := said.get("before"):
        return f"{{}} {said['now']} vs {before}"
    by, when = said["by"], said["when"] or ""
    moved = "gained" if said.get("up") else "lost" if said.get("down") else ""
    return f"which {by} {moved} the most {{}}{when or ' last month'}" if moved else f"{{}} growth by {by}{when}"


def _growth(said: str, lexicon: Lexicon, read: Callable[[str], Sequence[Sketch]]) -> Iterator[Meaning]:
    """Read “which platform gained the most” or “October vs September” of each figure."""
    for figure in _headline(lexicon):
        name = called(lexicon, Field(figure.table, figure.column or "")).lstrip("=")
        found = min(read(said.format(name)), key=lambda sketch: sketch.cost, default=None)
        if found and not (found.problems or found.choices or found.unread() or held(figure, lexicon)):
            yield found.meaning


def _topic(words: str, read: Callable[[str], Sequence[Sketch]]) -> Topic | None:
    words = OF_ALL.sub("", words)
    if not words:
        return Topic()
    sketch = min(read(words), key=lambda found: found.likely, default=None)
    if sketch is None or sketch.unread() or sketch.wanted:
        return None
    nouns = [str(part.data) for part in sketch.parts("noun")]
    fields = [part.data.table for part in sketch.parts("attribute") if isinstance(part.data, Field)]
    named = [test.field for test in sketch.meaning.filters]
    tables = [*nouns, *fields, *(field.table for field in named if field in display(sketch.lexicon, field.table)), ""]
    return Topic(tables[0], sketch.meaning.filters, sketch.meaning.periods or _times(sketch))


def _times(sketch: Sketch) -> tuple[Period, ...]:
    """A time without a column as yet."""
    spans = [part.data.span for part in sketch.parts("period")]
    return tuple(Period(Field("", ""), span.start, span.end) for span in spans[:1])


def _shaped(topic: Topic, shape: Shape, lexicon: Lexicon) -> tuple[Meaning, ...]:
    figures = figures_about(lexicon, topic.table) if topic.table else _headline(lexicon)
    made = (_one(figure, topic, shape, lexicon) for figure in figures if not held(figure, lexicon))
    return tuple(meaning for meaning in made if meaning is not None and complaint(meaning, lexicon) is None)[:MOST]


def _headline(lexicon: Lexicon) -> list[Measure]:
    """The figures that the owner defined, else totals of events."""
    return figures_about(lexicon, "")


def _on_own_column(test: Filter, figure: Measure, lexicon: Lexicon) -> Filter:
    """Put a value on the column of a figure's own rows where these have one of the same name: each its country."""
    own = on_rows(test, figure.table, lexicon)
    held = own is not test and {*test.values} <= {*lexicon.column(own.field).values}
    return own if held else test


def _one(figure: Measure, topic: Topic, shape: Shape, lexicon: Lexicon) -> Meaning | None:
    days = figure_days(lexicon, figure)
    if topic.periods and not days:
        return None
    periods = tuple(replace(period, field=days[0]) for period in topic.periods)
    told = (_on_own_column(test, figure, lexicon) for test in topic.filters)
    filters = tuple(test for test in told if not many_between(lexicon, figure.table, test.field.table))
    if len(filters) < len(topic.filters):
        return None
    base = Meaning(figure.table, measures=(figure,), filters=filters, periods=periods)
    if shape == "trend":
        return replace(base, groups=(Group(days[0].table, days[0].column, "month"),)) if days else None
    if shape == "beside":
        field = next((test.field for test in filters if len(test.values) > 1), None)
        return (
            replace(base, groups=(Group(field.table, field.column),), order=(Order(figure, True),)) if field else None
        )
    if shape == "rank":
        return replace(base, groups=(Group(topic.table),), order=(Order(figure, True),)) if topic.table else None
    if shape == "each":
        return replace(base, fold=Fold("avg", (Group(topic.table),))) if topic.table else None
    apart = topic.table and not topic.filters and not many_between(lexicon, figure.table, topic.table)
    return replace(base, groups=(Group(topic.table),), order=(Order(figure, True),)) if apart else base
