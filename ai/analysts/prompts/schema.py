"""The schema in a prompt: all tables while they fit, else those of the question.

A line is `table(column type pk, column type ->other, …)`, with the values of columns that have few.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ai.analysts.prompts.data import name, quoted
from ai.sql.catalog import Catalog, Column, Count, Linker, Table

FEW_VALUES, VALUE_LENGTH, COMMENT_LENGTH = 10, 30, 80
TYPE_LENGTH = 12
TEXTS = re.compile("char|text|string|clob", re.IGNORECASE)
FURTHER = "further tables: "
WIDE = 1_000  # tokens from which columns are worth more than the names of further tables
LINKED = {False: (0.3, 0.8), True: (0.7, 0.95)}  # shares of a narrow and a wide budget: lines linked, lines with keys
REMEMBERED = 32  # catalogues


@dataclass(frozen=True, slots=True)
class SchemaExcerpt:
    text: str
    whole: bool


class SchemaText:
    def __init__(self, count: Count, *, private: bool) -> None:
        self._count = count
        self._private = private
        self._linker = lru_cache(maxsize=REMEMBERED)(lambda catalog: Linker(catalog, count))
        self._whole = lru_cache(maxsize=REMEMBERED)(self._all_lines)

    def show(self, catalog: Catalog, question: str, full: int, linked: int) -> SchemaExcerpt:
        """Return all tables within `full` tokens, else the linked ones within `linked`."""
        if (text := self._whole(catalog, full)) is not None:
            return SchemaExcerpt(text, whole=True)
        plain, lines = LINKED[linked >= WIDE]
        found = self._linker(catalog).link(question, int(linked * plain))
        columns: dict[str, set[str]] = defaultdict(set)
        for table, column in found.columns:
            columns[table].add(column)
        shown = [table for table in map(catalog.table, columns) if table is not None]
        alike = {table.name: _members(found.tables, table.name, columns) for table in shown}
        bare, full_lines = (
            [self._line(table, columns[table.name], alike[table.name], values=values) for table in shown]
            for values in (False, True)
        )
        text = self._fitting(bare, full_lines, int(linked * lines))
        return SchemaExcerpt(self._with_names(text, found.others, linked), whole=False)

    def _with_names(self, text: str, others: Sequence[str], budget: int) -> str:
        """Add the names of further tables, as many as fit."""
        left = budget - self._count(f"{text}\n{FURTHER}")
        named: list[str] = []
        for other in map(name, others):
            left -= self._count(f", {other},")
            if left < 0:
                break
            named.append(other)
        return f"{text}\n{FURTHER}{', '.join(named)}" if named else text

    def _all_lines(self, catalog: Catalog, budget: int) -> str | None:
        lines: list[str] = []
        size = 0
        for table in catalog.tables:
            lines.append(self._line(table, {column.name for column in table.columns}))
            size += self._count(lines[-1]) + 1
            if size > budget:
                return None
        return "\n".join(lines)

    def _fitting(self, bare: list[str], detailed: list[str], budget: int) -> str:
        """Fit as many tables as possible, the first ones with values and comments."""
        sizes = [self._count(line) + 1 for line in bare]
        while len(sizes) > 1 and sum(sizes) > budget:
            sizes.pop()
        left = budget - sum(sizes)
        lines = bare[: len(sizes)]
        for at, size in enumerate(sizes):
            left -= self._count(detailed[at]) + 1 - size
            if left < 0:
                break
            lines[at] = detailed[at]
        return "\n".join(lines)

    def _line(self, table: Table, shown: Iterable[str], alike: Sequence[str] = (), *, values: bool = True) -> str:
        wanted, told = set(shown), values and not self._private
        parts = [self._part(table, column, told=told) for column in table.columns if column.name in wanted]
        parts += [_composite(key.columns, key.target_table) for key in table.foreign_keys if len(key.columns) > 1]
        more = f" and alike: {name(alike[0])} … {name(alike[-1])}" if alike else ""
        comment = "" if not told or not table.comment else f" {quoted(table.comment[:COMMENT_LENGTH])}"
        return f"{name(table.name)}({', '.join(parts)}){more}{comment}"

    def _part(self, table: Table, column: Column, *, told: bool) -> str:
        said = [name(column.name), _type(column) if told or not _is_text(column) else ""]
        if table.primary_key == (column.name,):
            said.append("pk")
        said += [f"->{name(key.target_table)}" for key in table.foreign_keys if key.columns == (column.name,)]
        if told:
            said.append(quoted(column.comment[:COMMENT_LENGTH]) if column.comment else "")
            said.append(_values(column))
        return " ".join(word for word in said if word)


def _type(column: Column) -> str:
    if column.is_compact:
        return "days as 20261031"
    if column.is_epoch:
        return "seconds since 1970"
    kind = column.type.partition("(")[0].strip().lower()
    return kind if kind.isalnum() and len(kind) <= TYPE_LENGTH else column.kind


def _is_text(column: Column) -> bool:
    return column.kind == "text" or TEXTS.search(column.type) is not None


def _values(column: Column) -> str:
    few = 0 < len(column.values) <= FEW_VALUES and max(map(len, column.values)) <= VALUE_LENGTH
    return quoted({**column.called} if column.labels else list(column.values)) if few else ""


def _composite(columns: Sequence[str], target: str) -> str:
    return f"({', '.join(map(name, columns))})->{name(target)}"


def _members(tables: Sequence[str], head: str, heads: Iterable[str]) -> Sequence[str]:
    others, start = set(heads), tables.index(head) + 1
    end = next((place for place in range(start, len(tables)) if tables[place] in others), len(tables))
    return tables[start:end]
