"""Column references: what a name stands for in its scope.

It is a column, an alias, a whole row, a field of a struct, a unit of time or text; anything else is refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from ai.errors import SqlRefused
from ai.sql.grammars import Grammar
from ai.sql.guard.scopes import ANYTHING, Bindings, QueryScope, Relation

ORDERINGS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.In)
COMPARISONS = (*ORDERINGS, exp.Is, exp.NullSafeEQ, exp.NullSafeNEQ, exp.Like, exp.Glob, exp.Escape)
UNITS = frozenset(
    "MICROSECOND MILLISECOND SECOND MINUTE HOUR DAY WEEK ISOWEEK MONTH QUARTER YEAR ISOYEAR DECADE CENTURY DATE "
    "SQL_TSI_SECOND SQL_TSI_MINUTE SQL_TSI_HOUR SQL_TSI_DAY SQL_TSI_WEEK SQL_TSI_MONTH SQL_TSI_QUARTER "
    "SQL_TSI_YEAR".split()
)


@dataclass(frozen=True, slots=True)
class ColumnReferences:
    grammar: Grammar
    schemas: frozenset[str]
    bindings: Bindings

    def bind(self, node: exp.Column, scope: QueryScope) -> None:
        self.bindings.bound.add(id(node))
        if isinstance(node.this, exp.Star):
            self.bind_star(self._key(node.args["table"]), scope, plain=_is_plain_star(node))
        elif self.grammar.structs and node.table:
            self._bind_path(node, scope)
        elif node.args.get("db") and self.grammar.table_key(node.args["db"]) not in self.schemas:
            raise SqlRefused(f"There is no schema {node.db} that may be read here.", "L4")
        else:
            self._bind_name(node, self._key(node.this), self._key(node.args["table"]) if node.table else "", scope)

    def binds_alias(self, item: exp.Expr, clause: str, aliases: frozenset[str], scope: QueryScope) -> bool:
        """Bind an item that is an alias and nothing else; to GROUP BY a column of that name comes first."""
        if not isinstance(item, exp.Column) or item.table or (key := self._key(item.this)) not in aliases:
            return False
        if key in self.grammar.system_columns or (clause == "group" and any(r.offers(key) for r in scope.relations)):
            return False
        self.bindings.bound.add(id(item))
        return True

    def visible_aliases(self, clause: str, aliases: frozenset[str], scope: QueryScope) -> frozenset[str]:
        """Leave out aliases that a whole row comes before."""
        is_behind = clause in self.grammar.near_rows
        return aliases - {relation.name for relation in scope.relations} if is_behind else aliases

    def bind_bare_star(self, node: exp.Star, scope: QueryScope) -> Iterator[exp.Expr]:
        """Bind `*`: it reads everything but in count(*) and `(f(x)).*`; return what its REPLACE computes."""
        call = node.parent
        if isinstance(call, exp.Dot):
            return iter(())
        if not isinstance(call, exp.Anonymous | exp.AnonymousAggFunc) or call.name.lower() != "count":
            self.bind_star("", scope, plain=_is_plain_star(node))
        return self.bind_parts(node)

    def bind_parts(self, star: exp.Star) -> Iterator[exp.Expr]:
        """Account for names that a star leaves out or renames; return what its REPLACE computes."""
        self.bindings.bind_names(star.args.get("except_"), star.args.get("rename"))
        return iter(star.args.get("replace") or ())

    def bind_star(self, owner: str, scope: QueryScope, *, plain: bool = False) -> None:
        """Read all columns; a `plain` star of a SELECT list leaves out denied ones of a table."""
        for relation in scope.starred(owner):
            self.read_all(relation, plain=plain)

    def read_all(self, relation: Relation, *, plain: bool = False) -> None:
        if relation.denied and not (plain and relation.table):
            shown = ", ".join(sorted(relation.denied - {*self.grammar.row_ids}))
            raise SqlRefused(f"* would show what may not be read ({shown}); name the columns that are wanted.", "L4")
        if relation.masked and not plain:
            self.bindings.computed.update(relation.masked)
        self.bindings.read(relation)

    def output_names(self, item: exp.Expr, scope: QueryScope) -> Iterator[str]:
        """Yield the column names given to the outside by an item of a SELECT list."""
        star = item if isinstance(item, exp.Star) else item.this if isinstance(item, exp.Column) else None
        if isinstance(star, exp.Star):
            for relation in scope.starred(self._key(item.args["table"]) if star is not item else ""):
                yield from relation.columns
            self.bindings.bind_names(star.args.get("except_"), star.args.get("rename"))
            if star.args.get("rename"):
                yield ANYTHING
        elif isinstance(item, exp.Alias):
            yield self._key(item.args["alias"])
        else:
            yield self._unnamed(item)

    def _unnamed(self, item: exp.Expr) -> str:
        """Name an expression without an alias as the engine does: a call by its function."""
        inner = item.this if isinstance(item, exp.Cast | exp.Window | exp.Filter | exp.WithinGroup) else item
        if isinstance(item, exp.Column):
            return self._key(item.this)
        if isinstance(item, exp.Dot) and isinstance(item.expression, exp.Star):
            return ANYTHING
        if self.grammar.structs and any(call.name.lower() == "columns" for call in item.find_all(exp.Anonymous)):
            return ANYTHING
        if isinstance(inner, exp.Column):
            return self._key(inner.this)
        return self._key(inner.name) if isinstance(inner, exp.Anonymous) and self.grammar.whole_rows else ""

    def _bind_path(self, node: exp.Column, scope: QueryScope) -> None:
        """Bind `a.b.c`: [schema.]relation.column or column.field, and so on."""
        keys = [self._key(part if isinstance(part, exp.Identifier) else part.name) for part in node.parts]
        if len(keys) > 2 and keys[0] in self.schemas and scope.named(keys[1]):
            keys = keys[1:]
        name, owner = (keys[1], keys[0]) if scope.named(keys[0]) else (keys[0], "")
        self._bind_name(node, name, owner, scope)

    def _bind_name(self, node: exp.Column, name: str, owner: str, scope: QueryScope) -> None:
        if scope.denies(name, owner):
            raise SqlRefused(f"The column {name} may not be read.", "L4")
        scope = scope.nearest(name) if self.grammar.near_rows and not owner else scope
        if relation := scope.offering(name, owner):
            if relation.table:
                self.bindings.columns.add((relation.table, name))
            if name in relation.masked:
                self.bindings.read_masked(node, name)
        elif not owner and name not in self.grammar.system_columns and scope.knows_alias(name):
            if self.grammar.near_rows and _is_in_call(node) and (relation := scope.named(name)):
                self._bind_row(relation)  # where the alias is a figure, which has no figures
        elif not owner and self.grammar.whole_rows and (relation := scope.named(name)):
            self._bind_row(relation)
        elif not owner and _is_unit(node, self.grammar.calls_with_units):
            return
        elif self.grammar.quoted_names_can_be_text and _looks_like_text(node):
            self.bindings.texts.append(node)
        else:
            raise _unknown(node)

    def _bind_row(self, relation: Relation) -> None:
        if relation.denied:
            raise SqlRefused(f"The whole row of {relation.name} holds columns that may not be read.", "L4")
        self.read_all(relation)

    def _key(self, name: exp.Identifier | str) -> str:
        return self.grammar.column_key(name)


def _is_in_call(node: exp.Column) -> bool:
    around = node.find_ancestor(exp.Anonymous, exp.AnonymousAggFunc, exp.Window, exp.Select)
    return not isinstance(around, exp.Select | None)


def _is_plain_star(node: exp.Expr) -> bool:
    """Whether this is `*` or `t.*` in a SELECT list, without EXCEPT and the like."""
    star = node.this if isinstance(node, exp.Column) else node
    return isinstance(node.parent, exp.Select) and not any(star.args.values())


def _is_unit(node: exp.Column, calls: frozenset[str]) -> bool:
    call = node.parent
    known = isinstance(call, exp.Anonymous) and call.name.lower() in calls
    return known and not node.this.args.get("quoted") and node.name.upper() in UNITS


def _looks_like_text(node: exp.Column) -> bool:
    """Whether a quoted name stands where only text makes sense; a misspelled column must not pass."""
    if node.table or not node.this.args.get("quoted"):
        return False
    parent = node.parent
    if isinstance(parent, exp.Anonymous):
        return not node.name.isidentifier()
    return isinstance(parent, COMPARISONS) and parent.this is not node


def _unknown(node: exp.Column) -> SqlRefused:
    shown = f"{node.table}.{node.name}" if node.table else node.name
    hint = "; text stands in single quotes" if node.this.args.get("quoted") else ""
    return SqlRefused(f"There is no column {shown} where the query names it{hint}.", "L4")
