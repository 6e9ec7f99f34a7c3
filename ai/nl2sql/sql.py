"""A meaning becomes SQL: one SELECT as a sqlglot tree, written in the catalog's dialect.

Rows never multiply by accident. Tables whose columns are shown, grouped or measured are joined; a condition on rows that
one row may have many of is asked with EXISTS; what is counted across such a join is counted distinctly.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from sqlglot import exp
from sqlglot.dialects import MySQL, Redshift
from sqlglot.dialects.dialect import Dialect

from ai.nl2sql.joins import Link
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Group, Having, Meaning, Measure, Operator, Period, Scalar
from ai.nl2sql.metric_sql import metric_sql
from ai.nl2sql.schema import display, noun, title

_COMPARE: dict[Operator, type[exp.Binary]] = {
    "=": exp.EQ, "!=": exp.NEQ, ">": exp.GT, ">=": exp.GTE, "<": exp.LT, "<=": exp.LTE,
}  # fmt: skip
_AGGREGATE: dict[str, type[exp.AggFunc]] = {"sum": exp.Sum, "avg": exp.Avg, "min": exp.Min, "max": exp.Max}
_FORMATS = {"day": "%Y-%m-%d", "month": "%Y-%m", "year": "%Y"}
_ALIASES = {
    "count": "{}_count", "sum": "total_{}", "avg": "average_{}", "min": "lowest_{}", "max": "highest_{}", "metric": "{}",
}  # fmt: skip


def write_sql(meaning: Meaning, lexicon: Lexicon) -> str:
    """The SELECT of a meaning that `checks.check_meaning` has let pass."""
    return _Writer(meaning, lexicon).select().sql(dialect=lexicon.catalog.dialect, pretty=True)


@dataclass(frozen=True)
class _Writer:
    meaning: Meaning
    lexicon: Lexicon

    @property
    def root(self) -> str:
        """The table that FROM names: the rows that are computed over, or listed."""
        measures = self.meaning.all_measures
        return measures[0].table if measures else self.meaning.subject

    def select(self) -> exp.Select:
        joins = self.joins()
        joined = {self.root, *(link.target for link in joins)}
        multiplied = any(link.many for link in joins)
        query = exp.Select(expressions=self.shown(multiplied)).from_(self.table(self.root))
        for link in joins:
            outer = link.optional and not link.many and self.only_shown(link.target)
            query = query.join(self.table(link.target), on=self.on(link), join_type="left" if outer else "")
        query = query.where(*self.conditions(joined))
        query = self.grouped(query, multiplied)
        query = query.distinct() if self.meaning.distinct else query
        query = query.limit(self.meaning.limit) if self.meaning.limit else query
        return query.offset(self.meaning.offset) if self.meaning.offset else query

    # --- what is selected ----------------------------------------------------------------------------------------

    def shown(self, multiplied: bool) -> list[exp.Expr]:
        keys = [column for group in self.meaning.groups for column in self.key_columns(group)]
        fields = [self.column(field) for field in self.meaning.columns]
        figures = [self.titled(measure, multiplied) for measure in self.meaning.shown_measures]
        return [*keys, *(field for field in fields if field not in keys), *figures]

    def key_columns(self, group: Group) -> list[exp.Expr]:
        """What a group is shown as: its column, or what names its row."""
        if group.column is None:
            table = self.lexicon.table(group.table)
            own = tuple(field for field in self.meaning.columns if field.table == table.name)
            fields = (
                own or display(self.lexicon, table.name) or tuple(Field(table.name, name) for name in table.primary_key)
            )
            return [self.column(field) for field in fields]
        key = self.key(group)
        return [exp.alias_(key, group.unit) if group.unit else key]

    def key(self, group: Group) -> exp.Expr:
        column = self.column(Field(group.table, group.column or ""))
        if group.unit is None:
            return column
        return exp.TimeToStr(this=column, format=exp.Literal.string(_FORMATS[group.unit]))

    def titled(self, measure: Measure, multiplied: bool) -> exp.Expr:
        said = (
            title(Field(measure.table, measure.column))
            if measure.column
            else noun(self.lexicon, measure.table, many=False)
        )
        alias = _ALIASES[measure.function].format(said.replace(" ", "_"))
        return exp.alias_(self.figure(measure, multiplied), alias)

    def figure(self, measure: Measure, multiplied: bool) -> exp.Expr:
        if measure.function == "count" and measure.column:
            return exp.Count(this=exp.Distinct(expressions=[self.column(Field(measure.table, measure.column))]))
        if measure.function == "count":
            key = self.lexicon.table(measure.table).primary_key
            if multiplied and len(key) == 1:
                return exp.Count(this=exp.Distinct(expressions=[self.column(Field(measure.table, key[0]))]))
            return exp.Count(this=exp.Star())
        field = Field(measure.table, measure.column or "")
        if measure.function == "metric":
            return metric_sql(self.lexicon.metrics[field], self.table(field.table), self.lexicon.catalog.dialect)
        return _AGGREGATE[measure.function](this=self.column(field))

    # --- where it comes from -------------------------------------------------------------------------------------

    def joins(self) -> list[Link]:
        """The links to every table whose columns are shown, grouped, measured or sorted by, each table once."""
        meaning = self.meaning
        wanted = [g.table for g in meaning.groups] + [f.table for f in meaning.columns]
        wanted += [order.key.table for order in meaning.order]
        absent = {presence.table for presence in meaning.presences if not presence.present}
        single = {c.field.table for c in meaning.conditions} - absent
        single = {table for table in single if not self.many(self.root, table)}
        found: dict[str, Link] = {}
        for table in (*wanted, *sorted(single)):
            for link in self.lexicon.links.path(self.root, table) or ():
                if link.target != self.root:
                    found.setdefault(link.target, link)
        return list(found.values())

    def many(self, source: str, target: str) -> bool:
        return any(link.many for link in self.lexicon.links.path(source, target) or ())

    def only_shown(self, table: str) -> bool:
        """Whether a table is there for its columns alone, so that rows without a match stay."""
        meaning = self.meaning
        others = {group.table for group in meaning.groups} | {order.key.table for order in meaning.order}
        others |= {c.field.table for c in meaning.conditions}
        return not meaning.measures and not meaning.groups and table not in others

    # --- which rows ----------------------------------------------------------------------------------------------

    def conditions(self, joined: set[str]) -> list[exp.Expr]:
        """Conditions on joined tables stand alone; those on other tables share one EXISTS for each table."""
        here: list[exp.Expr] = []
        apart: dict[str, list[exp.Expr]] = {p.table: [] for p in self.meaning.presences if p.table not in joined}
        for condition in self.meaning.conditions:
            tests = self.tests(condition)
            (here if condition.field.table in joined else apart.setdefault(condition.field.table, [])).extend(tests)
        absent = {presence.table for presence in self.meaning.presences if not presence.present}
        for table, tests in apart.items():
            here.append(self.absent(table, tests, joined) if table in absent else self.exists(table, tests, joined))
        return here

    def tests(self, condition: Filter | Period) -> list[exp.Expr]:
        column = self.column(condition.field)
        if isinstance(condition, Period):
            start = [exp.GTE(this=column, expression=_literal(condition.start))] if condition.start else []
            end = [exp.LT(this=column.copy(), expression=_literal(condition.end))] if condition.end else []
            return [*start, *end]
        return [_test(column, condition)]

    def exists(self, table: str, tests: Sequence[exp.Expr], joined: Iterable[str]) -> exp.Expr:
        """EXISTS over the way from the nearest joined table, its first step tied to the outer row."""
        path = self.lexicon.links.nearest((self.root, *sorted(joined)), table) or ()
        query = exp.Select(expressions=[exp.Literal.number(1)]).from_(self.table(path[0].target))
        for link in path[1:]:
            query = query.join(self.table(link.target), on=self.on(link))
        return exp.Exists(this=query.where(self.on(path[0]), *tests))

    def absent(self, table: str, tests: Sequence[exp.Expr], joined: Iterable[str]) -> exp.Expr:
        """No related row; where a row refers to one at most, the reference is empty."""
        path = self.lexicon.links.nearest((self.root, *sorted(joined)), table) or ()
        if not tests and len(path) == 1 and not path[0].many and path[0].optional:
            keys = (self.column(Field(path[0].source, here)) for here, _ in path[0].pairs)
            return exp.and_(*(exp.Is(this=key, expression=exp.null()) for key in keys))
        return exp.not_(self.exists(table, tests, joined))

    # --- groups and order ----------------------------------------------------------------------------------------

    def grouped(self, query: exp.Select, multiplied: bool) -> exp.Select:
        for group in self.meaning.groups:
            query = query.group_by(*self.group_keys(group))
        for having in self.meaning.havings:
            query = query.having(self.having(having, multiplied))
        for order in self.meaning.order:
            key = self.figure(order.key, multiplied) if isinstance(order.key, Measure) else self.column(order.key)
            query = query.order_by(exp.Ordered(this=key, desc=order.descending))
        if not self.meaning.order:
            timed = [self.key(group) for group in self.meaning.groups if group.unit]
            query = query.order_by(*timed) if timed else query
        return query

    def group_keys(self, group: Group) -> list[exp.Expr]:
        """A row is grouped by its key, and by what is shown of it."""
        if group.column:
            return [self.key(group)]
        keys = [self.column(Field(group.table, name)) for name in self.lexicon.table(group.table).primary_key]
        shown = self.key_columns(group)
        return [*keys, *(column for column in shown if column not in keys)]

    def having(self, having: Having, multiplied: bool) -> exp.Expr:
        compare = _COMPARE[having.operator]
        return compare(this=self.figure(having.measure, multiplied), expression=_literal(having.value))

    # --- names ---------------------------------------------------------------------------------------------------

    def table(self, name: str) -> exp.Table:
        return exp.Table(this=self.identifier(name))

    def column(self, field: Field) -> exp.Column:
        return exp.Column(this=self.identifier(field.column), table=self.identifier(field.table))

    def on(self, link: Link) -> exp.Expr:
        pairs = ((Field(link.source, here), Field(link.target, there)) for here, there in link.pairs)
        return exp.and_(*(exp.EQ(this=self.column(here), expression=self.column(there)) for here, there in pairs))

    def identifier(self, name: str) -> exp.Identifier:
        dialect = Dialect.get_or_raise(self.lexicon.catalog.dialect)
        plain = bool(exp.SAFE_IDENTIFIER_RE.match(name)) and not dialect.case_sensitive(name)
        return exp.Identifier(this=name, quoted=not plain or name.lower() in _reserved())


@cache
def _reserved() -> frozenset[str]:
    """Words that some database reserves; quoting one too many does no harm."""
    return frozenset(MySQL.Generator.RESERVED_KEYWORDS) | frozenset(Redshift.Generator.RESERVED_KEYWORDS)


def _test(column: exp.Column, condition: Filter) -> exp.Expr:
    values = [_literal(value) for value in condition.values]
    if condition.operator in ("null", "not null"):
        empty = exp.Is(this=column, expression=exp.null())
        return empty if condition.operator == "null" else exp.not_(empty)
    if condition.operator in ("in", "not in"):
        inside = exp.In(this=column, expressions=values)
        return inside if condition.operator == "in" else exp.not_(inside)
    if condition.operator in ("contains", "starts", "ends"):
        return _like(column, condition)
    return _COMPARE[condition.operator](this=column, expression=values[0])


def _like(column: exp.Column, condition: Filter) -> exp.Expr:
    escaped = str(condition.values[0]).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    before, after = condition.operator != "starts", condition.operator != "ends"
    like = exp.Like(this=column, expression=exp.Literal.string("%" * before + escaped + "%" * after))
    return exp.Escape(this=like, expression=exp.Literal.string("\\")) if "\\" in escaped else like


def _literal(value: Scalar | date | None) -> exp.Expr:
    if isinstance(value, date):
        return exp.Literal.string(value.isoformat())
    return exp.convert(value)
