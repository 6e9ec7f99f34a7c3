"""What people are shown of tables, keys and values tells of nothing that is hidden from them, and leaves nothing else out."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pytest

from ai.sql.catalog import Catalog, Column, ForeignKey, Table
from ai.sql.rights import Rights, visible

LEAST = 20  # of each kind of key, of a seed
KINDS = (
    "seen",
    "from a hidden column",
    "to a hidden column",
    "to a hidden table",
    "to a table that is not there",
    "half hidden",
    "primary, seen",
    "primary, hidden",
)
COLUMNS = ("id", "owner", "Team", "price", "note")


@dataclass(frozen=True)
class Drawn:
    """A catalogue, and what of it is hidden: tables and columns of tables, in lower case."""

    catalog: Catalog
    tables: frozenset[str]
    columns: frozenset[tuple[str, str]]
    rights: Rights

    def hides(self, table: str, column: str) -> bool:
        return table.lower() in self.tables or (table.lower(), column.lower()) in self.columns


def drawn(chance: Random) -> Drawn:
    names = chance.sample(["orders", "Customers", "vip", "secrets", "staff"], chance.randint(2, 5))
    parts = {name: chance.sample(COLUMNS, chance.randint(2, 5)) for name in names}
    tables = tuple(
        Table(
            name,
            tuple(Column(column, "", "text", values=("HIDDEN",)) for column in columns),
            tuple(chance.sample(columns, chance.choice([0, 1, 2]))),
            tuple(keys(name, parts, chance)),
            row_estimate=7,
        )
        for name, columns in parts.items()
    )
    hidden = frozenset(name.lower() for name in names if chance.random() < 0.25)
    columns = frozenset((n.lower(), c.lower()) for n, cs in parts.items() for c in cs if chance.random() < 0.2)
    return Drawn(Catalog("all", "sqlite", tables), hidden, columns, granted(parts, hidden, columns, chance))


def keys(name: str, parts: dict[str, list[str]], chance: Random) -> Iterator[ForeignKey]:
    for _ in range(chance.choice([0, 1, 2])):
        target = chance.choice([*parts, *parts, "gone"])
        count = chance.choice([1, 1, 2])
        yield ForeignKey(
            tuple(spelt(column, chance) for column in chance.sample(parts[name], count)),
            spelt(target, chance),
            tuple(spelt(column, chance) for column in chance.sample(parts.get(target, ["id", "owner"]), count)),
        )


def granted(
    parts: dict[str, list[str]], hidden: frozenset[str], columns: frozenset[tuple[str, str]], chance: Random
) -> Rights:
    """Hide columns of some tables by naming them, of others by naming the rest."""
    listing = {name for name in parts if chance.random() < 0.5}
    return Rights(
        tables=frozenset(spelt(name, chance) for name in parts if name.lower() not in hidden),
        columns={
            spelt(name, chance): frozenset(c for c in parts[name] if (name.lower(), c.lower()) not in columns)
            for name in listing
        },
        denied={
            spelt(name, chance): frozenset(
                spelt(c, chance) for c in parts[name] if (name.lower(), c.lower()) in columns
            )
            for name in parts.keys() - listing
        },
        rows={spelt(name, chance): "1 = 1" for name in parts if chance.random() < 0.3},
    )


def spelt(name: str, chance: Random) -> str:
    return chance.choice([name, name.lower(), name.upper(), name.title()])


def kind_of(key: ForeignKey, table: Table, given: Drawn) -> str:
    here = [given.hides(table.name, column) for column in key.columns]
    there = [given.hides(key.target_table, column) for column in key.target_columns]
    if key.target_table.lower() in given.tables:
        return "to a hidden table"
    if given.catalog.table(key.target_table) is None:
        return "to a table that is not there"
    if not any(here + there):
        return "seen"
    if (any(here) and not all(here)) or (any(there) and not all(there)):
        return "half hidden"
    return "from a hidden column" if any(here) else "to a hidden column"


@pytest.mark.parametrize("seed", [3, 4])
def test_keys_and_values_tell_of_nothing_hidden(seed: int) -> None:
    chance, kinds = Random(seed), Counter[str]()
    for _ in range(400):
        given = drawn(chance)
        shown = visible(given.catalog, given.rights)
        seen = [table for table in given.catalog.tables if table.name.lower() not in given.tables]
        assert [table.name for table in shown.tables] == [table.name for table in seen]
        for whole, table in zip(seen, shown.tables, strict=True):
            held = [column.name for column in whole.columns if not given.hides(whole.name, column.name)]
            assert [column.name for column in table.columns] == held
            told = {key: kind_of(key, whole, given) for key in whole.foreign_keys}
            assert table.foreign_keys == tuple(key for key in whole.foreign_keys if told[key] == "seen")
            primary = not any(given.hides(whole.name, column) for column in whole.primary_key)
            assert table.primary_key == (whole.primary_key if primary else ())
            is_filtered = given.rights.condition(whole.name) is not None
            assert table.row_estimate == (None if is_filtered else 7)
            assert {column.values for column in table.columns} <= {() if is_filtered else ("HIDDEN",)}
            kinds.update(told.values())
            kinds.update(["primary, seen" if primary else "primary, hidden"] if whole.primary_key else [])
    assert {kind: kinds[kind] for kind in KINDS if kinds[kind] < LEAST} == {}
