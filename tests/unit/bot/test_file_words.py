"""What stands in the place of a file that Slack does not take."""

from pathlib import Path

import pytest

from bot.delivery.files import SHOWN_CHARACTERS, in_words

BEGINS = "Slack did not take the file apps.csv. It begins with:\n```\n{}\n```"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("apps.csv", "\ufeffname,n\r\nAda,1\r\n", BEGINS.format("name,n\nAda,1")),
        ("apps.csv", "a```b", BEGINS.format("ab")),
        ("apps.csv", "x" * SHOWN_CHARACTERS, BEGINS.format("x" * SHOWN_CHARACTERS)),
        ("apps.csv", "x" * SHOWN_CHARACTERS + "y", BEGINS.format("x" * SHOWN_CHARACTERS + "\n…")),
        (
            "apps.xlsx",
            "",
            "Slack did not take the file apps.xlsx. Ask for it as CSV, or ask an owner to allow files here.",
        ),
        (
            "apps.png",
            "",
            "Slack did not take the picture of the chart. Say “as a table”, or ask an owner to allow files here.",
        ),
    ],
)
def test_a_refused_file_is_told_in_words(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_bytes(text.encode())
    assert in_words(tmp_path / name) == said
