"""What codes are called by one table for all of them, and who may know."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ai.sql.catalog import Catalog, CodeList, Column, ForeignKey, Table, code_lists
from ai.sql.database import Database
from ai.sql.rights import Rights, visible
from tests.cases import cases

CASES = cases(Path(__file__).with_name("code_lists.jsonl"))
RESTRICTED = (
    Rights(tables=frozenset({"orders"})),
    Rights(denied={"lkp": frozenset({"label"})}),
    Rights(rows={"lkp": "grp <> 'ORD_ST'"}),
    Rights(masks={"lkp": {"label": "stars"}}),
    Rights(masks={"orders": {"st": "stars"}}),
    Rights(rows={"orders": "id > 1"}),
)


def opened(case: dict[str, object], folder: Path) -> Database:
    tables = case["tables"]
    assert isinstance(tables, list)
    with closing(sqlite3.connect(folder / "codes.sqlite")) as connection:
        connection.executescript(";".join(tables))
    return Database("codes", f"sqlite:///{folder / 'codes.sqlite'}")


@pytest.mark.parametrize("case", CASES)
def test_codes_are_called_by_the_rows_of_their_group(case: dict[str, object], tmp_path: Path) -> None:
    tables = opened(case, tmp_path).catalog().tables
    found = {f"{table.name}.{column.name}": column.called for table in tables for column in table.columns}
    assert {name: called for name, called in found.items() if called} == case["labels"]


@pytest.mark.parametrize("rights", RESTRICTED, ids=repr)
def test_a_table_of_codes_that_is_restricted_tells_nothing(rights: Rights, tmp_path: Path) -> None:
    catalog = opened(CASES[0].values[0], tmp_path).catalog()
    assert catalog.tables[1].columns[1].called
    seen = visible(catalog, rights)
    assert not any(column.called for table in seen.tables for column in table.columns)
    assert visible(catalog, Rights(denied={"orders": frozenset({"id"})})).tables[1].columns[0].called


def listed(names: str, keys: str = "grp code", rows: int | None = 2000, *more: Table) -> list[CodeList]:
    """The lists found in a table of texts with these columns and keys; the first has two different words."""
    first, *others = names.split()
    columns = (Column(first, "TEXT", "text", values=("A", "B")), *(Column(name, "TEXT", "text") for name in others))
    return [*code_lists(Catalog("x", "sqlite", (Table("lkp", columns, tuple(keys.split()), row_estimate=rows), *more)))]


@pytest.mark.parametrize(
    "group", "grp group type typ category domain kind set list class codeset lookup field column".split()
)
def test_a_group_may_be_called(group: str) -> None:
    assert listed(f"my_{group} code label", f"my_{group} code") == [CodeList("lkp", f"my_{group}", "code", "label")]


@pytest.mark.parametrize("code", "code cd key value val".split())
def test_a_code_may_be_called(code: str) -> None:
    assert listed(f"grp my_{code} label", f"MY_{code} GRP") == [CodeList("lkp", "grp", f"my_{code}", "label")]


@pytest.mark.parametrize("label", "label description descr desc name nm text txt meaning title display".split())
def test_a_label_may_be_called(label: str) -> None:
    assert listed(f"grp code my_{label}") == [CodeList("lkp", "grp", "code", f"my_{label}")]


@pytest.mark.parametrize(
    ("names", "keys", "rows", "found"),
    [
        ("grp code label", "", 2000, "grp code label"),
        ("grp code label", "id", 2000, "grp code label"),
        ("grp code label", "code", 2000, ""),
        ("grp code label", "grp code id", 2000, ""),
        ("grp code label", "id lang", 2000, ""),
        ("grp code label", "grp code", 2001, ""),
        ("grp code label", "grp code", None, ""),
        ("place code label", "", 9, ""),
        ("grp word label", "", 9, ""),
        ("grp code words", "", 9, ""),
        ("grp key name code label", "", 9, "grp code label"),
        ("grp value cd meaning txt", "", 9, "grp cd txt"),
        ("grp code_id label", "", 9, ""),
    ],
)
def test_a_table_names_codes_or_not(names: str, keys: str, rows: int | None, found: str) -> None:
    assert [" ".join(one.columns) for one in listed(names, keys, rows)] == ([found] if found else [])


def test_a_table_that_keys_lead_to_names_no_codes() -> None:
    user = Table("users", (Column("st", "TEXT", "text"),), (), (ForeignKey(("st",), "LKP", ("code",)),))
    assert listed("grp code label", "grp code", 9, user) == []
