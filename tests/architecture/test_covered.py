"""Lines of the product that no test runs: which count, how they are noted, and how they are judged."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.covered import noting
from tests.covered.__main__ import Missed, judged
from tests.covered.noting import began, files, lines, prepare
from tests.paths import ROOT

TOY = b'''"""A module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import ast


class Port(Protocol):
    def called(self) -> int:
        """Say nothing."""
        ...


def sign(number: int) -> str:
    """Return a word."""
    global told
    told = number
    if number > 0:
        return "above"
    elif number < 0:
        return "below"
    try:
        1 / number
    except ZeroDivisionError:
        return (
            "none"
        )
    finally:
        told = 0
    while number:
        number -= 1
    else:
        number = 0


match sign(0):
    case "none":
        said = sign(1)
    case _:
        said = sign(-1)
'''
# Its process forks, and both end as one that is killed.
ASK = """import os, sys
sys.path.append({code!r}); sys.path.insert(0, {root!r})
__import__("noting").begin({root!r}, {folder!r})
import config
if os.fork():
    os.wait()
else:
    config.sign(int(sys.argv[1]))
os.kill(os.getpid(), 9)
"""


def test_a_line_counts_where_a_statement_begins_that_can_run() -> None:
    assert sorted(lines(ast.parse(TOY))) == [
        5,
        7,
        11,
        12,
        17,
        20,
        21,
        22,
        23,
        24,
        25,
        26,
        28,
        32,
        33,
        34,
        36,
        39,
        41,
        43,
    ]


def test_what_begins_is_noted_by_every_process(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    (tmp_path / "config.py").write_bytes(TOY)
    for room in ("ai", "bot"):
        (tmp_path / room).mkdir()
    prepare(tmp_path, kept)
    asked = ASK.format(code=str(Path(noting.__file__).parent), root=str(tmp_path), folder=str(kept))
    for number, left in (("1", [24, 33, 34, 36, 43]), ("-1", [33, 34, 36, 43])):  # the second adds to the first
        subprocess.run([sys.executable, "-c", asked, number], check=False, timeout=60)
        assert sorted(lines(ast.parse(TOY)) - began(kept)["config.py"]) == left


def test_the_whole_product_is_judged() -> None:
    found = set(files(ROOT))
    assert {"config.py", "ai/errors.py", "bot/cli/main.py"} <= found
    assert not any(path.startswith(("tests", "local_slack")) for path in found)


@pytest.mark.parametrize(
    ("missed", "holds", "told"),
    [
        ((1, 2), True, ["98.00% of 100 lines of the product were run"]),
        (
            (3, 4, 5, 9, 11, 12),
            False,
            ["94.00% of 100 lines of the product were run", "  94.0% ai", "    ai/toy.py: 3-5, 9, 11-12"],
        ),
    ],
)
def test_too_many_lines_left_aside_are_named_by_room(missed: tuple[int, ...], holds: bool, told: list[str]) -> None:
    assert judged([Missed("ai/toy.py", missed, 100)]) == (holds, told)
