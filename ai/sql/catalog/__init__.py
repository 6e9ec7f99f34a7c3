"""Tables of a database, and those of a question."""

from ai.sql.catalog.codes import CodeList, code_lists, with_labels
from ai.sql.catalog.linking import Count, Linked, Linker
from ai.sql.catalog.structure import Catalog, Column, ForeignKey, Kind, Labels, Table, read_schema

__all__ = [
    "Catalog",
    "CodeList",
    "Column",
    "Count",
    "ForeignKey",
    "Kind",
    "Labels",
    "Linked",
    "Linker",
    "Table",
    "code_lists",
    "read_schema",
    "with_labels",
]
