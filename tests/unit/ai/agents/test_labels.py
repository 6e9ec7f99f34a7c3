"""What codes are called by a table of codes, in answers and in what is told of the data."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from ai.agents.port import TextEvent
from ai.sql.rights import rights_from
from tests.desk import Desk

ORDERS = """
CREATE TABLE code_list (grp TEXT, code TEXT, label TEXT, PRIMARY KEY (grp, code));
INSERT INTO code_list VALUES ('ORDER_ST', 'D', 'Delivered'), ('ORDER_ST', 'X', 'Cancelled'), ('TIER', 'G', 'Gold');
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, st TEXT NOT NULL);
INSERT INTO orders VALUES (1, 'D'), (2, 'D'), (3, 'X');
"""
SAID = (
    ("orders by status", "Orders are 2 for Delivered and 1 for Cancelled."),
    ("how many cancelled orders are there?", "There is 1 order with status Cancelled."),
    ("describe the orders table", "st (D for Delivered, X for Cancelled)"),
)


def said(desk: Desk, words: str) -> str:
    events = desk.orchestrator.process_message(words, words).events
    return " ".join(event.markdown for event in events if isinstance(event, TextEvent))


def with_orders(desk: Desk, folder: Path) -> Desk:
    with closing(sqlite3.connect(folder / "shop.sqlite")) as connection:
        connection.executescript(ORDERS)
    return desk


@pytest.mark.parametrize(("asked", "told"), SAID)
def test_codes_are_said_as_their_table_calls_them(
    asked: str, told: str, open_desk: Callable[..., Desk], tmp_path: Path
) -> None:
    assert told in said(with_orders(open_desk(), tmp_path), asked)


@pytest.mark.parametrize(("asked", "_"), SAID)
def test_who_may_not_read_that_table_sees_codes(
    asked: str, _: str, open_desk: Callable[..., Desk], tmp_path: Path
) -> None:
    rights = rights_from({"masks": {"code_list": {"label": "stars"}}}, "sqlite")
    told = said(with_orders(open_desk(rights=rights), tmp_path), asked)
    assert "Delivered" not in told
    assert "Cancelled" not in told
