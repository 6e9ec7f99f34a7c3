"""Lines of the product that no test runs: which count, how they are noted, and how they are judged."""

import ast

import pytest

from tests.covered.lines import began, files, instrumented, lines
from tests.covered.plugin import Missed, judged

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


def test_what_begins_is_noted() -> None:
    ran = {"toy.py": [0] * 50}
    exec(compile(instrumented(TOY, "toy.py"), "toy.py", "exec"), {"__lists__": ran, "__name__": "toy"})
    left = lines(ast.parse(TOY)) - set(began(ran)["toy.py"])
    assert sorted(left) == [24, 33, 34, 36, 43]


def test_the_whole_product_is_judged() -> None:
    found = set(files())
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
