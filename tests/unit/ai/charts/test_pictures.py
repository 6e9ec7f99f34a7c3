"""Pictures: each kind obeys the schema of Vega-Lite, is drawn at its size, and its colours are told apart."""

from itertools import combinations
from time import process_time

import pytest

from ai.answers.view import ColumnHint
from ai.charts import ChartEdits, ResultChart, changed, chart_of, chosen
from ai.charts.draw import DRAWERS, NotDrawn, png
from ai.charts.theme import COLOURS, PAPER
from tests.charts import drawn, monthly, view
from tests.pictures import faults, texts_of

WARM_SECONDS = 0.5
CONTRAST = 3.0  # of graphics and large letters on paper, WCAG 2.2


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def seen_without_green(colour: str) -> tuple[float, float]:
    """Return a colour as people with deuteranopia see it: its luminance and its yellow or blue."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    yellow = 0.625 * red + 0.375 * green
    return luminance(colour), yellow - blue


def test_colours_stand_out_from_the_paper() -> None:
    assert [c for c in COLOURS if (luminance(PAPER) + 0.05) / (luminance(c) + 0.05) < CONTRAST] == []


def test_the_first_colours_differ_without_green() -> None:
    seen = [seen_without_green(colour) for colour in COLOURS[:4]]
    assert all(abs(a[0] - b[0]) > 0.02 or abs(a[1] - b[1]) > 0.12 for a, b in combinations(seen, 2))


def test_a_picture_has_its_size_and_comes_quickly() -> None:
    chart = drawn(monthly())
    png(chart.spec)
    started = process_time()
    picture = DRAWERS["png"](chart.spec)
    assert process_time() - started <= WARM_SECONDS
    assert picture.startswith(b"\x89PNG")
    assert [int.from_bytes(picture[at : at + 4]) for at in (16, 20)] == [2400, 1350]
    assert DRAWERS["svg"](chart.spec).startswith(b"<svg")


def test_a_chart_that_cannot_be_drawn_says_so() -> None:
    with pytest.raises(NotDrawn):
        png({"mark": 7})


def test_gaps_and_an_unfinished_month_are_said_and_seen() -> None:
    months = ["2026-05", "2026-06", "2026-08", "2026-09", "2026-10", "2026-11"]
    sql = "SELECT month, SUM(amount) AS revenue FROM orders GROUP BY month ORDER BY month"
    chart = drawn(view(sql, ["month", "revenue"], [(m, 10 + n) for n, m in enumerate(months)]))
    assert chart.words.subtitle == "Order amount by month · no data for Jul 2026 · Nov 2026 is not over"
    assert [place.label for place in chart.plot.gaps] == ["Jul 2026"]
    dashed = [layer for layer in chart.spec["layer"] if "strokeDash" in layer["mark"]]
    assert len(dashed[0]["data"]["values"]) == 4  # over July, and to November
    assert "15 so far" in [text.words for text in texts_of(chart.spec)]
    assert faults(chart.spec) == []
    assert "Line chart: " in chart.words.alt
    assert "Nov 2026: 15" in chart.words.alt


def test_a_chart_without_days_at_weekends_has_no_gaps() -> None:
    days = [f"2026-10-{day:02d}" for day in range(1, 31) if day % 7 not in (3, 4)]  # the 3rd was a Saturday
    sql = "SELECT day, SUM(n) AS n FROM t GROUP BY day ORDER BY day"
    assert drawn(view(sql, ["day", "n"], [(day, n) for n, day in enumerate(days)])).plot.gaps == ()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["line", "bar", "small_multiples", "grouped_bar", "stacked_bar"])
def test_specifications_obey_the_schema(kind: str) -> None:
    import altair

    sql = "SELECT month, shop, SUM(n) AS n FROM t GROUP BY month, shop ORDER BY month"
    rows = [(f"2026-{m:02d}", shop, m * 3) for m in range(1, 9) for shop in ("North", "South")]
    shown = view(sql, ["month", "shop", "n"], rows)
    chart = chart_of(shown, changed(shown, chosen(shown), ChartEdits(kind=kind)))  # type: ignore[arg-type]
    assert isinstance(chart, ResultChart)
    altair.Chart.from_dict(chart.spec, validate=True)


def test_a_panel_without_values_above_zero_has_no_logarithmic_scale() -> None:
    rows = [(f"2026-{month:02}", -month, month) for month in range(1, 7)]
    sql = "SELECT month, SUM(amount) AS gain, COUNT(*) AS orders FROM orders GROUP BY month"
    shown = view(sql, ["month", "gain", "orders"], rows, [ColumnHint(), ColumnHint("EUR"), ColumnHint()])
    panels = changed(shown, chosen(shown), ChartEdits(kind="small_multiples", log=True))
    assert chart_of(shown, panels) == "A logarithmic scale needs values above zero."


@pytest.mark.parametrize(
    ("figures", "title"),
    [
        ((3575, 3578), "Order amount stayed at about 3,578"),
        ((3575, 3590, 3571, 3578), "Order amount stayed at about 3,578"),
        ((3575, 5200, 2900, 3578), "Order amount ended at about the figure of Jul 2026, 3,578"),
        ((3575, 3700), "Order amount rose from 3,575 in July to 3,700 in August"),
    ],
)
def test_a_title_makes_no_rise_of_a_small_change(figures: tuple[int, ...], title: str) -> None:
    rows = [(f"2026-{7 + at:02d}", figure) for at, figure in enumerate(figures)]
    sql = "SELECT month, SUM(amount) AS revenue FROM orders GROUP BY month ORDER BY month"
    assert drawn(view(sql, ["month", "revenue"], rows)).words.title == title


def test_a_total_of_columns_that_hardly_moved_stayed() -> None:
    sizes = {"North": (2000, 2600, 2015), "South": (1000, 410, 1001)}
    rows = [(f"2026-{7 + at:02d}", shop, sizes[shop][at]) for at in range(3) for shop in sizes]
    sql = "SELECT month, shop, SUM(n) AS n FROM t GROUP BY month, shop ORDER BY month"
    shown = view(sql, ["month", "shop", "n"], rows)
    chart = chart_of(shown, changed(shown, chosen(shown), ChartEdits(kind="stacked_bar")))
    assert isinstance(chart, ResultChart)
    assert chart.words.title == "T n stayed at about 3,016 in total"
