"""Charts that people seldom ask for, in their words: a third, by company, was looked at once and never mended for."""

from collections import Counter
from pathlib import Path

from ai.agents.wishes.charts import chart_wish
from ai.charts import ChartEdits, changed, chosen
from tests.cases import cases
from tests.charts import view_of_case

HELD = frozenset({"radio", "farm", "museum"})
EACH, WHOLE = 0.75, 0.9  # of a kind, and of all


def test_the_rarer_kinds_are_drawn_as_asked() -> None:
    asked, right = Counter[tuple[bool, str]](), Counter[tuple[bool, str]]()
    for line in (case.values[0] for case in cases(Path(__file__).with_name("rarer_kinds.jsonl"))):
        shown, wish = view_of_case(line), chart_wish(line["case"])
        design = changed(shown, chosen(shown), wish.edits if wish else ChartEdits())
        key = (line["family"] in HELD, line["kind"])
        asked[key] += 1
        right[key] += design.kind == line["kind"]
    known = {key: right[key] / count for key, count in asked.items() if not key[0]}
    assert min(known.values()) >= EACH, known
    assert right.total() >= WHOLE * asked.total(), (asked, right)
