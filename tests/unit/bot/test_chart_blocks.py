"""Charts as Slack's own block: within the limits of a strict Slack, or a picture."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ai.agents.port import ChartEvent, FileEvent, ReplyEvent, TableEvent, TextEvent
from ai.answers.view import View
from ai.charts import ChartEdits, ResultChart, changed, chart_of, chosen
from bot.delivery import Pictures
from bot.render.charts import chart_block
from bot.render.message import render
from local_slack.block_kit import check_blocks
from tests.charts import drawn, monthly, view

SHOPS = "SELECT shop, SUM(n) AS sales FROM t GROUP BY shop ORDER BY sales DESC"


def shops(names: list[str]) -> View:
    return view(SHOPS, ["shop", "sales"], [(name, 100 - n) for n, name in enumerate(names)])


@pytest.mark.parametrize(
    ("shown", "type_"),
    [
        (monthly(6), "line"),
        (monthly(20), "line"),
        (shops(["North", "South", "<!channel>", "*bold*"]), "bar"),
        (shops(["North"] + [f"Shop {n}" for n in range(12)]), "bar"),
    ],
)
def test_a_small_chart_is_a_block_that_slack_takes(shown: View, type_: str) -> None:
    block = chart_block(drawn(shown))
    assert block is not None
    check_blocks([block])
    assert block["chart"]["type"] == type_


def test_values_are_those_that_people_read() -> None:
    sql = "SELECT shop, AVG(late) AS late_rate FROM t GROUP BY shop ORDER BY late_rate DESC"
    block = chart_block(drawn(view(sql, ["shop", "late_rate:"], [("a", 0.25), ("b", 0.125)])))
    assert block is not None
    assert [point["value"] for point in block["chart"]["series"][0]["data"]] == [0.25, 0.125]


@pytest.mark.parametrize(
    "shown",
    [
        monthly(17 + 4),
        shops(["A name of more than twenty characters", "b"]),
        view(SHOPS, ["shop", "sales"], [("a", None), ("b", 2), ("c", 3)]),
    ],
)
def test_a_chart_beyond_the_limits_is_no_block(shown: View) -> None:
    assert chart_block(drawn(shown)) is None


def event(chart: ResultChart) -> ChartEvent:
    return ChartEvent(chart, 1, TableEvent(chart.plot.view.result))


def test_a_picture_stands_for_what_slack_has_no_block_for(tmp_path: Path) -> None:
    shown = shops([f"Shop number {n} in the north" for n in range(5)])
    events: list[ReplyEvent] = [TextEvent("Sales."), event(drawn(shown))]
    _, file = Pictures(tmp_path).drawn(events, "T:C:1", lambda _: None)
    assert isinstance(file, FileEvent)
    assert file.path.read_bytes().startswith(b"\x89PNG")
    assert "Shop number 0 in the north: 100" in file.alt
    assert render(events).blocks == render(events[:1]).blocks


def test_a_chart_that_is_not_drawn_is_its_table(tmp_path: Path) -> None:
    chart = drawn(shops([f"Shop number {n} in the north" for n in range(5)]))
    broken: Any = {"mark": 7}
    spoilt = ResultChart(chart.design, chart.words, chart.plot, broken)
    shown = list(Pictures(tmp_path).drawn([event(spoilt)], "T:C:1", lambda _: None))
    said = TextEvent("The chart could not be drawn; these are its figures.")
    assert shown == [said, event(chart).table]
    below = list(Pictures(tmp_path).drawn([event(spoilt), event(chart).table], "T:C:1", lambda _: None))
    assert below == [said, event(chart).table]


def test_what_a_picture_cannot_write_is_said_above_it(tmp_path: Path) -> None:
    chart = drawn(shops([f"Shop number {n} in the north" for n in range(5)]))
    lettered = replace(chart, legend="No. 1 is 北.")
    assert [type(each) for each in Pictures(tmp_path).drawn([event(chart)], "T:C:1", lambda _: None)] == [FileEvent]
    said, _ = Pictures(tmp_path).drawn([event(lettered)], "T:C:1", lambda _: None)
    assert said == TextEvent("No. 1 is 北.")


def test_stacks_and_logarithms_are_pictures() -> None:
    shown = shops(["a", "b", "c"])
    made = chart_of(shown, changed(shown, chosen(shown), ChartEdits(log=True)))
    assert isinstance(made, ResultChart)
    assert chart_block(made) is None
