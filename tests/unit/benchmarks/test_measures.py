"""The judges of benchmarks: faults of a bad model, and the words of a thread."""

from random import Random

import pytest
from sqlglot import parse_one

from benchmarks.bad_models import FAULTS
from benchmarks.conversations import texts

LIST = "SELECT name FROM apps WHERE price > 1"
RANK = "SELECT name, SUM(sold) FROM apps GROUP BY name ORDER BY 2 DESC LIMIT 3"

FAULTY: dict[str, dict[str, str | None]] = {
    "lost_filter": {LIST: "SELECT name FROM apps", RANK: None},
    "other_figure": {LIST: None, RANK: RANK.replace("SUM", "AVG")},
    "flipped_comparison": {LIST: LIST.replace(">", "<"), RANK: None},
    "other_number": {LIST: LIST.replace("1", "2"), RANK: RANK.replace("LIMIT 3", "LIMIT 4")},
    "other_order": {LIST: None, RANK: RANK.replace("DESC", "ASC NULLS LAST")},
    "cut_short": {LIST: f"{LIST} LIMIT 2", RANK: None},
}


@pytest.mark.parametrize("name", FAULTY)
@pytest.mark.parametrize("sql", [LIST, RANK], ids=["a list", "a ranking"])
def test_a_fault_changes_one_thing_or_says_that_it_does_not_apply(sql: str, name: str) -> None:
    (fault,) = (each for each in FAULTS if each.__name__ == name)
    tree = parse_one(sql, dialect="sqlite")
    applies = fault(tree, Random(1))
    assert (tree.sql("sqlite") if applies else None) == FAULTY[name][sql]


def test_every_fault_is_tried() -> None:
    assert {fault.__name__ for fault in FAULTS} == FAULTY.keys()


def test_words_are_found_in_messages_and_their_blocks() -> None:
    message = {
        "text": "Apps",
        "ts": "1.2",
        "blocks": [{"type": "table", "rows": [[{"text": "Gabbro"}, {"text": "7"}]]}],
    }
    assert {"Apps", "Gabbro", "7"} <= set(texts([message]))
