"""Features of the conditions and times of a meaning: on which columns, and whether a word names them."""

from ai.nl2sql.confidence import costs
from ai.nl2sql.confidence.derivation import Derivation
from ai.nl2sql.deeds import names_deed
from ai.nl2sql.meaning import Field, Filter, Measure
from ai.nl2sql.reading.rows.which_day import day_of_deed_named
from ai.nl2sql.schema import days, display, figure_days
from ai.nl2sql.spans import DATED, verb_of
from ai.nl2sql.words import is_participle, name_parts

LISTING = frozenset({"list", "who", "when", "everything"})

MAKING = frozenset(
    "wrote write written raised raise filed file opened open sent send submitted submit placed place made make had have "
    "got get received receive reported report logged log led lead caused handled took".split()
)  # verbs of an event itself
BEGINNING = frozenset(
    "created opened started submitted sent placed ordered booked issued logged reported occurred received raised".split()
)


def _first_figure(made: Derivation) -> Measure | None:
    return next(iter(made.meaning.all_measures), None)


def inner_tests(made: Derivation) -> float:
    return sum(bool(measure.where) for measure in made.meaning.all_measures)


def tests(made: Derivation) -> float:
    return len(made.meaning.filters)


def tests_elsewhere(made: Derivation) -> float:
    """Conditions on other tables than the rows'."""
    return sum(test.field.table != made.meaning.root for test in made.meaning.filters)


def negated_tests(made: Derivation) -> float:
    return sum(isinstance(test, Filter) and test.operator in ("!=", "not in", "null") for test in made.tests)


def empty_tests(made: Derivation) -> float:
    return sum(isinstance(test, Filter) and test.operator == "null" for test in made.tests)


def filled_tests(made: Derivation) -> float:
    """Conditions on a column being filled: “registered pupils” by the day of it, not those of a time on that day."""
    filled = [test.field for test in made.tests if isinstance(test, Filter) and test.operator == "not null"]
    return sum(field not in _times(made) or not _is_named(field, made) for field in filled)


def yes_or_no_tests(made: Derivation) -> float:
    return sum(isinstance(test, Filter) and bool({True, False} & {*test.values}) for test in made.tests)


def number_tests(made: Derivation) -> float:
    return sum(isinstance(test, Filter) and test.operator in (">", ">=", "<", "<=") for test in made.tests)


def text_tests(made: Derivation) -> float:
    return sum(isinstance(test, Filter) and test.operator in ("contains", "starts", "ends") for test in made.tests)


def column_tests(made: Derivation) -> float:
    return sum(isinstance(test, Filter) and bool(test.other or test.than) for test in made.tests)


def same_column_tests(made: Derivation) -> float:
    """Several conditions on one column."""
    fields = [test.field for test in made.meaning.filters]
    return len(fields) - len(set(fields))


def periods(made: Derivation) -> float:
    return len(made.meaning.periods)


def periods_elsewhere(made: Derivation) -> float:
    return sum(period.field.table != made.meaning.root for period in made.meaning.periods)


def open_periods(made: Derivation) -> float:
    return sum(period.start is None or period.end is None for period in made.meaning.periods)


def rival_days(made: Derivation) -> float:
    """Days to choose from for the time."""
    if not made.meaning.periods and not any(group.unit for group in made.meaning.groups):
        return 0.0
    figure = _first_figure(made)
    found = figure_days(made.lexicon, figure) if figure else days(made.lexicon, made.meaning.root)
    return min(1 if _named_by_deed(made) else 4, len(found))


def _named_by_deed(made: Derivation) -> bool:
    """Whether each time is of a day that a word names: “accounts closed this year”, “cancellations per month”."""
    return all(_is_named(day, made) or _is_called_like(day, made) for day in _times(made))


def _is_called_like(day: Field, made: Derivation) -> bool:
    """Whether a day is the only one called like its rows: `placed_at` of orders."""
    return day_of_deed_named(days(made.lexicon, day.table)) == [day]


def _times(made: Derivation) -> list[Field]:
    times = [period.field for period in made.meaning.periods]
    return times + [Field(group.table, group.column or "") for group in made.meaning.groups if group.unit]


def _is_named(day: Field, made: Derivation) -> bool:
    """Whether a word names a day, the only deed of a plain figure: not in “solved vs created tickets per month”."""
    if inner_tests(made) or made.meaning.presences:
        return False
    deeds = [verb for verb in verb_of(day.column) if is_participle(verb)]
    return any(names_deed(word, deed) for word in made.keys for deed in deeds)


def other_day(made: Derivation) -> float:
    """Whether the time is about another day than the rows' usual one."""
    figure = _first_figure(made)
    usual = figure_days(made.lexicon, figure) if figure else days(made.lexicon, made.meaning.root)
    return any(usual and period.field != usual[0] for period in made.meaning.periods)


def many_days(made: Derivation) -> float:
    return len(made.sketch.rival_days) if made.sketch else 0


def untimed(made: Derivation) -> float:
    """Whether rows with a day are counted or summed over all time."""
    figure = _first_figure(made)
    return bool(figure and figure_days(made.lexicon, figure)) and not any(
        not isinstance(test, Filter) for test in made.tests
    )


def unnamed_days(made: Derivation) -> float:
    """Times on an unnamed day."""
    if made.sketch is None:
        return 0.0
    items = made.sketch.lattice.items.values()
    named = {item.sense.field for found in items for item in found if item.sense is not None and item.sense.column}
    return sum(period.field not in named for period in made.meaning.periods)


def nullable_days(made: Derivation) -> float:
    """Times on an optional day that no word names: the day they left."""
    optional = [period.field for period in made.meaning.periods if made.lexicon.column(period.field).nullable]
    return sum(not (_is_named(day, made) or _is_only(day, made)) for day in optional)


def _is_only(day: Field, made: Derivation) -> bool:
    """Whether mere rows are counted that have no other day, and none lacks it: “new clients last month”."""
    counted = made.meaning.measures == (Measure("count", day.table),) and not made.meaning.all_groups
    return counted and made.lexicon.column(day).is_filled and days(made.lexicon, day.table) == [day]


def days_of_things(made: Derivation) -> float:
    """Times picking things by an unnamed day: “contractors this year”."""
    named = bool(made.meaning.root and display(made.lexicon, made.meaning.root))
    return unnamed_days(made) if named else 0.0


def short_values(made: Derivation) -> float:
    """Values of one or two letters, which may be mere words."""
    values = [value for test in made.tests if isinstance(test, Filter) for value in test.values]
    return sum(isinstance(value, str) and len(value) <= 2 for value in values)


def shows_open_days(made: Derivation) -> float:
    """Whether rows without a day are listed with it: “reps gone and when”."""
    return bool(open_days(made))


def open_days(made: Derivation) -> list[Field]:
    tested = {test.field for test in made.tests}
    shown = [field for field in made.meaning.columns if field not in tested and not made.meaning.all_measures]
    columns = [(field, made.lexicon.column(field)) for field in shown]
    return [field for field, column in columns if column.kind in DATED and column.nullable]


def bare_rows(made: Derivation) -> float:
    """Whether a mere name of events and a time gives a list: “tickets last week”."""
    bare = made.kinds <= {"noun", "period", "filter"} and not any(part.data.sign in LISTING for part in made.flags)
    return made.before is None and bare and not made.meaning.all_measures and bool(made.meaning.periods)


def days_ahead(made: Derivation) -> float:
    """Times still to come."""
    today = made.sketch.today if made.sketch else None
    return sum(bool(today and period.start and period.start > today) for period in made.meaning.periods)


def days_of_verbs(made: Derivation) -> float:
    """Verbs beside a time on an unnamed day: “rode last year”."""
    said = [part for part in made.flags if part.data.sign == "verb"]
    if all(_begins(period.field) for period in made.meaning.periods):
        said = [part for part in said if part.said.lower() not in MAKING]
    return min(2, len(said) + costs.telling_words_left(made)) if unnamed_days(made) else 0.0


def _begins(day: Field) -> bool:
    """Whether rows begin on a day: tickets are written when they are created."""
    return bool(BEGINNING & {*name_parts(day.column)})


def presences(made: Derivation) -> float:
    return sum(presence.present for presence in made.meaning.presences)


def absences(made: Derivation) -> float:
    return sum(not presence.present for presence in made.meaning.presences)


def havings(made: Derivation) -> float:
    return len(made.meaning.havings)


PICKS = (
    inner_tests, tests, tests_elsewhere, negated_tests, empty_tests, filled_tests, yes_or_no_tests, number_tests,
    text_tests, column_tests, same_column_tests, periods, periods_elsewhere, open_periods, rival_days, other_day,
    many_days, untimed, unnamed_days, nullable_days, days_of_things, short_values, shows_open_days, bare_rows,
    days_ahead, days_of_verbs, presences, absences, havings,
)  # fmt: skip
