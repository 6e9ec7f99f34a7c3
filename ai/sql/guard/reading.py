"""What a query reads of the columns that its names stand for: the part of the walk in `ai.sql.guard.reach` that looks names up.

A name is a column of a source, an alias, a whole row, a field of a struct, a unit of time or text; what is none of these
is refused, and so is what may not be read.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from ai.errors import SqlRefused
from ai.sql.catalog.catalog import Table
from ai.sql.grammars import Grammar
from ai.sql.guard.columns import is_plain_star, is_unit, looks_like_text, refused_column, starred
from ai.sql.guard.scopes import ANYTHING, Scope, Source
from ai.sql.rights.rights import Rights


@dataclass(slots=True)
class Reading:
    """`met` are the table and column nodes that were judged: one that the walk never came to must not pass."""

    grammar: Grammar
    known: dict[str, Table]
    rights: Rights
    schemas: set[str]
    tables: set[str] = field(default_factory=set)
    columns: set[tuple[str, str]] = field(default_factory=set)
    places: list[tuple[exp.Table, Table]] = field(default_factory=list)
    starred: set[str] = field(default_factory=set)
    texts: list[exp.Column] = field(default_factory=list)
    met: set[int] = field(default_factory=set)

    def key(self, name: exp.Identifier | str) -> str:
        return self.grammar.column_key(name)

    def meet_names(self, *nodes: Any) -> None:
        """Take note of nodes that name columns of what is made here, and read nothing."""
        for node in (one for some in nodes for one in (some if isinstance(some, list) else [some])):
            if isinstance(node, exp.Expr):
                self.met.update(id(column) for column in node.find_all(exp.Column))

    def column(self, node: exp.Column, scope: Scope) -> None:
        self.met.add(id(node))
        if isinstance(node.this, exp.Star):
            self.star(self.key(node.args["table"]), scope, plain=is_plain_star(node))
            return
        if self.grammar.structs and node.table:
            self._field(node, scope)
            return
        if node.args.get("db") and self.grammar.table_key(node.args["db"]) not in self.schemas:
            raise SqlRefused(f"There is no schema {node.db} that may be read here.", "L4")
        self._plain_column(node, self.key(node.this), self.key(node.args["table"]) if node.table else "", scope)

    def _field(self, node: exp.Column, scope: Scope) -> None:
        """`a.b.c` in an engine with structs: [schema.]source.column or column.field, and so on."""
        keys = [self.key(part.name if not isinstance(part, exp.Identifier) else part) for part in node.parts]
        if len(keys) > 2 and keys[0] in self.schemas and scope.named(keys[1]):
            keys = keys[1:]
        if scope.named(keys[0]):
            self._plain_column(node, keys[1], keys[0], scope)
        else:
            self._plain_column(node, keys[0], "", scope)

    def _plain_column(self, node: exp.Column, name: str, owner: str, scope: Scope) -> None:
        if scope.denies(name, owner):
            raise SqlRefused(f"The column {name} may not be read.", "L4")
        if source := scope.find(name, owner):
            if source.table:
                self.columns.add((source.table, name))
        elif not owner and scope.knows_alias(name) and not self._may_be_row(node, name, scope):
            return
        elif not owner and self.grammar.whole_rows and (source := scope.named(name)):
            self._read_row(source)
        elif not owner and is_unit(node, self.grammar.calls_with_units):
            return
        elif self.grammar.quoted_names_can_be_text and looks_like_text(node):
            self.texts.append(node)
        else:
            raise refused_column(node)

    def _may_be_row(self, node: exp.Column, name: str, scope: Scope) -> bool:
        """Whether a name that is an alias could be taken for the row of a table with columns that may not be read."""
        source = scope.named(name) if self.grammar.whole_rows else None
        return bool(source and source.denied) and not isinstance(node.parent, exp.Ordered | exp.Group)

    def star(self, owner: str, scope: Scope, *, plain: bool = False) -> None:
        """`*` reads all columns; a plain one of a SELECT list only those of a table that may be read."""
        for source in starred(owner, scope):
            self.read_all(source, plain=plain)

    def read_all(self, source: Source, *, plain: bool = False) -> None:
        if source.denied and plain and source.table:
            self.starred.add(source.table)
        elif source.denied:
            shown = ", ".join(sorted(source.denied - {*self.grammar.row_ids}))
            raise SqlRefused(f"* would show what may not be read ({shown}); name the columns that are wanted.", "L4")
        if source.table:
            self.columns.update((source.table, column) for column in source.columns)

    def _read_row(self, source: Source) -> None:
        if source.denied:
            raise SqlRefused(f"The whole row of {source.name} holds columns that may not be read.", "L4")
        self.read_all(source)

    def names(self, item: exp.Expr, scope: Scope) -> Iterator[str]:
        """The names that one item of a SELECT list gives to the outside."""
        if isinstance(item, exp.Star) or (isinstance(item, exp.Column) and isinstance(item.this, exp.Star)):
            owner = self.key(item.args["table"]) if isinstance(item, exp.Column) else ""
            self.star(owner, scope, plain=is_plain_star(item))
            star = item if isinstance(item, exp.Star) else item.this
            for source in starred(owner, scope):
                yield from source.columns
            self.meet_names(star.args.get("except_"), star.args.get("rename"))
            if star.args.get("rename"):
                yield ANYTHING
        elif isinstance(item, exp.Alias):
            yield self.key(item.args["alias"])
        elif isinstance(item, exp.Column):
            yield self.key(item.this)
        else:
            yield from self._unnamed(item)

    def _unnamed(self, item: exp.Expr) -> Iterator[str]:
        """What the engine calls an expression without an alias, where that can be used: a call by its function."""
        inner = item.this if isinstance(item, exp.Cast | exp.Window | exp.Filter | exp.WithinGroup) else item
        if (
            self.grammar.structs
            and item.find(exp.Anonymous)
            and "columns" in {a.name.lower() for a in item.find_all(exp.Anonymous)}
        ):
            yield ANYTHING
        elif isinstance(inner, exp.Column):
            yield self.key(inner.this)
        else:
            yield self.key(inner.name) if isinstance(inner, exp.Anonymous) and self.grammar.whole_rows else ""
