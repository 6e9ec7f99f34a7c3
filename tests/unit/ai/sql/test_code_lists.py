"""What codes are called by one table for all of them, and who may know."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

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
