"""The button that shares a private answer: how many would read it, and what stands there after the press."""

import pytest

from bot.render.private_view import SHARE, SHARED, share_button, share_pressed, shared


@pytest.mark.parametrize(("hidden", "who"), [(0, "0 people"), (1, "1 person"), (2, "2 people"), (1200, "1,200 people")])
def test_a_button_names_how_many_would_read_it_and_its_press_is_read_back(hidden: int, who: str) -> None:
    button = share_button("T:C:1.2", hidden)
    (element,) = button["elements"]
    assert who in element["text"]["text"]
    assert (button["block_id"], element["action_id"]) == (SHARE, SHARE)
    assert share_pressed(element["value"]) == (hidden, "T:C:1.2")


@pytest.mark.parametrize("value", ["", "2", "T:C:1.2", "x T:C:1.2", "2 "])
def test_a_value_of_an_earlier_version_is_none(value: str) -> None:
    assert share_pressed(value) is None


def test_after_the_press_who_shared_stands_in_the_place_of_the_button() -> None:
    above = {"type": "section", "text": {"type": "mrkdwn", "text": "3 apps"}}
    left, line = shared([above, share_button("T:C:1.2", 2)], "U0ANA")
    assert left == above
    told = str(line)
    assert SHARED in told
    assert told.index(SHARED) < told.index("U0ANA")
