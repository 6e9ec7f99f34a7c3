"""What a name that stands for a column may be, where that is more than one thing. Used by `ai.sql.guard.reach`."""

from sqlglot import exp

from ai.errors import SqlRefused
from ai.sql.guard.scopes import Scope, Source

ORDERINGS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.In)
COMPARISONS = (*ORDERINGS, exp.Is, exp.NullSafeEQ, exp.NullSafeNEQ, exp.Like, exp.Glob, exp.Escape)

UNITS = frozenset(
    "MICROSECOND MILLISECOND SECOND MINUTE HOUR DAY WEEK ISOWEEK MONTH QUARTER YEAR ISOYEAR DECADE CENTURY DATE "
    "SQL_TSI_SECOND SQL_TSI_MINUTE SQL_TSI_HOUR SQL_TSI_DAY SQL_TSI_WEEK SQL_TSI_MONTH SQL_TSI_QUARTER SQL_TSI_YEAR".split()
)


def starred(owner: str, scope: Scope) -> list[Source]:
    """The sources of which `*` or `owner.*` takes all columns; `SqlRefused` when there is none."""
    found = [source for source in scope.sources if owner in ("", source.name)]
    if not found and owner and (outer := scope.find(owner) or scope.named(owner)):
        return [outer]
    if not found:
        raise SqlRefused(f"There is nothing called {owner or '*'} in FROM here to take all columns of.", "L4")
    return found


def is_plain_star(node: exp.Expr) -> bool:
    """Whether this is `*` or `t.*` as an item of a SELECT list, with nothing taken out of it, replaced or renamed."""
    star = node.this if isinstance(node, exp.Column) else node
    return isinstance(node.parent, exp.Select) and node.arg_key == "expressions" and not any(star.args.values())


def is_unit(node: exp.Column, calls: frozenset[str]) -> bool:
    """Whether a plain word is a unit of time among the arguments of a function that takes one."""
    call = node.parent
    known = isinstance(call, exp.Anonymous) and call.name.lower() in calls
    return known and not node.this.args.get("quoted") and node.name.upper() in UNITS


def looks_like_text(node: exp.Column) -> bool:
    """Whether a quoted name stands where only text makes sense, so that a misspelled column does not pass as text."""
    if node.table or not node.this.args.get("quoted"):
        return False
    parent = node.parent
    if isinstance(parent, exp.Anonymous):
        return not node.name.isidentifier()
    return isinstance(parent, COMPARISONS) and parent.this is not node


def refused_column(node: exp.Column) -> SqlRefused:
    """The refusal of a column that is nowhere to be found."""
    shown = f"{node.table}.{node.name}" if node.table else node.name
    hint = "; text stands in single quotes" if node.this.args.get("quoted") else ""
    return SqlRefused(f"There is no column {shown} where the query names it{hint}.", "L4")
