"""Names in letters that no font here has: linear B, and signs of a private area."""

import pytest

from ai.charts import ChartEdits, changed, chart_of, chosen
from ai.charts.chart import ResultChart
from ai.charts.letters import is_written
from tests.charts import view

KNOSSOS, PYLOS, SIGN = "\U00010000\U00010001", "\U00010002", "\ue123"


def chart(*names: str, kind: str = "bar") -> ResultChart:
    rows = [(name, 100 - 10 * at) for at, name in enumerate(names)]
    sql = "SELECT city, SUM(amount) AS revenue FROM orders GROUP BY city ORDER BY revenue DESC"
    shown = view(sql, ["city", "revenue"], rows, question="revenue by city")
    made = chart_of(shown, changed(shown, chosen(shown), ChartEdits(kind=kind)))  # type: ignore[arg-type]
    assert isinstance(made, ResultChart)
    return made


@pytest.mark.parametrize("character", "Aéß€ЖΩ→ \u0301\u200d")
def test_usual_letters_are_written(character: str) -> None:
    assert is_written(character)


@pytest.mark.parametrize("kind", ["bar", "pie"])
def test_numbers_stand_for_names_without_a_font_and_are_told(kind: str) -> None:
    made = chart(KNOSSOS, "Łódź", PYLOS, kind=kind)
    assert made.legend.endswith(f"in the picture No. 1 is {KNOSSOS}, No. 2 is {PYLOS}.")
    assert not {*KNOSSOS, *PYLOS} & set(str({**made.spec, "description": ""}))
    assert "No. 1" in str(made.spec)
    assert KNOSSOS in made.words.alt
    assert [place.label for place in made.plot.places] == [KNOSSOS, "Łódź", PYLOS]


def test_signs_are_left_out_of_a_name_unless_another_bears_the_rest() -> None:
    made = chart(f"{SIGN} Launch", f"Rest {SIGN}", "Rest", SIGN)
    assert made.legend.endswith(f"No. 1 is Rest {SIGN}, No. 2 is {SIGN}.")
    assert "Launch" in str(made.spec)
    assert SIGN not in str({**made.spec, "description": ""})


def test_what_a_title_cannot_be_written_in_is_cut() -> None:
    sql = (
        f"SELECT city, SUM(amount) AS revenue FROM orders WHERE area = '{KNOSSOS}' GROUP BY city ORDER BY revenue DESC"
    )
    shown = view(sql, ["city", "revenue"], [("Kiel", 3), ("Bonn", 2)], question="revenue by city")
    made = chart_of(shown, chosen(shown))
    assert isinstance(made, ResultChart)
    assert not set(KNOSSOS) & set(str({**made.spec, "description": ""}))
