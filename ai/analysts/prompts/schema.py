"""The schema in a prompt: all tables while they fit, else those of the question.

A line is `table(column type pk, column type ->other, …)`, with the values of columns that have few.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ai.analysts.prompts.data import name, quoted
from ai.sql.catalog import Catalog, Column, Count, Linker, Table

FEW_VALUES, VALUE_LENGTH, COMMENT_LENGTH = 10, 30, 80
TYPE_LENGTH = 12
PLAIN_LINES = 0.7  # share of a linked schema's budget for bare lines; the rest is for keys and values
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
        found = self._linker(catalog).link(question, int(linked * PLAIN_LINES))
        columns: dict[str, set[str]] = defaultdict(set)
        for table, column in found.columns:
            columns[table].add(column)
        lines = [
            self._line(table, columns[table.name], _members(found.tables, table.name, columns))
            for table in map(catalog.table, columns)
            if table is not None
        ]
        return SchemaExcerpt(self._fitting(lines, linked), whole=False)

    def _all_lines(self, catalog: Catalog, budget: int) -> str | None:
        lines: list[str] = []
        size = 0
        for table in catalog.tables:
            lines.append(self._line(table, {column.name for column in table.columns}))
            size += self._count(lines[-1]) + 1
            if size > budget:
                return None
        return "\n".join(lines)

    def _fitting(self, lines: list[str], budget: int) -> str:
        while len(lines) > 1 and self._count("\n".join(lines)) > budget:
            lines.pop()
        return "\n".join(lines)

    def _line(self, table: Table, shown: Iterable[str], alike: Sequence[str] = ()) -> str:
        wanted = set(shown)
        parts = [self._part(table, column) for column in table.columns if column.name in wanted]
        parts += [_composite(key.columns, key.target_table) for key in table.foreign_keys if len(key.columns) > 1]
        more = f" and alike: {name(alike[0])} … {name(alike[-1])}" if alike else ""
        comment = "" if self._private or not table.comment else f" {quoted(table.comment[:COMMENT_LENGTH])}"
        return f"{name(table.name)}({', '.join(parts)}){more}{comment}"

    def _part(self, table: Table, column: Column) -> str:
        said = [name(column.name), _type(column)]
        if table.primary_key == (column.name,):
            said.append("pk")
        said += [f"->{name(key.target_table)}" for key in table.foreign_keys if key.columns == (column.name,)]
        if not self._private:
            said.append(quoted(column.comment[:COMMENT_LENGTH]) if column.comment else "")
            said.append(_values(column))
        return " ".join(word for word in said if word)


def _type(column: Column) -> str:
    kind = column.type.partition("(")[0].strip().lower()
    return kind if kind.isalnum() and len(kind) <= TYPE_LENGTH else column.kind


def _values(column: Column) -> str:
    few = 0 < len(column.values) <= FEW_VALUES and max(map(len, column.values)) <= VALUE_LENGTH
    return quoted(list(column.values)) if few else ""


def _composite(columns: Sequence[str], target: str) -> str:
    return f"({', '.join(map(name, columns))})->{name(target)}"


def _members(tables: Sequence[str], head: str, heads: Iterable[str]) -> Sequence[str]:
    others, start = set(heads), tables.index(head) + 1
    end = next((place for place in range(start, len(tables)) if tables[place] in others), len(tables))
    return tables[start:end]
