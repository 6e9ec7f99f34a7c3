"""The strict grammar, for every other dialect of sqlglot: the common core of SQL, and what warehouses share."""

from functools import cache

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect, Dialects

from ai.errors import ConfigError
from ai.sql.grammars.grammar import Grammar
from ai.sql.grammars.nodes import ORDINARY_TYPES, RICH, extended
from ai.sql.grammars.verbatim import verbatim

MYSQL_FAMILY = frozenset({"doris", "starrocks", "singlestore"})
CALLS_WITH_UNITS = frozenset(
    "date_trunc datetrunc date_diff datediff date_add dateadd date_sub timestamp_trunc datetime_trunc timestampdiff "
    "timestampadd last_day".split()
)
NODES = extended(
    RICH,
    ((exp.Select,), "qualify"),
    ((exp.Qualify,), "this"),
    ((exp.Distinct,), "on"),
    ((exp.AnonymousAggFunc,), "this expressions"),
)


@cache
def strict(name: str) -> Grammar:
    """Build the grammar of a sqlglot dialect, or raise `ConfigError`."""
    if name not in {dialect.value for dialect in Dialects if dialect.value}:
        raise ConfigError(f"There is no SQL dialect named {name!r}; write it as sqlglot does, for example snowflake.")
    return Grammar(
        name=name,
        label=name.capitalize(),
        syntax=verbatim(Dialect.get_or_raise(name).__class__),
        nodes=NODES,
        functions="strict",
        closed_entries=True,
        types=ORDINARY_TYPES,
        runs_comments=name in MYSQL_FAMILY,
        calls_with_units=CALLS_WITH_UNITS,
        whole_rows=True,
    )
