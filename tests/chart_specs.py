"""Whole charts of the cases in `tests/unit/ai/charts`, as drawn: `python -m tests.chart_specs` writes `specs.jsonl` anew.

Look at the difference before you keep it: what is drawn has changed.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ai.agents.wishes.charts import chart_wish
from ai.charts import ChartDesign, ResultChart, changed, chart_of, chosen
from tests.cases import cases
from tests.charts import view_of_case
from tests.paths import ROOT

FOLDER = ROOT / "tests" / "unit" / "ai" / "charts"
SPECS = FOLDER / "specs.jsonl"
RARER = "rarer_kinds"
DRAWN = ("choices", "edits", RARER)
OF_EACH = 2


def drawn() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name of each case that gives a chart, and the case; of a kind that people seldom ask for a few."""
    seen = Counter[str]()
    for file in DRAWN:
        for number, case in enumerate(cases(FOLDER / f"{file}.jsonl"), 1):
            line: dict[str, Any] = case.values[0]
            if file == RARER:
                line = {"said": [line["case"]], **line}
                seen[line["kind"]] += 1
            if seen[line.get("kind", "")] <= OF_EACH and chart_after(line) is not None:
                yield f"{file} {number}", line


def chart_after(case: dict[str, Any]) -> ResultChart | None:
    """Return the chart of a case after all that is said."""
    shown = view_of_case(case)
    design: ChartDesign = chosen(shown)
    said: Sequence[str] = case.get("said", ())
    for words in said:
        if (wish := chart_wish(words)) is None:
            return None
        design = changed(shown, design, wish.edits)
    found = chart_of(shown, design)
    return found if isinstance(found, ResultChart) else None


def told(case: dict[str, Any]) -> dict[str, Any]:
    chart = chart_after(case)
    assert chart is not None
    words = chart.words
    whole = {"title": words.title, "subtitle": words.subtitle, "legend": chart.legend, "spec": chart.spec}
    as_json: dict[str, Any] = json.loads(json.dumps(whole, default=str))
    return as_json


if __name__ == "__main__":
    lines = ({"case": name, **told(case)} for name, case in drawn())
    SPECS.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), "utf-8")
