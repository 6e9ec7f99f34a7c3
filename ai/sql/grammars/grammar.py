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
    return exact(name).translate(_FOLD)


def unless_quoted(name: exp.Identifier | str) -> str:
    """Lower the ASCII letters of an unquoted name; text counts as quoted."""
    kept = isinstance(name, str) or name.args.get("quoted")
    return exact(name) if kept else folded(name)


def exact(name: exp.Identifier | str) -> str:
    return name if isinstance(name, str) else name.name


def caseless(name: exp.Identifier | str) -> str:
    return exact(name).casefold()


@dataclass(frozen=True, slots=True)
class Grammar:
    """One kind of SQL; all names in here are lower case."""

    name: str
    label: str
    syntax: type[SqlglotDialect]
    nodes: Nodes  # kinds of node a query may be made of, with the arguments each may have
    functions: str  # name of the list of functions that may be called
    default_schema: str = ""
    # Functions that may stand in FROM, with their columns; "" is called as the function or its alias.
    table_functions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    row_ids: tuple[str, ...] = ()  # columns of every table that nobody declares
    system_columns: frozenset[str] = frozenset()  # further ones, never to be read; no alias may stand for them
    niladic: frozenset[str] = frozenset()  # unquoted words that the engine takes for calls without brackets
    alias_clauses: frozenset[str] = frozenset({"where", "group", "having", "qualify", "windows", "order", "distinct"})
    bare_alias_clauses: frozenset[str] = frozenset()  # clauses in which an alias can be a whole item only
    # The fence keeps the conditions of a query out of the queries in its FROM.
    fence: tuple[type[exp.Expr], int] = (exp.Limit, -1)
    endless: str = ""  # a query of which a planner that counts rows expects at least as many as the fence lets through
    cross_joins_stay: bool = False  # tables are joined as written only after CROSS JOIN
    schemas_of_functions: frozenset[str] = frozenset()  # may be written before the name of a function
    types: frozenset[str] = frozenset()  # for casts; empty for any
    table_key: Rename = folded  # the same for what the engine takes for the same name
    column_key: Rename = folded
    explain: tuple[str, ...] = ("EXPLAIN",)  # words before a query to see its plan
    explain_options: bool = False  # in brackets
    join_words: frozenset[str] = frozenset()  # beyond the common ones
    forward_ctes: bool = False  # a WITH entry sees those after it
    whole_rows: bool = False  # the name of a table stands for its row
    # Clauses in which a whole row comes before an alias, where it also comes before columns of a query around.
    near_rows: frozenset[str] = frozenset()
    unions_repeat: bool = False  # a WITH entry sees itself in a UNION only
    lateral_aliases: bool = False  # the alias of a column can be used beside it
    structs: bool = False  # `a.b` can be a field of the column a
    quoted_names_can_be_text: bool = False  # "x" is 'x' when no column is called so
    bare_compounds: bool = False  # no brackets around the parts of a UNION, no column list after a table's alias
    implicit_lateral: bool = False  # a query in FROM sees what stands before it
    closed_entries: bool = False  # servers differ on whether an entry of WITH sees those of a WITH around its own
    runs_comments: bool = False
    calls_with_units: frozenset[str] = frozenset()  # with a unit of time as a plain word
    max_name: int | None = None  # bytes after which the engine cuts names off
