"""What became of one item of a job."""

from collections.abc import Callable
from typing import NamedTuple


class Outcome(NamedTuple):
    """`fault` says how the promise broke, "" if it holds; `kind` is counted."""

    fault: str
    kind: str = "ran"


Try = Callable[[int], Outcome]
