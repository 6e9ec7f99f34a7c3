"""One SELECT over the rows of a meaning: what is shown, joined, tested, grouped and sorted.

Rows never multiply by accident. Tables whose columns are shown, grouped or measured are joined; a condition on rows
that one row may have many of is asked with EXISTS; what is counted across such a join is counted distinctly.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from sqlglot import exp

from ai.nl2sql.chart.figures import additive
from ai.nl2sql.comparison import is_rate
from ai.nl2sql.joins import Link, Links, linked, only_shown
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Field, Filter, Fold, Group, Having, Meaning, Measure, Period
from ai.nl2sql.schema import called, display, first_text, numbered_by
from ai.nl2sql.writer.beside import AGGREGATE, beside_all, beside_column, further, one_of
from ai.nl2sql.writer.metrics import condition_sql, lone_metric, metric_sql, restrict, term_test
from ai.nl2sql.writer.moments import on_last_day
from ai.nl2sql.writer.names import COMPARE, alias_of, cut, during, literal, table_of, test
from ai.nl2sql.writer.spans import column_sql, day_sql, shown_day
from ai.nl2sql.writer.units import divided, scaled, taken_off
from ai.nl2sql.writer.windows import along, first_within, folded, may_tie, newest_last, told_apart, with_ties
from ai.sql.semantics import Metric


def write_sql(meaning: Meaning, lexicon: Lexicon, today: date | None = None) -> str:
    """Return the SELECT of a meaning that the checks have let pass; `today` stands for CURRENT_DATE."""
    return tree_of(meaning, lexicon, today).sql(dialect=lexicon.catalog.dialect, pretty=True)


def tree_of(meaning: Meaning, lexicon: Lexicon, today: date | None) -> exp.Select:
    links = lexicon.links.through((key.table, key.column) for key in meaning.keys)
    if meaning.stands_apart:
        return _side_by_side(meaning, lexicon, today)
    if meaning.fold:
        return folded(_Writer(_inner(meaning, meaning.fold), lexicon, links, today).select(), meaning, lexicon)
    if meaning.within:
        bare = replace(meaning, order=(), limit=None, offset=0)
        return first_within(_Writer(bare, lexicon, links, today).select(), meaning, lexicon)
    if may_tie(meaning):
        bare = replace(meaning, order=(), limit=None, measures=tuple(meaning.all_measures))
        return first_within(_Writer(bare, lexicon, links, today).select(), meaning, lexicon)
    return _Writer(meaning, lexicon, links, today).select()


def _side_by_side(meaning: Meaning, lexicon: Lexicon, today: date | None) -> exp.Select:
    found = []
    for measure in meaning.measures:
        filters = tuple(test for test in measure.where if isinstance(test, Filter))
        periods = tuple(test for test in measure.where if isinstance(test, Period))
        alone = replace(measure, where=())
        own = Meaning(measure.table, measures=(alone,), filters=filters, periods=periods, keys=meaning.keys)
        found.append(exp.alias_(exp.Subquery(this=tree_of(own, lexicon, today)), alias_of(alone, lexicon)))
    return exp.Select(expressions=found)


def _inner(meaning: Meaning, fold: Fold) -> Meaning:
    inner = replace(
        meaning, groups=(*meaning.groups, *fold.grain), fold=None, order=meaning.order if meaning.limit else ()
    )
    return replace(inner, limit=None, offset=0, order=()) if meaning.groups else inner  # those are limited when folded


@dataclass(frozen=True)
class _Writer:
    meaning: Meaning
    lexicon: Lexicon
    links: Links
    today: date | None

    @property
    def dialect(self) -> str:
        return self.lexicon.catalog.dialect

    @property
    def root(self) -> str:
        """The table that FROM names: the rows computed over, or listed."""
        measures = self.meaning.all_measures
        if self.every:
            return self.meaning.groups[0].table
        return measures[0].table if measures else self.meaning.subject

    @property
    def lone(self) -> Metric | None:
        return None if self.every else lone_metric(self.meaning, self.lexicon)

    @property
    def every(self) -> bool:
        """Whether the things stay that have no rows to count."""
        groups = self.meaning.groups
        return self.meaning.every and len(groups) == 1 and groups[0].column is None

    def select(self) -> exp.Select:
        joins = linked(self.meaning, self.root, self.links)
        joined = {self.root, *(link.target for link in joins)}
        multiplied = any(link.many for link in joins)
        query = exp.Select(expressions=self.shown(multiplied)).from_(table_of(self.root, self.dialect))
        for link in joins:
            outer = self.every or (link.optional and not link.many and only_shown(self.meaning, link.target))
            query = query.join(table_of(link.target, self.dialect), on=self.on(link), join_type="left" if outer else "")
        query = query.where(*self.conditions(joined))
        query = self.grouped(query, multiplied)
        query = query.distinct() if self.meaning.distinct else query
        query = query.limit(self.meaning.limit) if self.meaning.limit else query
        return query.offset(self.meaning.offset) if self.meaning.offset else query

    # --- what is selected ----------------------------------------------------------------------------------------

    def shown(self, multiplied: bool) -> list[exp.Expr]:
        keys = [column for group in self.meaning.groups for column in self.key_columns(group)]
        fields = [self.shown_column(field) for field in self.meaning.columns]
        figures = [self.titled(measure, multiplied) for measure in self.meaning.shown_measures]
        more = self.further(multiplied)
        return [*keys, *(field for field in fields if field not in keys), *figures, *more]

    def further(self, multiplied: bool) -> list[exp.Expr]:
        """What is reckoned along the rows from the first figure."""
        if not self.meaning.measures or not self.meaning.groups:
            return []
        time = next((self.key(group) for group in self.meaning.groups if group.unit), None)
        apart = [key for group in self.meaning.groups if not group.unit for key in self.group_keys(group)]
        rate = is_rate(self.meaning.measures[0], self.lexicon)
        return along(self.meaning, self.figure(self.meaning.measures[0], multiplied), time, apart, percent=not rate)

    def key_columns(self, group: Group) -> list[exp.Expr]:
        """What a group is shown as: its column, or what names its row."""
        if group.column is None:
            return [self.column(field) for field in self.naming(group.table)]
        key = self.key(group)
        return [exp.alias_(key, group.unit.split()[0]) if group.unit else key]

    def naming(self, name: str) -> tuple[Field, ...]:
        table = self.lexicon.table(name)
        own = tuple(field for field in self.meaning.columns if field.table == table.name)
        keys = table.primary_key or tuple(column.name for column in table.columns)
        other = numbered_by(table) or (*(Field(table.name, key) for key in keys), *first_text(table)[: len(keys) == 1])
        return own or display(self.lexicon, table.name) or other

    def key(self, group: Group) -> exp.Expr:
        field = Field(group.table, group.column or "")
        return self.column(field) if group.unit is None else cut(self.day(field), group.unit, self.dialect)

    def titled(self, measure: Measure, multiplied: bool) -> exp.Expr:
        return exp.alias_(self.figure(measure, multiplied), alias_of(measure, self.lexicon))

    def figure(self, measure: Measure, multiplied: bool) -> exp.Expr:
        if measure.less:
            return self.change(measure, measure.less, multiplied)
        plain = self.plain(replace(measure, per=None), multiplied)
        if measure.per is None:
            return plain
        return divided(plain, self.plain(measure.per, multiplied), percent=measure.is_share)

    def change(self, measure: Measure, base: Measure, multiplied: bool) -> exp.Expr:
        in_percent = measure.per == base
        now = replace(measure, less=None, per=None if in_percent else measure.per)
        sparse = {bool(group.unit) for group in self.meaning.groups} == {False} and additive(self.lexicon, now)
        change = taken_off(self.figure(now, multiplied), self.figure(base, multiplied), sparse=sparse)
        return divided(change, self.figure(base, multiplied), percent=True) if in_percent else change

    def plain(self, measure: Measure, multiplied: bool) -> exp.Expr:
        """One aggregate; its own conditions stand inside it."""
        tree = self.whole(measure, multiplied)
        tests = [part for condition in measure.where for part in self.tests(condition)]
        if tests:
            for aggregate in list(tree.find_all(exp.AggFunc)):
                restrict(aggregate, exp.and_(*(part.copy() for part in tests)))
        return tree

    def whole(self, measure: Measure, multiplied: bool) -> exp.Expr:
        if measure.function == "count" and measure.column:
            return exp.Count(this=exp.Distinct(expressions=[self.column(Field(measure.table, measure.column))]))
        if measure.function == "count":
            key = self.lexicon.table(measure.table).primary_key
            if multiplied and len(key) == 1:
                return exp.Count(this=exp.Distinct(expressions=[self.column(Field(measure.table, key[0]))]))
            return exp.Count(this=exp.Star())
        field = Field(measure.table, measure.column or "")
        if measure.function == "metric":
            metric = self.lexicon.metrics[field]
            metric = replace(metric, condition="") if metric == self.lone else metric
            return metric_sql(metric, table_of(field.table, self.dialect), self.dialect, self.today)
        return scaled(AGGREGATE[measure.function](this=self.column(field)), field, self.lexicon)

    # --- which rows ----------------------------------------------------------------------------------------------

    def conditions(self, joined: set[str]) -> list[exp.Expr]:
        """Conditions on joined tables stand alone; those on other rows share one EXISTS for each."""
        here: list[exp.Expr] = []
        loose = [p for p in self.meaning.presences if p.table not in joined and not p.where]
        apart: dict[str, list[exp.Expr]] = {p.table: [] for p in loose}
        for condition in self.meaning.conditions:
            tests = self.tests(condition)
            (here if condition.field.table in joined else apart.setdefault(condition.field.table, [])).extend(tests)
        absent = {presence.table for presence in loose if not presence.present}
        for table, tests in self.links.merged((self.root, *sorted(joined)), apart, absent).items():
            here.append(self.absent(table, tests, joined) if table in absent else self.exists(table, tests, joined))
        for presence in self.meaning.presences:
            if presence.where:
                there = self.exists(presence.table, [t for own in presence.where for t in self.tests(own)], joined)
                here.append(there if presence.present else exp.not_(there))
        here += [exp.or_(*(part for f in either for part in self.tests(f))) for either in self.meaning.either]
        here += [condition_sql(self.lone, self.dialect)] if self.lone else []
        here += [on_last_day(self.meaning, self.meaning.last, self.lexicon)] if self.meaning.last else []
        return here

    def tests(self, condition: Filter | Period | Among) -> list[exp.Expr]:
        column = self.column(condition.field)
        if isinstance(condition, Among):
            source = tree_of(with_ties(condition.source), self.lexicon, self.today)
            own = cut(self.day(condition.field), condition.unit, self.dialect) if condition.unit else column
            return [one_of(own, condition, source, self.dialect)]
        if isinstance(condition, Period):
            kept = self.lexicon.column(condition.field)
            return during(self.day(condition.field) if kept.is_epoch else column, condition, compact=kept.is_compact)
        if condition.other:
            return [beside_column(column, condition, self.lexicon)]
        if condition.than:
            return [beside_all(column, condition, self.dialect)]
        if term := self.lexicon.terms.get(condition.field):
            own = table_of(term.table, self.dialect)
            return [term_test(term, own, self.dialect, holds=condition.operator == "=", today=self.today)]
        column = self.day(condition.field) if condition.operator == "weekday" else column
        return [test(scaled(column, condition.field, self.lexicon), condition, self.dialect)]

    def exists(self, table: str, tests: Sequence[exp.Expr], joined: Iterable[str]) -> exp.Expr:
        """EXISTS over the way from the nearest other joined table, its first step tied to the outer row."""
        if not (path := self.links.nearest((self.root, *sorted({*joined} - {table})), table)):
            return exp.and_(*tests)  # the root's own rows
        query = exp.Select(expressions=[exp.Literal.number(1)]).from_(table_of(path[0].target, self.dialect))
        for link in (*path[1:], *further(self.links, path, tests)):
            query = query.join(table_of(link.target, self.dialect), on=self.on(link))
        return exp.Exists(this=query.where(self.on(path[0]), *tests))

    def absent(self, table: str, tests: Sequence[exp.Expr], joined: Iterable[str]) -> exp.Expr:
        """No related row; where a row refers to one at most, the reference is empty."""
        path = self.links.nearest((self.root, *sorted(joined)), table) or ()
        if not tests and len(path) == 1 and not path[0].many and path[0].optional:
            keys = (self.column(Field(path[0].source, here)) for here, _ in path[0].pairs)
            return exp.and_(*(exp.Is(this=key, expression=exp.null()) for key in keys))
        return exp.not_(self.exists(table, tests, joined))

    # --- groups and order ----------------------------------------------------------------------------------------

    def grouped(self, query: exp.Select, multiplied: bool) -> exp.Select:
        query = query.group_by(*(key for group in self.meaning.groups for key in self.group_keys(group)))
        for having in self.meaning.havings:
            query = query.having(self.having(having, multiplied))
        for order in self.meaning.order:
            key = self.figure(order.key, multiplied) if isinstance(order.key, Measure) else self.sort_key(order.key)
            query = query.order_by(exp.Ordered(this=key, desc=order.descending))
        if last := newest_last(self.meaning, self.root, self.lexicon):
            return query.order_by(exp.Ordered(this=self.column(last), desc=self.meaning.order[-1].descending))
        more = [self.group_keys(group)[0] for group in told_apart(self.meaning)]
        return query.order_by(*more) if more else query

    def sort_key(self, field: Field) -> exp.Expr:
        """Sort by a column, or by the time of the groups cut from it."""
        timed = (g for g in self.meaning.groups if g.unit and field == Field(g.table, g.column or ""))
        return next(map(self.key, timed), None) or self.column(field)

    def group_keys(self, group: Group) -> list[exp.Expr]:
        """A row is grouped by its key, and by what is shown of it."""
        if group.column:
            return [self.key(group)]
        keys = [self.column(Field(group.table, name)) for name in self.lexicon.table(group.table).primary_key]
        shown = self.key_columns(group)
        return [*keys, *(column for column in shown if column not in keys)]

    def having(self, having: Having, multiplied: bool) -> exp.Expr:
        other: exp.Expr = literal(having.value)
        if having.than:
            other = self.figure(having.than, multiplied)
        elif having.mean:
            other = exp.Subquery(this=self.mean_of(having.measure))
        return COMPARE[having.operator](this=self.figure(having.measure, multiplied), expression=other)

    def mean_of(self, measure: Measure) -> exp.Select:
        """The mean of a figure over all groups; of a figure that is a mean itself, the one over all rows."""
        fold = None if measure.function == "avg" else Fold("avg", self.meaning.groups)
        every = replace(self.meaning, measures=(measure,), havings=(), order=(), limit=None, offset=0, columns=())
        return tree_of(replace(every, groups=(), fold=fold), self.lexicon, self.today)

    def shown_column(self, field: Field) -> exp.Expr:
        shown = scaled(shown_day(field, self.lexicon, self.today), field, self.lexicon)
        name = called(self.lexicon, field).replace(" ", "_")
        return shown if isinstance(shown, exp.Column) else exp.alias_(shown, name)

    def column(self, field: Field) -> exp.Expr:
        return column_sql(field, self.lexicon, self.today)

    def day(self, field: Field) -> exp.Expr:
        return day_sql(field, self.lexicon, self.today)

    def on(self, link: Link) -> exp.Expr:
        pairs = ((Field(link.source, here), Field(link.target, there)) for here, there in link.pairs)
        return exp.and_(*(exp.EQ(this=self.column(here), expression=self.column(there)) for here, there in pairs))
