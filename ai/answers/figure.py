"""A column of figures in words."""

import re
from dataclasses import dataclass
from typing import Any

from ai.answers.conditions import Clauses, clauses_of
from ai.answers.naming import NAMES, SURNAMES, Names, is_plural, sentence
from ai.answers.view import View
from ai.language.words import name_parts, singular
from ai.results.table import Row
from ai.sql.facts import Output, Test, between_days

ASKS = re.compile(r"(?:is|are|was|were|do|does|did|has|have|can) ", re.I)
OPEN = re.compile(r"\b(?:how|which|what|who|when|where|not|no|never|without)\b|n't\b", re.I)
UNITS = "years|months|weeks|days|hours|minutes"
SINCE = re.compile(rf"(?:(?P<least>lowest)|highest)_(?P<unit>{UNITS})_since_")
SPENT = re.compile(rf"(?P<how>average|median|lowest|highest)_(?P<unit>{UNITS})_from_(?P<first>\w+?)_to_(?P<last>\w+)")
DAY = re.compile(r" (?:on|at)(?= to |$)")
FINER = {"days": ("hours", 24), "hours": ("minutes", 60)}  # and how many of these are in one
SHARES = {"average": "{} on average", "median": "{} in the median", "lowest": "at least {}", "highest": "at most {}"}
ANY = re.compile(r"(?:do|does|did|have|has) .*\b(?:have|any)\b|(?:is|are|was|were) (?:there|any)\b", re.I)


def words(*parts: str) -> str:
    return " ".join(" ".join(parts).split())


def asks_whether(question: str) -> bool:
    """Tell a question for yes or no, without a negation to turn the answer around."""
    return bool(ASKS.match(question.strip())) and not OPEN.search(question)


def asks_for_any(question: str) -> bool:
    return asks_whether(question) and bool(ANY.match(question.strip()))


@dataclass(frozen=True, slots=True)
class Figure:
    """`clauses` are the conditions of all rows and those inside the aggregate."""

    view: View
    at: int

    @property
    def output(self) -> Output:
        return self.view.outputs[self.at]

    @property
    def names(self) -> Names:
        return self.view.names

    @property
    def clauses(self) -> Clauses:
        return self.view.clauses(*self.output.tests)

    @property
    def counts(self) -> bool:
        return self.output.function == "count" and not self.output.metric

    @property
    def is_many(self) -> bool:
        """Whether it counts rows or different values; “bad reviews” are counted, a “ticket count” is a figure."""
        metric = self.output.metric
        return self.output.function in ("count", "distinct") and (not metric or is_plural(self.name))

    @property
    def name(self) -> str:
        """Return "revenue", "average rating" or "number of orders"."""
        return self.names.figure(self.output) if self.output.is_figure else self.view.title(self.at)

    @property
    def full(self) -> str:
        """The name with the conditions inside the aggregate."""
        held = clauses_of(self.output.tests, self.names)
        if self.counts:
            return words("number of", held.before, self.names.counted(self.output), held.tail)
        return words(self.name, held.tail)

    @property
    def measured(self) -> str:
        """The name of the aggregated column."""
        if self.output.metric or not self.output.origins:
            return self.name
        return self.names.measured(self.output) if self.output.is_figure else self.name

    def things(self, *, many: bool = True) -> str:
        """Name the counted things: "open tickets"."""
        if self.output.metric:
            return words(self.clauses.before, self.name if many else singular(self.name))
        if self.output.function == "distinct":
            if rows := self.names.rows_of(self.output):
                return rows if many else singular(rows)
            return words("different", self.names.different(self.output, many=many))
        return words(self.clauses.before, self.names.counted(self.output, many=many))

    @property
    def subject(self) -> str:
        """Return "revenue on iOS", "open tickets" or "average price of bikes"."""
        name = f"the {self.name}" if self.name.startswith("number of") else self.name
        return words(self.things() if self.counts else name, self.scope)

    @property
    def scope(self) -> str:
        rows = f"for {self.clauses.before} {self.names.rows}" if self.clauses.before and not self.counts else ""
        return words(rows, self.clauses.after)

    @property
    def tail(self) -> str:
        return words(self.scope, self.clauses.when)

    @property
    def be(self) -> str:
        many = self.counts or is_plural(self.name)
        return ("were" if many else "was") if self.clauses.is_past else "are" if many else "is"

    @property
    def so_far(self) -> str:
        return " so far" if self.clauses.so_far else ""

    def said(self, row: Row) -> str:
        return self.view.said(row, self.at)

    def item(self, row: Row, *, whole: bool = False) -> str:
        """Say "12 orders" or "revenue $910"; `whole` adds adjectives: "12 open orders"."""
        value = row[self.at]
        plain = self.view.formats[self.at].kind == "number" and is_plural(self.full) and not self.output.tests
        if value is None:
            return f"no {self.measured}"
        if self.counts:
            held = clauses_of(self.output.tests, self.names)
            before = held.before if self.output.tests else self.clauses.before if whole else ""
            return words(self.said(row), before, self.names.counted(self.output, many=value != 1), held.tail)
        return f"{self.said(row)} {self.full}" if plain and value != 1 else f"{self.full} {self.said(row)}"


def predicate(inner: Clauses, *, many: bool) -> str:
    """Return "are active", "have source referral", "are on iOS"."""
    be, have = ("are", "have") if many else ("is", "has")
    if inner.before:
        return words(be, inner.before, inner.tail)
    if inner.after.startswith("without "):
        return words(have, "no", inner.tail.removeprefix("without "))
    return words(have, inner.tail.removeprefix("with ")) if inner.after.startswith("with ") else words(be, inner.tail)


def ago(figure: Figure, row: Row) -> str:
    """Return "The latest release was 3 days ago." for the least time since one; "" for other figures."""
    output, clauses, value = figure.output, figure.clauses, row[figure.at]
    since = SINCE.match(output.name)
    if since is None or not between_days(output) or value is None:
        return ""
    one = words(clauses.before, figure.names.noun(figure.names.facts.rows, many=False), clauses.tail)
    unit = singular(since["unit"]) if value == 1 else since["unit"]
    return f"The {'latest' if since['least'] else 'earliest'} {one} was {figure.said(row)} {unit} ago."


def spent(figure: Figure, row: Row) -> str:
    """Return "Apps take 961 days on average from launched to retired." for the time between two days."""
    output, clauses, names, value = figure.output, figure.clauses, figure.names, row[figure.at]
    ends = SPENT.fullmatch(output.name)
    if ends is None or not between_days(output) or value is None or not names.facts.rows:
        return ""
    length, unit = _finer(value, ends["unit"])
    shown = figure.view.formats[figure.at].said(length, today=names.today)
    size = SHARES[ends["how"]].format(f"{shown} {singular(unit) if length == 1 else unit}")
    things = words(clauses.before, names.rows, clauses.after)
    rest = DAY.sub("", names.alias(output).partition(" from ")[2])
    said = words(things, "took" if clauses.is_past else "take", size, "from", rest, clauses.when)
    held = [names.column(origin) for origin in output.origins]
    known = {each.origin for each in names.facts.tests if isinstance(each, Test) and each.operator == "not null"}
    open_ended = any(c and c.nullable and o not in known for c, o in zip(held, output.origins, strict=True))
    return f"{sentence(said)}{'; those without both days are not counted' if open_ended else ''}."


def _finer(length: Any, unit: str) -> tuple[Any, str]:
    """Say 0.08 days in hours: (1.92, "hours")."""
    while unit in FINER and 0 < abs(length) < 1:
        unit, each = FINER[unit]
        length *= each
    return length, unit


def called(view: View) -> str:
    """Return what one of the groups is called: “trainer” where the key is their surname."""
    origins = view.outputs[view.keys[0]].origins
    named = bool(origins) and bool((NAMES | SURNAMES) & {*name_parts(origins[0].column)})
    return view.names.noun(origins[0].table, many=False) if named else singular(view.title(view.keys[0]))
