"""Results in words: data values stay what they are."""

import re
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.answers.naming import Names
from ai.answers.phrase import literal, phrase, phrased
from ai.answers.view import View, view_of
from ai.results.table import ResultColumn, ResultTable
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.facts import facts_of

CATALOG = Catalog("", "sqlite", ())
TODAY = date(2026, 11, 22)


def view(
    sql: str, *rows: tuple[object, ...], truncated: bool = False, count: int | None = None, catalog: Catalog = CATALOG
) -> View:
    facts = facts_of(sql, catalog, TODAY)
    columns = tuple(ResultColumn(output.name) for output in facts.outputs)
    return view_of(Names(facts, catalog, TODAY), ResultTable(columns, rows, count or len(rows), truncated))


def test_a_cell_in_a_sentence_is_neither_a_mention_nor_formatting() -> None:
    made = view(
        "SELECT name, COUNT(*) AS n FROM apps GROUP BY name ORDER BY n DESC", ("<!channel> *b*", 5), ("x", 1), ("y", 1)
    )
    assert "\\<\\!channel\\> \\*b\\* has the most apps" in phrase(made)


def test_a_cut_result_says_so_and_counts_no_total() -> None:
    made = view("SELECT name FROM apps", ("a",), ("b",), truncated=True)
    assert phrased(made) == "These are 2 apps. There are more: only the first 2 rows were kept."


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT name FROM apps", "There are 1,900 apps."),
        ("SELECT name FROM apps LIMIT 1900", "These are 1,900 apps."),
    ],
)
def test_a_long_list_is_counted_whole_though_few_rows_are_at_hand(sql: str, said: str) -> None:
    assert phrased(view(sql, ("a",), ("b",), count=1_900)) == said


def test_masked_cells_are_named() -> None:
    assert phrased(view("SELECT name, email FROM users", ("a", "***"), ("b", "***"))).endswith(
        "Cells shown as *** are masked for you."
    )


@settings(deadline=None)
@given(st.text())
def test_a_literal_has_no_bare_markup_and_loses_nothing_visible(text: str) -> None:
    escaped = literal(text)
    assert not re.search(r"(?<!\\)(?:\\\\)*[*_`\[\]<>@&|#~]", escaped)
    assert "\n" not in escaped
    assert literal(re.sub(r"\\(.)", r"\1", escaped)) == escaped


CELLS = st.one_of(st.none(), st.integers(-(10**6), 10**6), st.floats(-1e6, 1e6), st.text(max_size=12))
SQL = "SELECT a, b FROM t"


@settings(deadline=None)
@given(
    st.lists(st.tuples(CELLS, CELLS), max_size=6),
    st.sampled_from((SQL, f"{SQL} ORDER BY b DESC LIMIT 3", "SELECT a, SUM(b) AS b FROM t GROUP BY a")),
)
def test_every_result_has_words(rows: list[tuple[object, object]], sql: str) -> None:
    text = phrased(view(sql, *rows))
    assert text
    assert "None" not in text


ID = Column("app_id", "INTEGER", "integer")
DATED = Catalog(
    "",
    "sqlite",
    (
        Table("apps", (ID, Column("launched_on", "DATE", "date", nullable=False)), ("app_id",)),
        Table("reviews", (ID, Column("written_on", "DATE", "date", nullable=False))),
        Table("ratings", (ID, Column("stars", "INTEGER", "integer"))),
    ),
)
JOINED = "SELECT COUNT(*) AS n FROM {0} JOIN apps ON apps.app_id = {0}.app_id WHERE {1}"
IN_2025 = "{0} >= '2025-01-01' AND {0} < '2026-01-01'"


@pytest.mark.parametrize(
    ("table", "days", "said"),
    [
        ("reviews", ("apps.launched_on",), "There are 7 reviews for apps launched in 2025."),
        (
            "reviews",
            ("apps.launched_on", "reviews.written_on"),
            "There were 7 reviews for apps launched in 2025 in 2025.",
        ),
        ("ratings", ("apps.launched_on",), "There were 7 ratings in 2025."),
    ],
)
def test_a_time_of_other_things_than_those_counted_says_whose_it_is(
    table: str, days: tuple[str, ...], said: str
) -> None:
    sql = JOINED.format(table, " AND ".join(map(IN_2025.format, days)))
    assert phrased(view(sql, (7,), catalog=DATED)) == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("reviews of apps in Ulm", "There are 7 reviews for apps in Ulm."),
        ("how many reviews to Ulm", "There are 7 reviews for apps in Ulm."),
        ("how many reviews in Ulm", "There are 7 reviews in Ulm."),
    ],
)
def test_a_place_of_other_things_than_those_counted_says_whose_it_is(question: str, said: str) -> None:
    made = view(JOINED.format("reviews", "apps.city = 'Ulm'"), (7,), catalog=DATED)
    assert phrased(replace(made, names=replace(made.names, question=question))) == said


@pytest.mark.parametrize(("name", "said"), [("<> 'Pingo'", "for apps other than Pingo"), ("= 'Pingo'", "for Pingo")])
def test_a_name_of_other_things_than_those_counted_says_whose_it_is(name: str, said: str) -> None:
    assert (
        phrased(view(JOINED.format("reviews", f"apps.name {name}"), (7,), catalog=DATED))
        == f"There are 7 reviews {said}."
    )


def test_months_cut_by_the_asked_time_are_no_ends_of_a_rise() -> None:
    sql = (
        "SELECT strftime('%Y-%m', day) AS month, SUM(revenue) AS revenue FROM sales "
        "WHERE day >= '2026-05-22' AND day < '2026-09-11' GROUP BY month ORDER BY month"
    )
    months = (("2026-05", 10), ("2026-06", 40), ("2026-07", 44), ("2026-08", 52), ("2026-09", 12))
    assert phrased(view(sql, *months)) == "Revenue rose from 40 in June to 52 in August."


@pytest.mark.parametrize(
    ("inner", "said"),
    [
        ("SELECT app_id FROM apps ORDER BY launched_on LIMIT 1", "There are 7 reviews for this app."),
        ("SELECT app_id FROM apps ORDER BY launched_on LIMIT 3", "There are 7 reviews for these apps."),
    ],
)
def test_rows_picked_by_a_query_are_one_or_several(inner: str, said: str) -> None:
    assert phrased(view(JOINED.format("reviews", f"apps.app_id IN ({inner})"), (7,), catalog=DATED)) == said
