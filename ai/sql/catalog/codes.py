"""Tables that say what the codes of other columns are called: (`grp`, `code`, `label`) for all kinds of codes at once.

Such a table has no keys that lead to it: which rows are meant stands only in the code of the programs around it. A column
goes by the rows of a group that has all its values, and whose name is like its own.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ai.language.words import name_parts
from ai.sql.catalog.structure import Catalog, Column, Labels, Table

GROUPS = frozenset("grp group type typ category domain kind set list class codeset lookup field column".split())
CODES = ("code", "cd", "key", "value", "val")
LABELS = ("label", "description", "descr", "desc", "name", "nm", "text", "txt", "meaning", "title", "display")
MOST_CODES = 2_000  # rows of such a table
TELLING = 3  # different codes that are one group's alone, whatever it is called
SHORTEST = 2  # letters by which a shortened name is known


@dataclass(frozen=True, slots=True)
class CodeList:
    """A table of codes, and its columns for their group, code and label."""

    table: str
    group: str
    code: str
    label: str

    @property
    def columns(self) -> tuple[str, str, str]:
        return self.group, self.code, self.label


Rows = Iterable[tuple[str, str, str]]
Groups = Mapping[str, Mapping[str, str]]  # labels by code, by group


def code_lists(catalog: Catalog) -> Iterator[CodeList]:
    """Yield the tables that name codes of several groups."""
    led_to = {key.target_table.lower() for table in catalog.tables for key in table.foreign_keys}
    for table in catalog.tables:
        small = table.row_estimate is not None and table.row_estimate <= MOST_CODES
        if small and table.name.lower() not in led_to and (found := _code_list(table)):
            yield found


def _code_list(table: Table) -> CodeList | None:
    texts = [column for column in table.columns if column.kind == "text"]
    code = _named(texts, CODES)
    label = _named([column for column in texts if column is not code], LABELS)
    others = (column for column in texts if column is not code and column is not label)
    group = next((column for column in others if GROUPS & {*name_parts(column.name)}), None)
    if group is None or code is None or label is None or len(group.values) < 2:
        return None
    keys = {name.lower() for name in table.primary_key}
    named = {group.name.lower(), code.name.lower()}
    if named == keys or (len(keys) < 2 and not named & keys):
        return CodeList(table.name, group.name, code.name, label.name)
    return None


def _named(columns: Sequence[Column], ends: Sequence[str]) -> Column | None:
    """Return the column whose name ends with the first of these words that any ends with."""
    return next((column for end in ends for column in columns if name_parts(column.name)[-1:] == (end,)), None)


def with_labels(catalog: Catalog, listed: CodeList, rows: Rows) -> Catalog:
    """Return the catalogue with what the codes of its columns are called by a code list."""
    groups: dict[str, dict[str, str]] = {}
    for group, code, label in rows:
        groups.setdefault(group, {})[code] = label
    tables = (table if table.name == listed.table else _labelled(table, listed, groups) for table in catalog.tables)
    return replace(catalog, tables=tuple(tables))


def _labelled(table: Table, listed: CodeList, groups: Groups) -> Table:
    columns = []
    for column in table.columns:
        group = _group_of(column, table, groups) if column.kind == "text" and column.values else None
        words = tuple((value, groups[group][value]) for value in column.values) if group is not None else ()
        told = any(value.casefold() != label.casefold() for value, label in words)
        columns.append(replace(column, labels=Labels(listed.table, words)) if told else column)
    return replace(table, columns=tuple(columns))


def _group_of(column: Column, table: Table, groups: Groups) -> str | None:
    """Return the only group that has all values of a column and is called like it, or has several that no other has."""
    having = [group for group, labels in groups.items() if labels.keys() >= {*column.values}]
    alike = {group: _likeness(group, column, table) for group in having}
    best = max(alike.values(), default=0)
    nearest = [group for group, likeness in alike.items() if likeness == best]
    if len(nearest) == 1 and (best or len(column.values) >= TELLING):
        return nearest[0]
    return None


def _likeness(group: str, column: Column, table: Table) -> int:
    """Return how many words of a group's name are among those of a column and its table, two for one of the column."""
    own, near = name_parts(column.name), name_parts(table.name)
    return sum(2 * _has(own, part) or _has(near, part) for part in name_parts(group))


def _has(parts: Iterable[str], word: str) -> bool:
    return any(_is_short_for(part, word) or _is_short_for(word, part) for part in parts)


def _is_short_for(short: str, word: str) -> bool:
    return short == word or (len(short) >= SHORTEST and word.startswith(short))
