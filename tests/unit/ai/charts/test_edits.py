"""Charts changed by what is said after them, one change upon the other: `edits.jsonl`."""

from pathlib import Path
from typing import Any

import pytest

from ai.agents.wishes.charts import chart_wish
from ai.charts import ChartDesign, ResultChart, changed, chart_of, chosen, fits
from tests.cases import cases
from tests.charts import view_of_case


@pytest.mark.parametrize("line", cases(Path(__file__).with_name("edits.jsonl")))
def test_changes_compose(line: dict[str, Any]) -> None:
    shown = view_of_case(line)
    design = chosen(shown)
    for said in line["said"]:
        wish = chart_wish(said)
        assert wish is not None, said
        assert fits(shown, design, wish.edits)
        design = ChartDesign.of(changed(shown, design, wish.edits).as_json())
    chart = chart_of(shown, design)
    if line["kind"] == "none":
        assert chart == line["reason"]
        return
    assert isinstance(chart, ResultChart)
    told = {
        "kind": design.kind, "standing": chart.plot.is_standing, "reason": design.reason, "log": design.log, "shares": design.shares,
        "places": [place.label for place in chart.plot.places], "count": len(chart.plot.places),
        "series": [series.name for series in chart.plot.lines],
        "title": chart.words.title, "subtitle": chart.words.subtitle,
    }  # fmt: skip
    wanted = {name: value for name, value in line.items() if name in told}
    assert {name: told[name] for name in wanted} == wanted


def test_what_the_rows_do_not_hold_is_no_change_of_the_chart() -> None:
    line = {"sql": "SELECT shop, AVG(x) AS y FROM t GROUP BY shop", "columns": ["shop", "y"], "case": ""}
    shown = view_of_case(line | {"rows": [["a", 1.5], ["b", 2.5]]})
    for said in ("without Berlin", "by month instead", "only Rome"):
        wish = chart_wish(said)
        assert wish is not None
        assert not fits(shown, chosen(shown), wish.edits)
