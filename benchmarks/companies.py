"""Ask the question sets of companies: those that the reader was made with, and those kept apart."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report.rows import Row
from tests.corpora.companies import CORPORA, HELD, asked, build, sets


def rows(most: int) -> Iterator[Row]:
    """Ask so many sets of each kind."""
    with TemporaryDirectory() as temporary:
        databases = Path(temporary) / "databases"
        databases.mkdir()
        build(databases)
        for items in (*sets(CORPORA)[:most], *sets(HELD)[:most]):
            found = asked(items, databases, Path(temporary))
            name = f"{items.stem}{', kept apart' * (items.parent == HELD)}, {found.total()} messages"
            yield Row(f"{name}: right", 100 * found["right"] / found.total(), "%", more=True)
            yield Row(f"{name}: wrong", 100 * found["wrong"] / found.total(), "%")
