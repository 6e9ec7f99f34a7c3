"""Results of any shape give a legible chart or a reason: no two texts touch, and none leaves the picture."""

from datetime import timedelta
from random import Random
from typing import Any

import pytest

from ai.answers.view import ColumnHint, View
from ai.charts import ChartDesign, ChartEdits, changed, chart_of, chosen
from tests.charts import TODAY, view
from tests.pictures import faults

SHAPES, AT_ONCE = 500, 50
UNITS = ("", "EUR", "USD", "%", "ratio", "s", "ms", "bytes", "stars", "kg")
WORDS = "Trail Shoe Rain Straße 北京市 Düsseldorf Ω W ill mmm Österreich-Ungarn x 🙂 Zürich <b> *bold* O'Neill".split()
KINDS = (None, None, "bar", "line", "pie", "histogram", "scatter", "small_multiples")


def some_name(random: Random) -> str:
    return " ".join(random.choice(WORDS) for _ in range(random.choice((1, 1, 2, 3, 9))))


def some_times(random: Random, count: int) -> list[Any]:
    first = TODAY - timedelta(random.randrange(40, 2000))
    grain = random.choice(("day", "week", "month", "quarter", "year"))
    days = [
        first + timedelta(number * {"day": 1, "week": 7, "month": 31, "quarter": 92, "year": 366}[grain])
        for number in range(count)
    ]
    days = [day for day in days if random.random() > 0.08] or days[:1]
    if grain in ("month", "quarter", "year"):
        written = {"month": "{0:%Y-%m}", "quarter": "{0.year}-Q{1}", "year": "{0:%Y}"}[grain]
        return list(dict.fromkeys(written.format(day, (day.month + 2) // 3) for day in days))
    return [f"{day}" for day in days]


def some_value(random: Random, size: float) -> Any:
    draw = random.random()
    if draw < 0.03:
        return None
    value = random.choice((1, 1, 1, -1)) * random.lognormvariate(0, 1.5) * size
    return 0 if draw < 0.06 else int(value) if size > 50 and draw < 0.6 else round(value, 2)


def some_view(random: Random) -> View:
    keys = [random.choice(("time", "name", "name")) for _ in range(random.choice((0, 1, 1, 1, 2, 2, 3)))]
    figures = random.choice((1, 1, 1, 2, 3))
    count = random.choice((1, 2, 3, 5, 8, 15, 30, 100, 400))
    lists = [
        some_times(random, count) if key == "time" else list(dict.fromkeys(some_name(random) for _ in range(count)))
        for key in keys
    ]
    sizes = [10 ** random.uniform(-3, 9) for _ in range(figures)]
    cells = [
        tuple(random.choice(values) if place else values[row % len(values)] for place, values in enumerate(lists))
        for row in range(count)
    ]
    rows = (
        [(*key, *(some_value(random, size) for size in sizes)) for key in dict.fromkeys(cells)]
        if keys
        else [tuple(some_value(random, size) for size in sizes) for _ in range(count)]
    )
    names = [f"{key}_{at}" if key == "name" else "month" for at, key in enumerate(keys)] + [
        f"figure_{at}" for at in range(figures)
    ]
    hints = [ColumnHint()] * len(keys) + [ColumnHint(random.choice(UNITS)) for _ in range(figures)]
    groups = ", ".join(names[: len(keys)])
    selected = ", ".join([*names[: len(keys)], *(f"SUM(f{at}) AS figure_{at}" for at in range(figures))])
    sql = f"SELECT {selected} FROM orders" + (f" GROUP BY {groups}" if keys else "")
    return view(sql, names, rows, hints, " ".join(names))


def some_design(random: Random, shown: View) -> ChartDesign:
    edits = ChartEdits(
        kind=random.choice(KINDS),  # type: ignore[arg-type]
        stacked=random.choice((None, None, None, True, False)),
        log=random.choice((None, None, None, True)),
        shares=random.choice((None, None, True)),
        top=random.choice((None, None, 3, 5)),
        rest=random.random() < 0.5,
        grain=random.choice(("", "", "", "month", "year")),
    )
    return changed(shown, chosen(shown), edits)


@pytest.mark.parametrize("part", range(SHAPES // AT_ONCE))
def test_any_result_is_drawn_legibly_or_a_reason_is_given(part: int) -> None:
    found = {}
    for seed in range(part * AT_ONCE, (part + 1) * AT_ONCE):
        random = Random(seed)
        shown = some_view(random)
        made = chart_of(shown, some_design(random, shown))
        if isinstance(made, str):
            assert made.endswith(".")
        elif wrong := faults(made.spec):
            found[seed] = (made.design.kind, wrong[:4])
    assert found == {}
