"""What a database holds, and which of it a question is about."""

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
