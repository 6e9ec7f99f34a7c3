"""A grammar: facts about one kind of SQL, and when two names are the same to it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from string import ascii_lowercase, ascii_uppercase

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as SqlglotDialect

Nodes = Mapping[type[exp.Expr], frozenset[str]]
Rename = Callable[[exp.Identifier | str], str]

_FOLD = str.maketrans(ascii_uppercase, ascii_lowercase)  # ASCII only: a Kelvin sign is no K


def folded(name: exp.Identifier | str) -> str:
    """Lower the ASCII letters of a name, quoted or not."""
    return exact(name).translate(_FOLD)


def unless_quoted(name: exp.Identifier | str) -> str:
    """Lower the ASCII letters of an unquoted name; text, a name of the catalogue, counts as quoted."""
    kept = isinstance(name, str) or name.args.get("quoted")
    return exact(name) if kept else folded(name)


def exact(name: exp.Identifier | str) -> str:
    return name if isinstance(name, str) else name.name


def caseless(name: exp.Identifier | str) -> str:
    """Fold a name in any script, for engines comparing names by a collation."""
    return exact(name).casefold()


@dataclass(frozen=True, slots=True)
class Grammar:
    """One kind of SQL; all names in here are lower case.

    nodes: kinds of node a query may be made of, with the arguments each may have.
    functions: name of the list of functions that may be called.
    table_functions: functions that may stand in FROM, with their columns; "" is called as the function or its alias.
    row_ids: columns of every table that nobody declares.
    schemas_of_functions: schemas that may be written before a function's name.
    types: types that values may be cast to; empty for any.
    table_key, column_key: make equal what the engine takes for the same name.
    explain: words that may stand before a query to see its plan; `explain_options` allows options in brackets.
    join_words: kinds of join beyond the common ones.
    forward_ctes: a WITH entry sees those after it.
    whole_rows: the name of a table stands for its row.
    lateral_aliases: the alias of a column can be used beside it.
    structs: `a.b` can be a field of the column a.
    quoted_names_can_be_text: "x" is 'x' when no column is called so.
    bare_compounds: no brackets around the parts of a UNION, no column list after a table's alias.
    implicit_lateral: a query in FROM sees what stands before it.
    closed_entries: servers differ on whether an entry of WITH sees those of a WITH around its own.
    runs_comments: some comments are run.
    calls_with_units: functions with a unit of time as a plain word.
    max_name: bytes after which the engine cuts names off.
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
