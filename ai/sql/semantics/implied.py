"""What names of columns say of their units: people ask for dollars where a column counts cents."""

from collections.abc import Iterator

from ai.language.words import name_parts
from ai.sql.catalog import Catalog
from ai.sql.semantics.vocabulary import Unit

CENTS = frozenset({"cents", "cent", "pence"})
WHOLE = Unit("", 0.01)


def implied_units(catalog: Catalog) -> Iterator[tuple[str, Unit]]:
    """Yield the `table.column` of whole cents, each a hundredth of the currency nobody names."""
    for table in catalog.tables:
        for column in table.columns:
            if column.kind == "integer" and CENTS & set(name_parts(column.name)[-1:]):
                yield f"{table.name}.{column.name}", WHOLE
