"""The part of a reading that speaks most against it, by the weights of its features."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ai.nl2sql.chart.parts import Part
from ai.nl2sql.confidence.derivation import Derivation
from ai.nl2sql.confidence.features import FEATURES
from ai.nl2sql.confidence.judging import telling, weights_of
from ai.nl2sql.echo import conditions, figure
from ai.nl2sql.meaning import Field, Filter, Group, Meaning, Measure
from ai.nl2sql.schema import called, noun, title


class Cause(NamedTuple):
    """A kind of decision: words in the names of its features, its sentence or ""."""

    features: str
    say: Callable[[Derivation], str]


def _dearest(kind: str, made: Derivation) -> Part | None:
    return max((part for part in made.parts if part.kind == kind and part.said), key=lambda p: p.cost, default=None)


def _rank(made: Derivation) -> str:
    part, meaning = _dearest("rank", made), made.meaning
    if part is None or not meaning.order:
        return ""
    key = meaning.order[0].key
    name = figure(key, made.lexicon) if isinstance(key, Measure) else called(made.lexicon, key)
    return f"I am not sure that “{part.said}” goes by {name}."


def _figure(made: Derivation) -> str:
    meaning = made.meaning
    return f"I am not sure that you want the {figure(meaning.measures[0], made.lexicon)}." if meaning.measures else ""


def _condition(made: Derivation) -> str:
    part = _dearest("filter", made)
    tests = [test for test in part.data if isinstance(test, Filter)] if part else []
    if part is None or not tests:
        return ""
    of = Meaning(tests[0].field.table, filters=tuple(tests))
    return f"I am not sure that “{part.said}” means {conditions(of, made.lexicon).removeprefix('where ')}."


def _rows(made: Derivation) -> str:
    """Which rows are meant, or belong to them."""
    meaning, lexicon = made.meaning, made.lexicon
    if meaning.root and not any(meaning.root in part.tables for part in made.parts):
        return f"I am not sure that this is about {noun(lexicon, meaning.root)}."
    others = [there.table for there in meaning.presences if there.present]
    others += sorted(meaning.tables - {meaning.root} - {group.table for group in meaning.groups})
    if not meaning.root or not others:
        return ""
    return f"I am not sure how {noun(lexicon, meaning.root)} and {noun(lexicon, others[0])} belong together here."


def _split(made: Derivation) -> str:
    groups = made.meaning.groups
    return (
        f"I am not sure that you want this by {_group(groups[-1], made)}." if groups and made.meaning.measures else ""
    )


def _group(group: Group, made: Derivation) -> str:
    if group.unit:
        return group.unit
    return title(Field(group.table, group.column)) if group.column else noun(made.lexicon, group.table, many=False)


def _columns(made: Derivation) -> str:
    meaning = made.meaning
    if meaning.all_measures or not meaning.subject:
        return ""
    return f"I am not sure what you want to know of the {noun(made.lexicon, meaning.subject)}."


def _time(made: Derivation) -> str:
    part, periods = _dearest("period", made), made.meaning.periods
    return f"I am not sure that “{part.said}” is about {title(periods[0].field)}." if part and periods else ""


CAUSES = (
    Cause("rank ranks first limited limit order ordered unasked_key one_of_all", _rank),
    Cause("tests filter values either inner negation bound where", _condition),
    Cause("period periods day days untimed time", _time),
    Cause("group groups split mean folded", _split),
    Cause("joined join multiplying ways subject root presence presences absences noun elsewhere tables", _rows),
    Cause(
        "figure figures measure counts sum sums average averages extremes ratio ratios change changes share", _figure
    ),
    Cause("lists list distinct repeats attribute attributes columns", _columns),
)
REST = (_rank, _condition, _figure, _rows, _columns)


def speaking_against(made: Derivation) -> str:
    """Say which decision weighs most against a reading."""
    against = dict.fromkeys(CAUSES, 0.0)
    for name, weight in _weighed(made):
        words = {*re.split("[ _]", name), name}
        cause = next((cause for cause in CAUSES if words & {*cause.features.split()}), None)
        if cause is not None and weight < 0:
            against[cause] += weight
    likeliest = sorted(against, key=lambda cause: against[cause])
    says = (*(cause.say for cause in likeliest if against[cause]), *REST)
    return next(filter(None, (say(made) for say in says)), "")


def _weighed(made: Derivation) -> Iterator[tuple[str, float]]:
    names = {id(feature): name for name, feature in FEATURES.items()}
    for weight in telling(made, weights_of(made)[1]):
        yield names[id(weight.feature)], weight.of(made)
