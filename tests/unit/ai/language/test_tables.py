"""Tables beside modules: named columns, parts and cases, no phrase twice."""

from pathlib import Path
from typing import get_args

import pytest

from ai.language.tables import Patterns, rows
from ai.nl2sql.grammar import SignKind
from tests.paths import ROOT

TABLES = sorted(path.relative_to(ROOT) for top in ("ai", "bot") for path in (ROOT / top).rglob("*.tsv"))


@pytest.mark.parametrize("path", TABLES, ids=str)
def test_a_table_has_named_columns_and_no_row_twice(path: Path) -> None:
    header = (ROOT / path).read_text("utf-8").split("\n", 1)[0].split("\t")
    found = rows(".".join(path.parent.parts), path.stem, *header)
    assert found
    assert len(set(found)) == len(found), [row for row in found if found.count(row) > 1]


@pytest.mark.parametrize("path", TABLES, ids=str)
def test_every_pattern_compiles_with_its_parts(path: Path) -> None:
    header, *lines = (ROOT / path).read_text("utf-8").splitlines()
    if header != "name\tpattern":
        return
    given = {"POLITE": "", "ORDINAL": "last", "DAY": "sunday", "CASE": "x"}
    table = Patterns(".".join(path.parent.parts), path.stem, given)
    names = [line.split("\t")[0] for line in lines]
    compiled = [table.compiled(name) for name in names if name.isupper()]
    assert len(compiled) + len(table.cases) == len(names)


def test_the_grammar_has_every_kind_of_sign_and_no_other() -> None:
    assert {kind for kind, *_ in rows("ai.nl2sql", "grammar", "kind", "value", "phrase")} == set(get_args(SignKind))


def test_rows_of_one_part_are_alternatives_and_cases_stand_in_the_frame() -> None:
    table = Patterns("ai.nl2sql", "unspecific")
    shapes = {name for name, pattern in table.cases if pattern.match("so how are the clinics doing?")}
    assert "plain" in shapes
    assert not any(pattern.match("how many clinics are there?") for _, pattern in table.cases)


def test_a_wrong_column_is_named() -> None:
    with pytest.raises(ValueError, match="every row needs 2 cells: kind, phrase"):
        rows("ai.nl2sql", "grammar", "kind", "phrase")
