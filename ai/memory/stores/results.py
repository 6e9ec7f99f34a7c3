"""The rows of results, wherever a store keeps them, without anything that looks after them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ai.memory.opening import results_at, unopened
from ai.results.store import ResultStore

NO_BOUND = 2**62


@contextmanager
def results_in(state_url: str, place: str, root: Path) -> Iterator[ResultStore]:
    """Open the results of a store at RESULTS_STORE in the block. ConfigError or SourceUnavailable."""
    engine = unopened(state_url)
    try:
        yield results_at(place, root, NO_BOUND, NO_BOUND)(engine)
    finally:
        engine.dispose()
