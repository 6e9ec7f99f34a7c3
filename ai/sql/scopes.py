"""Names as the engine would see them: sources, scopes and the columns that they offer. Used by `ai.sql.reach`.

Letter case is folded for ASCII only, as SQLite does it: a Kelvin sign is no K.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from string import ascii_lowercase, ascii_uppercase

from sqlglot import exp

_FOLD = str.maketrans(ascii_uppercase, ascii_lowercase)


def fold(name: str) -> str:
    """The name with its ASCII letters in lower case."""
    return name.translate(_FOLD)


@dataclass(frozen=True, slots=True)
class Source:
    """One entry of FROM. `table` is the catalog's name when it is a table, else ""; columns are folded names.

    `hidden` columns can be read by name but are not part of `*`.
    """

    name: str
    columns: tuple[str, ...]
    table: str = ""
    hidden: tuple[str, ...] = ()

    def offers(self, column: str) -> bool:
        return column in self.columns or column in self.hidden


@dataclass(slots=True)
class Cte:
    """A WITH entry. `columns` is None until they are known; `state` guards against running in circles."""

    node: exp.CTE
    scope: "Scope"
    columns: tuple[str, ...] | None = None
    state: str = "new"


@dataclass(slots=True)
class Scope:
    """What one query sees: its sources, its WITH entries, the aliases of its columns, and everything outside."""

    outer: "Scope | None" = None
    sources: list[Source] = field(default_factory=list)
    ctes: dict[str, Cte] = field(default_factory=dict)
    aliases: frozenset[str] = frozenset()

    def outward(self) -> Iterator["Scope"]:
        """The scope itself and those around it, innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def cte(self, name: str) -> Cte | None:
        return next((scope.ctes[name] for scope in self.outward() if name in scope.ctes), None)

    def find(self, column: str, source: str = "") -> Source | None:
        """The innermost source that offers the column; only those called `source` when that is given."""
        for scope in self.outward():
            for candidate in scope.sources:
                if candidate.offers(column) and source in ("", candidate.name):
                    return candidate
        return None

    def knows_alias(self, name: str) -> bool:
        return any(name in scope.aliases for scope in self.outward())
