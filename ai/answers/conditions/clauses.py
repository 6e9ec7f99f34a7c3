"""Conditions and periods of a query in words, or as SQL where there are none."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ai.answers.conditions.inside import COMPARED, beside_average, picked, scaled, time_between, two_columns
from ai.answers.conditions.opposites import done_to, opposite, recorded
from ai.answers.conditions.periods import has_one, is_open, others, period_words, weekdays
from ai.answers.conditions.related import placed, related, said_once
from ai.answers.formats import Format, format_of, unit_in
from ai.answers.naming import NAMES, Names, a_or_an, is_plural, listed
from ai.language.names import country_name
from ai.language.shortened import state_said
from ai.language.words import name_parts, singular
from ai.sql.facts import Operator, Origin, Output, Period, Scalar, Test

LONGEST_SQL = 200  # characters of a condition that is shown as it is
DAY_TEXT = re.compile(r"\d{4}-\d\d(-\d\d)?")
STATES = frozenset("status state".split())
STAGES = frozenset("stage phase outcome result".split())  # their codes have words, their names do not
THINGS = frozenset("app customer product vehicle store team account client".split())
PLACES = {
    "country": "in", "city": "in", "region": "in", "market": "in", "continent": "in", "town": "in", "state": "in",
    "platform": "on", "device": "on", "os": "on",
}  # fmt: skip
Havings = Sequence[tuple[Output, Operator, tuple[Scalar, ...]]]
LEAST = {">": "more than", ">=": "at least", "<": "fewer than", "<=": "at most", "=": "exactly", "!=": "other than"}
CHANGES = {"<": "a fall", ">": "a rise", "=": "no change"}
APART = "apart from "
WITH_ARTICLE = ("United ", "Netherlands", "Philippines", "Bahamas", "Maldives", "Czech Republic", "Dominican Republic")
PRESENT = {"with": "with", "without": "without", "only": "counting only"}
VERBS = {"contains": "containing", "starts": "starting with", "ends": "ending with"}


@dataclass(frozen=True, slots=True)
class Clauses:
    """Words before the noun ("open"), after it ("for Acme") and for the time ("in October")."""

    before: str = ""
    after: str = ""
    when: str = ""
    is_past: bool = False
    so_far: bool = False

    @property
    def tail(self) -> str:
        return " ".join(part for part in (self.after, self.when) if part)


def clauses_of(tests: Sequence[Test | Period], names: Names, havings: Havings = (), rows: str = "") -> Clauses:
    """Word conditions of the rows of the query, or of the table `rows`."""
    before: list[str] = []
    after: list[str] = []
    held = [test for test in tests if isinstance(test, Period)]
    periods = [each for each in held if not any(_holds(each, other) for other in held)]
    counted = [
        by.rows.lower() for by, operator, _ in havings if by.function == "count" and operator in (">", ">=", "=")
    ]
    for test in said_once([each for each in tests if isinstance(each, Test)], held, counted):
        words = adjective(test, names) or condition(test, names)
        is_before = bool(adjective(test, names)) or " " not in words
        (before if is_before else after).append(words)
    first = next((each for each in periods if each.origin.table == rows or not others(each.origin, names)), None)
    more = [
        f"{others(each.origin, names) or f'with {names.title(each.origin)}'} {period_words(each, names)}"
        for each in periods
        if each is not first
    ]
    after += [having(by, operator, values[0], names) for by, operator, values in havings]
    return Clauses(
        " ".join(before),
        _joined([*after, *more]),
        period_words(first, names) if first else "",
        is_past=bool(first and first.end and first.end <= names.today),
        so_far=bool(first and first.end and is_open(first, names.today)),
    )


def _holds(wide: Period, narrow: Period) -> bool:
    """Whether a shorter period within the same days says all of a longer one."""
    if wide.origin != narrow.origin or wide == narrow or None in (wide.start, wide.end, narrow.start, narrow.end):
        return False
    return wide.start <= narrow.start and narrow.end <= wide.end  # type: ignore[operator]


def _joined(words: Sequence[str]) -> str:
    """Join "for Acme", "in Germany" by spaces, others by "and"."""
    short = [each for each in words if each.startswith(("for ", "among ", "in ", "on ", "outside ", "not on "))]
    apart = [each.removeprefix(APART) for each in words if each.startswith(APART)]
    long = [each for each in words if each not in short and not each.startswith(APART)]
    long = [*([f"{APART}{listed(apart)}"] if apart else []), *long]
    return " ".join([*short, listed(sorted(long, key=lambda each: each.startswith("where")))]).strip()


def adjective(test: Test, names: Names) -> str:
    """Return “open” for status = 'open', “active” for is_active, else ""."""
    parts = name_parts(test.origin.column) if test.origin else ()
    if test.operator in ("null", "not null"):
        return done_to(parts, missing=test.operator == "null")
    if test.origin is None or test.operator not in ("=", "!="):
        return ""
    value = test.values[0]
    held = names.column(test.origin)
    boolean = held.kind == "boolean" or held.is_flag if held else _is_asked_of(parts, test.origin.table, names)
    flag = isinstance(value, bool) or (value in (0, 1) and (parts[:1] == ("is",) or boolean))
    if flag and parts[:1] != ("has",):
        words = " ".join(parts[1:] if parts[:1] == ("is",) else parts)
        return words if bool(value) == (test.operator == "=") else opposite(words)
    stated = STATES | STAGES if str(value).isupper() else STATES
    if not ({*parts[-1:]} & stated and isinstance(value, str) and value.isalpha() and test.operator == "="):
        return ""
    return value if value.islower() else state_said(value, name_parts(names.question))


def _is_asked_of(parts: Sequence[str], table: str, names: Names) -> bool:
    """Whether the question uses a column as an adjective: "late rides", "rides are late"."""
    noun = singular(names.noun(table or names.facts.rows))
    if len(parts) != 1 or noun == "row":
        return False
    after = rf"\b{re.escape(noun[:-1])}\w*(?: that| which)?(?: is| are| was| were)? {re.escape(parts[0])}\b"
    return bool(re.search(rf"\b{re.escape(parts[0])} {re.escape(noun[:-1])}|{after}", names.question, re.I))


def condition(test: Test, names: Names) -> str:
    """Return words to stand behind a noun."""
    if test.operator in ("with", "without", "only"):
        return _presence(test, names)
    if test.operator in ("or", "and"):
        return f" {test.operator} ".join(_side(each, names) for each in test.inner)
    if test.origin is None or test.operator in ("sql", "like"):
        return _in_sql(test, names)
    if test.operator == "weekday":
        return f"on {weekdays([int(str(day)) for day in test.values])}"
    title, values = _title(test.origin, test, names), [_value(test, value, names) for value in test.values]
    parts = name_parts(test.origin.column)
    if test.operator in ("null", "not null"):
        return recorded(title, parts, missing=test.operator == "null")
    own = title == "ID" or (bool(names.facts.rows) and title == names.noun(names.facts.rows, many=False))
    title = "ID" if parts[-1:] == ("id",) and own else f"{title} ID" if parts[-1:] == ("id",) else title
    if test.operator in ("=", "in"):
        return _equal(test, title, listed(values, "or"), names)
    if test.operator in ("!=", "not in"):
        return _unequal(test, title, values, names)
    if test.operator in VERBS:
        return f"with {a_or_an(title)} {VERBS[test.operator]} “{values[0]}”"
    if any(word != singular(word) for word in title.split()) and not isinstance(test.values[0], str):
        return f"with {LEAST[test.operator]} {values[0].removesuffix(f' {title}')} {title}"
    return f"with {a_or_an(title)} {COMPARED[test.operator]} {values[0]}"


def _title(origin: Origin, test: Test, names: Names) -> str:
    """Name a column; of the text itself “with no title” tells, not of a missing review."""
    written = test.operator in VERBS or "null" in test.operator
    return origin.column if written and origin.column in NAMES else names.title(origin)


def _unequal(test: Test, title: str, values: Sequence[str], names: Names) -> str:
    either = listed(values, "or")
    if _names_something(test, names) and test.origin is not None:
        things = related(test.origin, names)
        return f"for {things} other than {either}" if things else f"{APART}{listed(values)}"
    place = PLACES.get(title.rpartition(" ")[2])
    if place and isinstance(test.values[0], str):
        return f"{'outside' if place == 'in' else 'not on'} {either}"
    return f"with {a_or_an(title)} other than {either}"


def _side(test: Test | Period, names: Names) -> str:
    if isinstance(test, Period):
        return period_words(test, names)
    return adjective(test, names) or condition(test, names)


def _in_sql(test: Test, names: Names) -> str:
    """Show a condition as SQL, with the queries in it as words."""
    said = test.sql
    words = [names.read(query) if names.read else "a query" for query in test.queries]
    plain = two_columns(said, names) or scaled(said, names) or time_between(said, names)
    if plain := plain or beside_average(test, names):
        return plain
    if these := picked(test, names):
        return these if names.read is None else f"{these} ({words[0]})"
    for sql, told in (("NOT EXISTS({0})", "there are no {}"), ("EXISTS({0})", "there are {}")):
        if said == sql:
            return f"where {told.format(words[0])} at all"
    for at, query in enumerate(words):
        said = said.replace(f"{{{at}}}", f"({query})")
    is_plain = len(test.sql) <= LONGEST_SQL and "SELECT " not in said
    return f"where {said}" if is_plain else "under a condition that only the SQL tells in full"


def _equal(test: Test, title: str, values: str, names: Names) -> str:
    last = title.rpartition(" ")[2]
    texts = all(isinstance(value, str) for value in test.values)
    if _names_something(test, names):
        return f"for {values}"
    if last in PLACES and texts and not (last == "state" and values.islower()):
        whose = placed(test.origin, f"in {values}", names) if test.origin else ""
        return " ".join(filter(None, [whose and f"for {whose}", PLACES[last], values]))
    if is_plural(title) and not texts:
        return f"with {values} {singular(title) if values == '1' else title}"
    return f"with {title} {values}"


def _names_something(test: Test, names: Names) -> bool:
    """Tell a column of names: apps.name, reviews.app."""
    if test.origin is None or not all(isinstance(value, str) for value in test.values):
        return False
    parts = name_parts(test.origin.column)
    display = {k.lower(): v.lower() for k, v in names.semantics.display.items()}
    if display.get(test.origin.table) == test.origin.column or (parts[-1:] and parts[-1] in NAMES):
        return True
    return len(parts) == 1 and parts[0] in THINGS


def _presence(test: Test, names: Names) -> str:
    noun = names.noun(test.table)
    if nothing := _without_any(test, names):
        return nothing
    whose = clauses_of(test.inner, names)
    if test.operator == "with" and whose.tail.startswith(f"for {noun} ") and has_one(test.table, names):
        return f"for {' '.join(filter(None, (whose.before, whose.tail.removeprefix('for '))))}"
    inner = clauses_of(test.inner, names, rows=test.table)
    return " ".join(part for part in (PRESENT[test.operator], inner.before, noun, inner.tail) if part)


def _without_any(test: Test, names: Names) -> str:
    """Return “without revenue in October” for no row with more than 0, else ""."""
    some = [each for each in test.inner if isinstance(each, Test)]
    if test.operator != "without" or [(each.operator, each.values) for each in some] != [(">", (0,))]:
        return ""
    figure = names.title(some[0].origin) if some[0].origin else ""
    if names.question and not set(figure.split()) & set(name_parts(names.question)):
        return ""  # “no paid apps”
    when = clauses_of([each for each in test.inner if isinstance(each, Period)], names, rows=test.table).tail
    return " ".join(part for part in ("without", figure, when) if part) if figure else ""


def _value(test: Test, value: object, names: Names) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if test.origin is None or isinstance(value, str):
        is_country = test.origin is not None and "country" in name_parts(test.origin.column)
        text = str(value)
        held = names.column(test.origin) if test.origin else None
        text = held.called.get(text, text) if held else text
        dated = DAY_TEXT.fullmatch(text) and format_of("", "", [text], locale=names.locale).said(
            text, today=names.today
        )
        country = country_name(text) if is_country else None
        named = country or (text if is_country else "")
        return f"the {named}" if named.startswith(WITH_ARTICLE) else named or dated or text
    return format_for(test, value, names).said(value)


def format_for(test: Test, value: object, names: Names) -> Format:
    column = test.origin.column if test.origin else ""
    known = names.unit_of(test.origin) if test.origin else None
    unit = known.unit if known else unit_in(column)
    return format_of(
        column, "" if unit == "days" else unit, [value], scale=known.scale if known else 1, locale=names.locale
    )


def having(by: Output, operator: str, value: object, names: Names) -> str:
    """Return "with at least 10 reviews", "with an average price over $3", "with a fall"."""
    if by.function == "difference" and not value and operator in CHANGES:
        return f"with {CHANGES[operator]}"
    inside = clauses_of(by.tests, names)
    name = names.figure(by).removeprefix("number of ")
    shown = format_of(
        "", "" if by.function in ("count", "distinct") else unit_of_figure(by, names), [value], locale=names.locale
    ).said(value)
    if by.percent and name == "value":
        name, shown = "share", f"{shown}%"
    if by.function in ("count", "distinct") or (by.function == "sum" and is_plural(name)):
        things = [inside.before, singular(name) if shown == "1" else name, inside.tail]
        return f"with {LEAST[operator]} {shown} {' '.join(filter(None, things))}"
    words = {"=": "of", "!=": "other than", **COMPARED}[operator]
    rows = f"for {inside.before} {names.rows}" if inside.before else ""
    figure = name if is_plural(name) or is_plural(name.rpartition(" ")[2]) else a_or_an(name)
    return " ".join(filter(None, ["with", figure, rows, inside.tail, words, shown]))


def unit_of_figure(by: Output, names: Names) -> str:
    if not by.is_plain or len(by.origins) != 1:
        return ""
    known = names.unit_of(by.origins[0])
    return unit_in(by.origins[0].column) if known is None else known.unit if known.scale == 1 else ""


def order_words(output: Output, *, descending: bool, names: Names) -> str:
    """Return "highest first"; "" for the usual order of texts."""
    held = names.column(output.origins[0]) if output.origins else None
    if names.is_dated(output) and not output.is_figure:
        return "newest first" if descending else "oldest first"
    if output.is_figure or (held is not None and held.kind in ("integer", "number")):
        return "highest first" if descending else "lowest first"
    return "descending" if descending else ""
