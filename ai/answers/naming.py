"""What people call tables, columns and figures.

A name comes from the semantics file, the schema or the SQL. An alias counts as far as the SQL bears it out, or for a
column as vague as "amount" with a word of the question.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from ai.answers.formats import UNIT_WORDS, heading_words, in_capitals, in_minutes, in_whole_units
from ai.language.formats import AMERICAN
from ai.language.shortened import figure_parts, spoken, written_out
from ai.language.texts import ENGLISH, Translator, translator_of
from ai.language.thesaurus import is_word
from ai.language.words import capital, name_parts, plural, singular, stem, without_kind
from ai.sql.catalog import Catalog, Column
from ai.sql.facts import Facts, Origin, Output, between_days
from ai.sql.semantics import NO_SEMANTICS, SMALL_UNITS, Semantics, Unit

VAGUE = frozenset("amount value total sum n count cnt qty quantity number price val result figure".split())
COMPUTED = frozenset(
    "avg average mean total sum min max first last rate ratio share pct percent number count of per".split()
)
DATED = frozenset("on at date day week month quarter year time".split())
YOUNG = frozenset(  # words of everyday that the thesaurus has not
    "app apps api bot crm iban kpi login logins onboarding podcast podcasts signup signups sku skus smartphone "
    "username usernames webinar webinars wifi".split()
)
CENT = 0.01
NAMES = frozenset(("name", "nm", "title", "label"))
SURNAMES = frozenset(("nachname", "surname", "lastname", "lname", "fullname"))
EVENTS = re.compile(r"(?<=ed) (?:on|at)(?= to |$)")  # “days from launched on to retired on”
ONE = frozenset(
    "number average lowest highest total running earliest latest share".split()
)  # before what there are many of
SINGULAR_ENDS = ("ss", "us", "is", "news", "series")


@dataclass(frozen=True, slots=True)
class Names:
    """The vocabulary of one query."""

    facts: Facts
    catalog: Catalog
    today: date
    semantics: Semantics = NO_SEMANTICS
    question: str = ""
    locale: str = AMERICAN
    read: Callable[[Facts], str] | None = None
    language: str = ENGLISH
    units: frozenset[str] = frozenset()  # of the columns, as a name may end with them: "kwh"

    @property
    def texts(self) -> Translator:
        return translator_of(self.language)

    def noun(self, table: str, *, many: bool = True) -> str:
        """Name a row of a table by its key, else by the table."""
        held = self.catalog.table(table)
        parts = name_parts((held.name if held else table).rpartition(".")[2])
        key = name_parts(held.primary_key[0])[:-1] if held and len(held.primary_key) == 1 else ()
        parts = key if key and set(key) < set(parts) else without_kind(parts, len(held.foreign_keys) if held else 0)
        words = self._called(parts, table) or " ".join(self._spoken(parts)) or "row"
        return plural(singular(words)) if many else singular(words)

    def _spoken(self, parts: Sequence[str]) -> list[str]:
        """Put the words of the question for shortened ones: "rental" for `rnt`; else the usual ones."""
        said = ((part, spoken(part, name_parts(self.question))) for part in parts)
        return [" ".join(written_out().get(part, (part,))) if word == part else word for part, word in said]

    def read_as(self) -> str:
        """Tell which words of the question were read as shortened names: "customer" as `cst`."""
        names = [*self.facts.tables, *(o.column for output in self.facts.outputs for o in output.origins)]
        parts = dict.fromkeys(part for name in names for part in name_parts(name.rpartition(".")[2]))
        said = ((part, spoken(part, name_parts(self.question))) for part in parts)
        return "; ".join(f"“{word}” was read as “{part}”" for part, word in said if word != part)

    def _called(self, parts: Sequence[str], target: str) -> str:
        """Return the first synonym of a table or column whose name is no words: "customer" for `cust_mst`."""
        said = next((s.word for s in self.semantics.synonyms if s.target.lower() == target.lower()), "")
        if said and all(part in YOUNG or is_word(part) or is_word(singular(part)) for part in parts):
            return ""
        return said

    @property
    def rows(self) -> str:
        """The rows of the query, "rows" if unknown."""
        return self.noun(self.facts.rows) if self.facts.rows else "rows"

    def column(self, origin: Origin) -> Column | None:
        table = self.catalog.table(origin.table)
        return table.column(origin.column) if table else None

    def unit_of(self, origin: Origin) -> Unit | None:
        target = str(origin).lower()
        return next((unit for name, unit in self.semantics.units.items() if name.lower() == target), None)

    def unit_of_ratio(self, output: Output) -> Unit | None:
        """Return the unit of the figure above: USD for "revenue per install"; None where the one below has one too."""
        if output.function != "ratio" or output.percent or output.of_total:
            return None
        above, below = map(self._unit_of_total, output.parts)
        return above if below is None else None

    def _unit_of_total(self, part: Output) -> Unit | None:
        """Return the unit of a total: that of its column, else of the metric that adds it up."""
        if part.function not in ("sum", "avg") or len(part.origins) != 1:
            return None
        of = part.origins[0]
        total = re.compile(rf"sum\(\s*{re.escape(of.column)}\s*\)", re.I)
        own = (m for m in self.semantics.metrics if m.unit and m.table.lower() == of.table.lower())
        return self.unit_of(of) or next((Unit(m.unit) for m in own if total.fullmatch(m.expression.strip())), None)

    def title(self, origin: Origin) -> str:
        """Return "launched on" for `launched_on`, "active" for `is_active`."""
        column = self.column(origin)
        parts = list(name_parts(column.name if column else origin.column))
        parts[-1:] = ["status"] if parts[-1:] == ["st"] and column and column.values else parts[-1:]
        units = {*UNIT_WORDS, *self.units, "cd", *(SMALL_UNITS if self.unit_of(origin) else ())}
        while len(parts) > 1 and (parts[-1] in units or in_minutes(parts)):
            parts.pop()
        if parts == ["line"] and self.unit_of(origin):
            parts.append("amount")
        if len(parts) > 1 and parts[0] in ("is", "has"):
            parts.pop(0)
        if said := self._called(parts, str(origin)):
            return said
        if origin.table and len(parts) == 1 and parts[0] in (*NAMES, "id"):
            return self.noun(origin.table, many=False)
        parts = self._spoken(figure_parts(parts, column.kind if column else ""))
        return " ".join(map(in_capitals, parts[:-1] if len(parts) > 1 and parts[-1] in ("id", "sk") else parts))

    def figure(self, output: Output) -> str:
        """Return "revenue", "average rating", "number of apps"."""
        if output.metric:
            return " ".join(map(in_capitals, output.metric.split()))
        match output.function:
            case "ratio" if (not output.name or "_per_" in output.name) and (said := self._ratio(output)):
                return said
            case "avg" | "min" | "max" | "sum" | "median" if len(output.parts) == 1:
                word = {"avg": "average", "min": "lowest", "max": "highest", "sum": "total"}.get(
                    output.function, output.function
                )
                per = f" per {self.averaged}" if self.averaged else ""
                return f"{word} {self.figure(output.parts[0])}{per}"
            case "count":
                return f"number of {self.counted(output)}"
            case "distinct" if things := self.rows_of(output):
                return f"number of {things}"
            case "distinct":
                return f"number of different {self.different(output)}"
            case "sum" | "avg" | "min" | "max" | "median" | "running" if (
                len(output.origins) == 1 and output.origins[0].table
            ):
                return self._aggregated(output)
        return self.alias(output)

    @property
    def averaged(self) -> str:
        """Name what all averages are over, where a query inside gives one figure for each: "day", "app"; else ""."""
        figures = [output for output in self.facts.outputs if output.is_figure]
        if any(output.function not in ("avg", "median") or len(output.parts) != 1 for output in figures):
            return ""
        if len(self.facts.steps) != 1 or self.facts.branches:
            return ""
        (step,) = self.facts.steps
        if step.tests or step.havings or step.ranks or step.steps or step.limit is not None:
            return ""
        groups = {self.facts.outputs[at].name for at in self.facts.groups}
        over = [step.outputs[at] for at in step.groups if step.outputs[at].name not in groups]
        origins = [origin for output in over for origin in output.origins]
        tables = {origin.table for origin in origins}
        if len(tables) == 1 and all(output.origins for output in over) and any(map(self._is_key, origins)):
            return self.noun(tables.pop(), many=False)
        if len(over) != 1 or not origins:
            return ""
        return over[0].grain or singular(self.title(over[0].origins[0]))

    def _ratio(self, output: Output) -> str:
        """Return "revenue per install" for a ratio without a name of its own."""
        first, second = output.parts
        if output.percent or not (first.is_plain and second.is_plain and first.is_figure and second.is_figure):
            return ""
        below = self.counted(second) if second.function == "count" else self.figure(second)
        return f"{self.figure(first)} per {singular(below)}" if not first.tests and not second.tests else ""

    def counted(self, output: Output, *, many: bool = True) -> str:
        if output.rows:
            return self.noun(output.rows, many=many)
        called = " ".join(name_parts(output.name.removesuffix("_count"))) if output.name.endswith("_count") else "row"
        return plural(called) if many else called

    def rows_of(self, output: Output) -> str:
        """Name the rows counted by their key: `COUNT(DISTINCT apps.app_id)` is the number of apps."""
        counted = [origin for origin in output.origins if self._is_key(origin)]
        return self.noun(counted[0].table) if len(counted) == 1 else ""

    def _is_key(self, origin: Origin) -> bool:
        table = self.catalog.table(origin.table)
        return table is not None and [name.lower() for name in table.primary_key] == [origin.column]

    def different(self, output: Output, *, many: bool = True) -> str:
        """Name different values: users for `user_id`."""
        if len(output.origins) != 1:
            return "values" if many else "value"
        word = singular(self.title(output.origins[0]))
        if name_parts(output.origins[0].column)[:1] in (("is",), ("has",)):
            return f"{'values' if many else 'value'} of {word}"
        return plural(word) if many else word

    def alias(self, output: Output) -> str:
        words = heading_words(output.name)
        words = words if words.split(" ")[0].isupper() else f"{words[:1].lower()}{words[1:]}"
        words = EVENTS.sub("", words) if between_days(output) else words
        share = name_parts(output.name)[:1] in (("pct",), ("percent",)) and words != "share"
        return f"{words} share" if share else words if name_parts(output.name) else "value"

    def measured(self, output: Output) -> str:
        """Name the aggregated column, by the question's word if it is vague."""
        title = self.title(output.origins[0]) if output.origins else ""
        if output.factor == CENT:
            title = in_whole_units(title)
        if title.lower() in (VAGUE | self.units) and (word := self._asked_word(output)):
            return word
        if title in VAGUE and self.facts.rows and output.function in ("sum", "running"):
            return f"{self.noun(self.facts.rows, many=False)} {title}"
        return title or self.alias(output)

    def _aggregated(self, output: Output) -> str:
        if between_days(output):
            return self.alias(output)
        measured = self.measured(output)
        dated = self.is_dated(output)
        bounds = {"min": "earliest", "max": "latest"} if dated else {"min": "lowest", "max": "highest"}
        before = {"avg": "average", "sum": "", "median": "median", "running": "running total of", **bounds}[
            output.function
        ]
        return f"{before} {measured}".strip()

    def is_dated(self, output: Output) -> bool:
        """Tell a column of days by its kind, else by its name."""
        held = self.column(output.origins[0]) if len(output.origins) == 1 else None
        if held is not None:
            return held.kind in ("date", "datetime") and not between_days(output)
        return bool(output.grain) or (len(output.origins) == 1 and name_parts(output.origins[0].column)[-1] in DATED)

    def has_several_dates(self, origin: Origin) -> bool:
        table = self.catalog.table(origin.table)
        return table is not None and sum(column.kind in ("date", "datetime") for column in table.columns) > 1

    def _asked_word(self, output: Output) -> str:
        """Return the head of an alias in the question, if the SQL bears out the rest."""
        parts = [part for part in name_parts(output.name) if part not in UNIT_WORDS]
        if not parts or stem(parts[-1]) not in {stem(word) for word in name_parts(self.question)}:
            return ""
        if not all(self._is_borne_out(part) for part in parts[:-1]):
            return ""
        return " ".join(part for part in parts if part not in COMPUTED)

    def _is_borne_out(self, word: str) -> bool:
        said = {part for o in self.facts.outputs for origin in o.origins for part in name_parts(origin.column)}
        said |= {part for table in self.facts.tables for part in name_parts(table)}
        return word in COMPUTED or stem(word) in set(map(stem, said))


def is_plural(words: str) -> bool:
    """Tell "sessions" from "status" and "number of apps"."""
    first = words.split()[:1]
    if first and first[0] in ONE:
        return False
    before, _, last = words.rpartition(" ")
    last = before.rpartition(" ")[2] if before and last.endswith("ed") else last  # “trials started”
    return last.endswith("s") and not last.endswith(SINGULAR_ENDS) and singular(last) != last


def a_or_an(words: str) -> str:
    return f"{'an' if words[:1].lower() in 'aeiou' else 'a'} {words}"


def masked_note(columns: Sequence[str]) -> str:
    return f"The cells of {listed(columns)} are masked for you." if columns else ""


def listed(items: Sequence[str], word: str = "and") -> str:
    """Return "a, b and c"."""
    return f"{', '.join(items[:-1])} {word} {items[-1]}" if len(items) > 1 else "".join(items)


def abridged(items: Sequence[str], most: int) -> str:
    """Return "a, b and 3 more", the rest counted."""
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return f"{', '.join(items[:most])}{more}"


def sentence(words: str) -> str:
    """Begin with a capital, except before a name such as iOS."""
    first = words.partition(" ")[0]
    return words if first != first.lower() else capital(words)
