"""Entries of FROM that need no look inside: tables, functions, and the names that stand after an alias."""

from sqlglot import exp

from ai.errors import SqlRefused
from ai.sql.catalog.catalog import Table
from ai.sql.guard.joins import columns_of_json, declared_columns, name_of_call
from ai.sql.guard.reading import Reading
from ai.sql.guard.scopes import ANYTHING, Source


class Sources(Reading):
    """Makes a `Source` of a table or a function."""

    __slots__ = ()

    def alias(self, node: exp.Expr) -> str:
        alias = node.args.get("alias")
        name = alias.args.get("this") if isinstance(alias, exp.TableAlias) else None
        return self.key(name) if name is not None else ""

    def renamed(self, node: exp.Expr, source: Source) -> Source:
        """The source with the names that a column list after its alias gives; the rest keep theirs."""
        names = tuple(self.key(name) for name in declared_columns(node))
        if names and source.denied:
            raise SqlRefused(
                f"The columns of {source.name} cannot be renamed in a list; name each where it is used.", "L4"
            )
        if not names or ANYTHING in source.columns:
            return source
        self.read_all(source)
        return Source(source.name, (*names, *source.columns[len(names) :]))

    def call(self, node: exp.Expr, call: exp.Expr) -> Source:
        """A function in FROM. One value per row is a column that is called as the function or its alias."""
        name = name_of_call(call).lower()
        self.met.add(id(node))
        if isinstance(call, exp.Anonymous) and name not in self.grammar.table_functions:
            raise SqlRefused(f"{call.name}() may not stand in FROM.", "L3")
        alias = self.alias(node) or name
        own = self.grammar.table_functions.get(name, ("",))
        columns = tuple(column or alias for column in own)
        if isinstance(call, exp.JSONTable):
            columns = tuple(self.key(column) for column in columns_of_json(call))
        named = tuple(self.key(column) for column in declared_columns(node))
        counted = ("ordinality",) if node.args.get("ordinality") or node.args.get("offset") else ()
        hidden = (name, "json", "root") if self.grammar.structs or self.grammar.forward_ctes else ()
        return Source(alias, (*named, *columns[len(named) :], *counted), hidden=hidden)

    def table(self, node: exp.Table, table: Table, alias: str) -> Source:
        self.tables.add(table.name)
        self.places.append((node, table))
        refused = self.rights.denied_columns(table)
        denied = frozenset(self.key(c.name) for c in table.columns if c.name.lower() in refused)
        denied |= {self.key(name) for name in refused}
        columns = tuple(key for key in (self.key(column.name) for column in table.columns) if key not in denied)
        hidden = () if denied or self.rights.changes(table) else self.grammar.row_ids
        return Source(alias, columns, table.name, hidden, denied | frozenset(self.grammar.row_ids if denied else ()))

    def of_values(self, node: exp.Values) -> tuple[str, ...]:
        first = node.expressions[0]
        prefix = "col" if self.grammar.structs else "column"
        start = 0 if self.grammar.structs else 1
        return tuple(f"{prefix}{n}" for n, _ in enumerate(first.expressions or [first], start))
