"""The line that Slack shows behind the name of the app while a turn is worked on."""

import pytest

from bot.delivery.progress import as_status


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Reading the question…", "is reading the question…"),
        ("Waiting", "is waiting"),
        ("One moment", "One moment"),
        ("Reading " + "x" * 200, "is reading " + "x" * 89),
        ("x" * 200, "x" * 100),
    ],
)
def test_a_status_goes_on_after_the_name_of_the_app(text: str, shown: str) -> None:
    assert as_status(text) == shown
