"""Tables of a database, and those of a question."""

from ai.sql.catalog.linking import Count, Linked, Linker
from ai.sql.catalog.structure import Catalog, Column, ForeignKey, Kind, Table, read_schema

__all__ = [
    "Catalog",
    "Column",
    "Count",
    "ForeignKey",
    "Kind",
    "Linked",
    "Linker",
    "Table",
    "read_schema",
]
