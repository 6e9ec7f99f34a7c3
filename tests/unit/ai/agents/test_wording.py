"""What people say to the bot itself."""

from pathlib import Path
from typing import Any

import pytest

from ai.agents.catalogue_agent import described_part
from ai.agents.sql_retrieval_agent import sql_described, sql_places
from ai.agents.wishes.exports import export_wish
from ai.agents.wishes.states import state_wish
from ai.agents.wishes.why import explained_query, pasted_sql
from tests.cases import cases
from tests.desk import cards

LINES = cases(Path(__file__).with_name("wording.jsonl"))


@pytest.mark.parametrize("line", LINES)
def test_explicit_wishes(line: dict[str, Any]) -> None:
    assert cards().said(line["text"]) == line["intent"]


@pytest.mark.parametrize("line", [line for line in LINES if "sql" in line.values[0]])
def test_what_the_wanted_sql_is_about(line: dict[str, Any]) -> None:
    assert sql_described(line["text"]) == line["sql"]


@pytest.mark.parametrize("line", [line for line in LINES if "export" in line.values[0]])
def test_what_the_wanted_file_is_about(line: dict[str, Any]) -> None:
    wish = export_wish(line["text"])
    assert [wish.what, wish.subject, *([wish.steps] if wish.steps else [])] == line["export"]


@pytest.mark.parametrize("line", [line for line in LINES if "several" in line.values[0]])
def test_which_results_are_wanted_as_files(line: dict[str, Any]) -> None:
    several = export_wish(line["text"]).several
    assert (several if several is None else list(several)) == line["several"]


@pytest.mark.parametrize("line", [line for line in LINES if "instead_of" in line.values[0]])
def test_which_format_is_wanted_that_is_not_made(line: dict[str, Any]) -> None:
    assert export_wish(line["text"]).instead_of == line["instead_of"]


@pytest.mark.parametrize("line", [line for line in LINES if "places" in line.values[0]])
def test_whose_sql_is_wanted_of_several(line: dict[str, Any]) -> None:
    assert list(sql_places(line["text"]) or ()) == line["places"]


@pytest.mark.parametrize("line", [line for line in LINES if "behind" in line.values[0]])
def test_the_rows_behind_a_figure_are_asked_for(line: dict[str, Any]) -> None:
    assert export_wish(line["text"]).behind == line["behind"]


@pytest.mark.parametrize("line", [line for line in LINES if "state" in line.values[0]])
def test_what_is_wanted_of_a_saved_state(line: dict[str, Any]) -> None:
    wish = state_wish(line["text"])
    assert (wish and [wish.verb, wish.name, *wish.next_steps]) == line["state"]


@pytest.mark.parametrize("line", [line for line in LINES if "part" in line.values[0]])
def test_what_of_the_data_is_asked_about(line: dict[str, Any]) -> None:
    assert described_part(line["text"]) == line["part"]


@pytest.mark.parametrize("line", [line for line in LINES if "explains" in line.values[0]])
def test_which_answer_is_to_be_explained(line: dict[str, Any]) -> None:
    assert explained_query(line["text"]) == line["explains"]


@pytest.mark.parametrize("line", [line for line in LINES if "pasted" in line.values[0]])
def test_which_sql_was_pasted(line: dict[str, Any]) -> None:
    assert pasted_sql(line["text"]) == line["pasted"]
