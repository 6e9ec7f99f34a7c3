"""Figures of a query in words: aggregates, ratios, formulas, window functions, and queries that stand for a value."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from ai.answers.conditions import clauses_of
from ai.answers.naming import Names
from ai.language.words import name_parts
from ai.sql.facts import Output, is_change

LONGEST = 160  # characters of SQL that stand for a figure without other words
SIGNS = {" / ": " divided by ", " * ": " times ", " - ": " minus ", " + ": " plus "}
OVER = {
    "sum": "total of", "avg": "average of", "min": "lowest", "max": "highest", "median": "median",
    "count": "number of values of", "distinct": "number of different values of"
}  # fmt: skip
OF_ROWS = frozenset(("avg", "min", "max", "median"))
RANKS = frozenset(
    ("rank", "row number", "rownumber", "dense rank", "denserank", "percent rank", "percentrank", "ntile")
)
ROWS_BEFORE = re.compile(r"ROWS BETWEEN (\d+) PRECEDING AND CURRENT ROW", re.IGNORECASE)
BESIDE = {"lag": "of the row before", "lead": "of the next row"}


@dataclass(frozen=True, slots=True)
class OutputWords:
    """Words for the outputs of one query; `read` words a query inside it."""

    names: Names
    read: Callable[[Names], str]

    def column(self, output: Output) -> str:
        if output.is_plain and len(output.origins) == 1:
            return self.names.title(output.origins[0])
        if output.grain and output.origins:
            return f"{output.grain} of {self.names.title(output.origins[0])}"
        if not output.name and output.formula:
            return self._filled(output)
        return self.names.alias(output)

    def group(self, output: Output) -> str:
        if output.grain or (output.is_plain and output.origins):
            return output.grain or self.names.title(output.origins[0])
        return self.names.alias(output) if output.name else output.sql

    def figure(self, output: Output, before: str = "") -> str:
        """Name a figure with the rows it is over, and with what holds inside it."""
        names = self.names
        if output.metric:
            return f"{output.metric} {clauses_of(output.tests, names).tail}".strip()
        if output.function == "exists":
            return f"whether there are {clauses_of(output.tests, names).after.removeprefix('with ')}"
        if is_change(output):
            return "change in percent" if output.percent else "change"
        said = self._operand(output, before)
        if output.function in OF_ROWS and not before and names.facts.rows and output.window is None:
            said += f" of {names.rows}"
        alias = names.alias(output) if name_parts(output.name) else ""
        if alias and "JULIANDAY" in said:
            return alias
        if alias and not self._is_named(output) and not said.startswith("share of "):
            return f"{alias} ({said})"
        return said

    def _is_named(self, output: Output) -> bool:
        """Whether the name says all: one aggregate over one column, or a count."""
        return not output.query and (
            output.function in ("count", "median")
            or output.window is not None
            or (len(output.origins) == 1 and output.function not in ("ratio", "other"))
        )

    def _operand(self, output: Output, before: str = "") -> str:
        if output.query is not None:
            return f"({self.read(replace(self.names, facts=output.query))})"
        if output.window is not None and output.function != "running":
            return self._windowed(output)
        if output.function == "":
            return self.column(output) if output.origins else output.sql
        inside = clauses_of(output.tests, self.names)
        head = " ".join(part for part in (before, inside.before) if part)
        said = (
            f"number of {head} {self.names.counted(output)}" if output.function == "count" else self._measured(output)
        )
        if inside.before and output.function != "count":
            said += f" of {inside.before} {self.names.rows}"
        if output.function == "running":
            said += self._within(output)
        same = [f"of the same {self.names.title(tie)}" for tie in output.ties]
        overall = "overall" if output.overall and not inside.tail else ""
        return " ".join(f"{said} {' '.join(same)} {inside.tail} {overall}".split())

    def _measured(self, output: Output) -> str:
        if len(output.parts) == 2 and output.function in ("ratio", "difference"):
            return self._of_two(output)
        if output.function in OVER and output.formula:
            return f"{OVER[output.function]} {self._filled(output)}"
        if output.function == "other":
            return self._filled(output)
        if output.function == "running" and output.operands:
            added = output.operands[0].parts[0] if output.operands[0].parts else output.operands[0]
            return f"running total of {self._operand(added)}"
        said = self.names.figure(output)
        return f"{said} (not {output.lacks} as defined)" if output.lacks else said

    def _of_two(self, output: Output) -> str:
        first, second = (self._operand(part) for part in output.parts)
        if output.function == "difference":
            return f"{first} minus {second}"
        if output.of_total and self._is_whole(output):
            among = self._within(output.parts[1]) if output.parts[1].window else ""
            return f"share of {first.removeprefix('number of ')}{among}"
        return f"{first} as a percentage of {second}" if output.percent else f"{first} divided by {second}"

    def _is_whole(self, output: Output) -> bool:
        """Whether the second operand is the first one over all groups."""
        first, second = output.parts
        if second.window is not None:
            return second.origins == first.origins
        same = (first.function, first.origins) == (second.function, second.origins)
        return same and second.overall and second.query is None and set(second.tests) == set(self.names.facts.tests)

    def _filled(self, output: Output) -> str:
        said = output.formula
        for sign, word in SIGNS.items():
            said = said.replace(sign, word)
        for at, operand in enumerate(output.operands):
            said = said.replace(f"{{{at}}}", self._operand(operand))
        return said or (output.sql if len(output.sql) <= LONGEST else "computed as the SQL says")

    def _windowed(self, output: Output) -> str:
        window = output.window
        if window is None:
            return ""
        measured = self._operand(output.operands[0]) if output.operands else ""
        if window.function in RANKS:
            return f"rank{self._within(output)}"
        if window.function in BESIDE:
            return f"{measured} {BESIDE[window.function]}{self._within(output)}"
        if window.function == "avg" and (rows := ROWS_BEFORE.match(window.frame)):
            mean = measured if measured.startswith("average") else f"average of {measured}"
            return f"moving {mean} over the last {int(rows[1]) + 1} rows{self._within(output)}"
        if window.order or window.frame:
            measured = f"moving {measured}" if window.function == "avg" else f"{window.function} of {measured}"
        frame = f" over {window.frame.lower()}" if window.frame else ""
        return f"{measured}{frame}{self._within(output)}" + (
            "" if window.order or window.partition else " over all rows"
        )

    def _within(self, output: Output) -> str:
        """Name the order and the parts of a window function."""
        window = output.window
        if window is None:
            return ""
        groups = [self.group(self.names.facts.outputs[at]) for at in self.names.facts.groups]
        named = [
            (self.group(key.by) if key.by.grain else self._operand(key.by), key.descending) for key in window.order
        ]
        keys = [said + (" descending" if down else "") for said, down in named if down or said not in groups]
        parts = [self.group(part) for part in window.partition]
        by = f" by {', '.join(keys)}" if keys else ""
        return by + (f" in each {' and '.join(parts)}" if parts else "")
