"""How big rows are: the one measure by which a stream is cut and a stored result is bounded."""

from collections.abc import Iterable
from itertools import chain
from sys import getsizeof

from ai.results.table import Row


def size_of(rows: Iterable[Row]) -> int:
    """Bytes that the cells of the rows take in memory."""
    return sum(map(getsizeof, chain.from_iterable(rows)))
