"""What the guard must know about the SQL of one kind of database. Pure facts; `ai.sql.grammars` has one row for each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as SqlglotDialect

from ai.sql.grammars.names import folded

Nodes = Mapping[type[exp.Expr], frozenset[str]]
Rename = Callable[[exp.Identifier | str], str]


@dataclass(frozen=True, slots=True)
class Grammar:
    """One kind of SQL; all names in here are lower case.

    `nodes` are the kinds of node that a query may be made of, with the arguments each may have. `table_functions` may
    stand in FROM and give these columns ("" stands for one that is called as the function or its alias); `row_ids` are
    columns that every table has undeclared; `schemas_of_functions` may be written before a function's name.

    `table_key` and `column_key` make equal what the engine takes for the same name. `forward_ctes`: a WITH entry sees
    those after it. `whole_rows`: a table's name stands for its row. `lateral_aliases`: a column's alias can be used
    beside it. `structs`: `a.b` can be a field of the column a. `quoted_names_can_be_text`: "x" is 'x' when no column is
    called so. `explain` are the words that may stand before a query to see its plan, `explain_options` whether options in
    brackets may follow. `bare_compounds`: no brackets around the parts of a UNION, no column list after a table's alias.
    `implicit_lateral`: a query in FROM sees what stands before it. `closed_entries`: whether an entry of WITH sees those of
    a WITH around its own depends on the server. `runs_comments`: some comments are run. In
    `calls_with_units` a plain word may be a unit of time. `max_name` is
    the number of bytes after which the engine cuts names off.
    """

    name: str
    label: str
    syntax: type[SqlglotDialect]
    nodes: Nodes
    functions: str
    default_schema: str = ""
    table_functions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    row_ids: tuple[str, ...] = ()
    schemas_of_functions: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    table_key: Rename = folded
    column_key: Rename = folded
    explain: tuple[str, ...] = ("EXPLAIN",)
    join_words: frozenset[str] = frozenset()
    forward_ctes: bool = False
    whole_rows: bool = False
    lateral_aliases: bool = False
    structs: bool = False
    quoted_names_can_be_text: bool = False
    bare_compounds: bool = False
    implicit_lateral: bool = False
    closed_entries: bool = False
    runs_comments: bool = False
    explain_options: bool = False
    calls_with_units: frozenset[str] = frozenset()
    max_name: int | None = None
