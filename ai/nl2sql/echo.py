"""The echo: a meaning in plain words, so that a person can see how the question was read."""

from datetime import date, timedelta

from ai.nl2sql.comparison import comparison_of
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import (
    Among,
    Field,
    Filter,
    Fold,
    Group,
    Having,
    Meaning,
    Measure,
    Operator,
    Order,
    Period,
    Presence,
    Scalar,
)
from ai.nl2sql.schema import all_columns, called, noun, title
from ai.nl2sql.values import truths
from ai.nl2sql.words import plural

_FUNCTIONS = {"sum": "total", "avg": "average", "min": "lowest", "max": "highest"}
_FOLDS = {"sum": "total", "avg": "average", "min": "lowest", "max": "highest", "median": "median"}
_DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_THAN = {"": "", "avg": "the average", "min": "the lowest", "max": "the highest"}
_OPERATORS: dict[Operator, str] = {
    "=": "is",
    "!=": "is not",
    ">": "is more than",
    ">=": "is at least",
    "<": "is less than",
    "<=": "is at most",
    "in": "is",
    "not in": "is not",
    "null": "is empty",
    "not null": "is not empty",
    "contains": "contains",
    "starts": "starts with",
    "ends": "ends with",
    "weekday": "is on a",
}


def echo(meaning: Meaning, lexicon: Lexicon) -> str:
    """One line, such as "number of apps where platform is iOS"."""
    kept = [group for group in meaning.groups if group != Group(meaning.subject) or meaning.measures]
    parts = [_what(meaning, lexicon), *(_group(group, lexicon) for group in kept), conditions(meaning, lexicon)]
    parts += [_order(meaning, lexicon), *_further(meaning)]
    return " ".join(part for part in parts if part)


def _further(meaning: Meaning) -> list[str]:
    """What is added along the rows."""
    series = {
        "change": "with the change since the one before",
        "running": "with the running total",
        "moving": f"with the average of the last {meaning.rows}",
        "": "",
    }[meaning.series]
    return ["with the share of the total" if meaning.share else "", series]


def conditions(meaning: Meaning, lexicon: Lexicon) -> str:
    """The conditions alone: "where … and …, without …"; "" when there is none."""
    tests = [_filter(f, meaning, lexicon) for f in meaning.filters] + [
        _period(p, meaning, lexicon) for p in meaning.periods
    ]
    tests += [" or ".join(_filter(f, meaning, lexicon) for f in either) for either in meaning.either]
    tests += [_among(among, lexicon) for among in meaning.among]
    if meaning.last:
        each = next((f" of each {g.unit}" for g in meaning.groups if g.unit and g.table == meaning.last.table), "")
        tests.append(f"{_field(meaning.last, meaning, lexicon)} is the last one{each}")
    where = "where " + " and ".join(tests) if tests else ""
    present = [_presence(presence, lexicon) for presence in meaning.presences]
    return " ".join(part for part in (where, *present, *(_having(h, lexicon) for h in meaning.havings)) if part)


def _among(among: Among, lexicon: Lexicon) -> str:
    """Word a choice of rows: “app is one of [apps …]”, by a key “origin depot city is Oslo”."""
    if among.source.subject != among.field.table and among.source.filters and among.source == _row_of(among):
        tests = [_filter(test, among.source, lexicon) for test in among.source.filters]
        return " and ".join(f"{title(among.field).removesuffix(' id')} {test}" for test in tests)
    return f"{among.unit or noun(lexicon, among.field.table, many=False)} is one of [{echo(among.source, lexicon)}]"


def _row_of(among: Among) -> Meaning:
    source = among.source
    return Meaning(source.subject, columns=source.columns[:1], filters=source.filters)


def _presence(presence: Presence, lexicon: Lexicon) -> str:
    things, thing = noun(lexicon, presence.table), noun(lexicon, presence.table, many=False)
    own = Meaning(presence.table)
    tests = [_period(t, own, lexicon) if isinstance(t, Period) else _filter(t, own, lexicon) for t in presence.where]
    where = f" where {' and '.join(tests)}" if tests else ""
    return (f"with at least one {thing}" if presence.present else f"without {things}") + where


def _folded(meaning: Meaning, fold: Fold, lexicon: Lexicon) -> str:
    """“average of total revenue per day”, “number of apps”."""
    grain = " ".join(_group(group, lexicon) for group in fold.grain)
    if fold.function == "count":
        times = next((group.unit for group in fold.grain if group.unit), "")
        return f"number of {plural(times or grain.removeprefix('per '))}"
    return f"{_FOLDS[fold.function]} of {figure(meaning.measures[0], lexicon)} {grain}"


def figure(measure: Measure, lexicon: Lexicon) -> str:
    """“number of apps”, “total revenue usd”, “share of number of reviews where stars is 5”."""
    said = _plain(measure, lexicon)
    only = [_test(test, measure, lexicon) for test in measure.where]
    where = f" where {' and '.join(only)}" if only else ""
    if measure.less:
        unit = "in percent " if measure.per == measure.less else ""
        return f"change {unit}of {said}{where} since {_since(measure.less, lexicon)}"
    if measure.per is None:
        return said + where
    if measure.is_share:
        return f"share of {said}{where} in percent"
    return f"{said}{where} per {_plain(measure.per, lexicon).removeprefix('total ')}"


def _sides(base: Measure, lexicon: Lexicon) -> str:
    """Return the condition that sets the base of a comparison apart."""
    return " and ".join(_test(test, base, lexicon) for test in base.where[-1:])


def _since(before: Measure, lexicon: Lexicon) -> str:
    """The time that a change is counted from."""
    return " and ".join(_test(test, before, lexicon) for test in before.where if isinstance(test, Period))


def _test(test: Filter | Period, measure: Measure, lexicon: Lexicon) -> str:
    own = Meaning(measure.table)
    return _period(test, own, lexicon) if isinstance(test, Period) else _filter(test, own, lexicon)


def _plain(measure: Measure, lexicon: Lexicon) -> str:
    """“number of apps”, “total revenue usd”, “number of different countries”."""
    if measure.column is None:
        return f"number of {noun(lexicon, measure.table)}"
    said = called(lexicon, Field(measure.table, measure.column))
    if measure.function == "metric":
        return said
    if measure.function == "count":
        return f"number of different {said} values"
    word = _FUNCTIONS[measure.function]
    return said if said.split()[0] == word else f"{word} {said}"  # no “total total amount”


def _what(meaning: Meaning, lexicon: Lexicon) -> str:
    if meaning.measures:
        if meaning.fold:
            return _folded(meaning, meaning.fold, lexicon)
        if found := comparison_of(meaning.measures):
            return f"{figure(found.now, lexicon)} against {_sides(found.base, lexicon)}, with the change"
        return " and ".join(figure(measure, lexicon) for measure in meaning.measures)
    things = noun(lexicon, meaning.subject)
    if meaning.groups:
        shown = ", ".join(_field(field, meaning, lexicon) for field in meaning.columns)
        return f"{shown} of {things}" if shown else things
    if meaning.columns == all_columns(lexicon.table(meaning.subject)):
        return f"all columns of {things}"
    shown = ", ".join(_field(field, meaning, lexicon) for field in meaning.columns)
    return f"{'different ' if meaning.distinct else ''}{shown} of {things}"


def _group(group: Group, lexicon: Lexicon) -> str:
    if group.column is None:
        return f"per {noun(lexicon, group.table, many=False)}"
    return (
        f"per {group.unit} of {title(Field(group.table, group.column))}"
        if group.unit
        else f"per {title(Field(group.table, group.column))}"
    )


def _filter(condition: Filter, meaning: Meaning, lexicon: Lexicon) -> str:
    if term := lexicon.terms.get(condition.field):
        thing, article = noun(lexicon, term.table, many=False), "an" if term.name[0].lower() in "aeiou" else "a"
        return f"{thing} is {'' if condition.operator == '=' else 'not '}{article} {term.name}"
    if condition.operator == "weekday":
        said = " or ".join(_DAYS[int(day)] for day in condition.values)
        return f"{_field(condition.field, meaning, lexicon)} {_OPERATORS['weekday']} {said}"
    if condition.other:
        whose = f"{title(condition.of).removesuffix(' id')} " if condition.of else ""
        sign = _OPERATORS[condition.operator]
        return f"{_field(condition.field, meaning, lexicon)} {sign} {whose}{called(lexicon, condition.other)}"
    known = dict(truths(lexicon.column(condition.field))) if condition.values else {}
    values = " or ".join(_said(known.get(value, value)) for value in condition.values) or _THAN[condition.than]
    return " ".join(p for p in (_field(condition.field, meaning, lexicon), _OPERATORS[condition.operator], values) if p)


def _period(period: Period, meaning: Meaning, lexicon: Lexicon) -> str:
    name = _field(period.field, meaning, lexicon)
    last = period.end - timedelta(days=1) if period.end else None
    if period.start and period.start == last:
        return f"{name} is {period.start}"
    ends: tuple[tuple[str, date | None], ...] = (("from", period.start), ("to", last))
    return " ".join((name, *(f"{word} {day}" for word, day in ends if day)))


def _having(having: Having, lexicon: Lexicon) -> str:
    other = f"{having.value:,}"
    if having.mean:
        other = "the average"
    elif having.than:
        other = figure(having.than, lexicon)
    return f"with {figure(having.measure, lexicon)} {_OPERATORS[having.operator].removeprefix('is ')} {other}"


def _order(meaning: Meaning, lexicon: Lexicon) -> str:
    keys = [_key(order, lexicon) for order in meaning.order]
    if meaning.within:
        each = " and ".join(_group(group, lexicon).removeprefix("per ") for group in meaning.within)
        return f"(first {meaning.limit} of each {each} by {' and '.join(keys)})"
    if meaning.limit is None:
        return f"sorted by {' and '.join(keys)}" if keys else ""
    place = (
        f"number {meaning.offset + 1}"
        if meaning.offset and meaning.limit == 1
        else f"{meaning.limit} from number {meaning.offset + 1}"
        if meaning.offset
        else f"first {meaning.limit}"
        if meaning.limit > 1
        else "the first"
    )
    return f"({place}{' by ' + ' and '.join(keys) if keys else ''})"


def _key(order: Order, lexicon: Lexicon) -> str:
    name = figure(order.key, lexicon) if isinstance(order.key, Measure) else called(lexicon, order.key)
    return f"{name}, {'highest' if order.descending else 'lowest'} first"


def _field(field: Field, meaning: Meaning, lexicon: Lexicon) -> str:
    """A column; with its table's name where it is not the subject's own."""
    return (
        called(lexicon, field)
        if field.table == meaning.subject
        else f"{noun(lexicon, field.table, many=False)} {called(lexicon, field)}"
    )


def _said(value: Scalar) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
