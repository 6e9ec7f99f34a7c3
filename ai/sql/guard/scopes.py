"""Names as the engine would see them: sources, scopes and the columns that they offer. Used by `ai.sql.guard.reach`.

Names are compared by keys that the grammar makes; what is the same name to an engine has the same key.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from ai.errors import SqlRefused
from ai.sql.grammars.names import folded as fold

__all__ = ["ANYTHING", "Cte", "Scope", "Source", "fold"]

ANYTHING = "*"  # among the columns of a source whose columns only the engine knows, as those of a PIVOT


@dataclass(frozen=True, slots=True)
class Source:
    """One entry of FROM. `table` is the catalog's name when it is a table, else ""; columns are keys.

    `hidden` columns can be read by name but are not part of `*`; `denied` ones are there and may not be read at all.
    """

    name: str
    columns: tuple[str, ...]
    table: str = ""
    hidden: tuple[str, ...] = ()
    denied: frozenset[str] = frozenset()

    def offers(self, column: str) -> bool:
        return column in self.columns or column in self.hidden or ANYTHING in self.columns


@dataclass(slots=True)
class Cte:
    """A WITH entry. `columns` is None until they are known; `state` guards against running in circles."""

    node: exp.CTE
    scope: "Scope"
    columns: tuple[str, ...] | None = None
    state: str = "new"
    seen: bool = True


@dataclass(slots=True)
class Scope:
    """What one query sees: its sources, its WITH entries, the aliases of its columns, and everything outside.

    `is_entry` marks what stands around the query of a WITH entry.
    """

    outer: "Scope | None" = None
    sources: list[Source] = field(default_factory=list)
    ctes: dict[str, Cte] = field(default_factory=dict)
    aliases: frozenset[str] = frozenset()
    is_entry: bool = False

    def outward(self) -> Iterator["Scope"]:
        """The scope itself and those around it, innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def all_sources(self) -> Iterator[Source]:
        """Every source that is visible here, innermost first."""
        return (source for scope in self.outward() for source in scope.sources)

    def cte(self, name: str, *, closed: bool = False) -> Cte | None:
        """The entry that a name means here; one that comes later in the same WITH is not seen yet.

        Where entries are `closed`, engines do not agree on what an entry sees of another WITH around its own: MariaDB
        takes the name for a table. Such a name is refused.
        """
        own: Scope | None = None  # the query whose WITH holds the entry in which the name stands
        for scope in self.outward():
            found = scope.ctes.get(name)
            if found is not None and found.seen:
                if closed and own is not None and scope is not own:
                    raise SqlRefused(f"An entry of WITH cannot use {name}, of another WITH; put both into one.", "L3")
                return found
            own = own or (scope.outer if scope.is_entry else None)
        return None

    def find(self, column: str, source: str = "") -> Source | None:
        """The innermost source that offers the column; only those called `source` when that is given."""
        for scope in self.outward():
            offering = [s for s in scope.sources if s.offers(column) and source in ("", s.name)]
            if offering:
                return next((s for s in offering if ANYTHING not in s.columns), offering[0])
        return None

    def denies(self, column: str, source: str = "") -> bool:
        """Whether any source that is visible here has the column and must not give it."""
        return any(column in s.denied and source in ("", s.name) for s in self.all_sources())

    def named(self, name: str) -> Source | None:
        """The innermost source of this name."""
        return next((source for source in self.all_sources() if source.name == name), None)

    def knows_alias(self, name: str) -> bool:
        return any(name in scope.aliases for scope in self.outward())
