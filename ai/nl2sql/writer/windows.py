"""Queries around a query: groups folded into one figure each, and the first few within each group."""

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Fold, Folding, Group, Meaning, Measure
from ai.nl2sql.schema import noun, title
from ai.nl2sql.writer.names import identifier
from ai.nl2sql.writer.units import divided

FOLDS: dict[Folding, type[exp.AggFunc]] = {
    "sum": exp.Sum, "avg": exp.Avg, "min": exp.Min, "max": exp.Max, "median": exp.Avg,
}  # fmt: skip
NAMES: dict[Folding, str] = {
    "sum": "total_{}", "avg": "average_{}", "min": "lowest_{}", "max": "highest_{}", "median": "median_{}",
}  # fmt: skip
INNER, PLACE, SIZE = "groups_", "place_", "size_"


def along(
    meaning: Meaning, figure: exp.Expr, time: exp.Expr | None, apart: Sequence[exp.Expr], *, percent: bool
) -> list[exp.Expr]:
    """Return the share of the total, or what a series adds to a figure along `time`, for each of the things `apart`."""
    if meaning.share:
        whole = exp.Window(this=exp.Sum(this=figure.copy()))
        share = exp.Div(this=exp.Mul(this=exp.Literal.number("100.0"), expression=exp.paren(figure)), expression=whole)
        return [exp.alias_(share, "share_percent")]
    if not meaning.series or time is None:
        return []

    def window(function: exp.Expr, rows: int = 1) -> exp.Window:
        order = exp.Order(expressions=[exp.Ordered(this=time.copy())])
        frame = exp.WindowSpec(kind="ROWS", start=exp.convert(rows - 1), start_side="PRECEDING", end="CURRENT ROW")
        spec = frame if rows > 1 else None
        return exp.Window(this=function, partition_by=[key.copy() for key in apart], order=order, spec=spec)

    if meaning.series == "running":
        return [exp.alias_(window(exp.Sum(this=figure.copy())), "running_total")]
    if meaning.series == "moving":
        return [exp.alias_(window(exp.Avg(this=figure.copy()), meaning.rows), "moving_average")]
    before = window(exp.Lag(this=figure.copy()))
    change = exp.Sub(this=figure, expression=before)
    shown = [exp.alias_(change, "change")]
    return (
        [*shown, exp.alias_(divided(change.copy(), before.copy(), percent=True), "change_percent")]
        if percent
        else shown
    )


def folded(inner: exp.Select, meaning: Meaning, lexicon: Lexicon) -> exp.Select:
    """Return the query that folds the groups of `inner`; its first columns are the keys that stay."""
    fold, dialect = meaning.fold, lexicon.catalog.dialect
    if fold is None:
        return inner
    titles = _titled(inner)
    keys = titles[: _width(meaning, titles)]
    if fold.function == "count":
        figure: exp.Expr = exp.alias_(exp.Count(this=exp.Star()), _counted(fold, lexicon))
        source = inner
    else:
        value = titles[-1]
        figure = exp.alias_(
            FOLDS[fold.function](this=_named(value, dialect)), NAMES[fold.function].format(value.removeprefix("total_"))
        )
        source = _with_middle(inner, keys, value, dialect) if fold.function == "median" else inner
    columns = [_named(key, dialect) for key in keys]
    query = exp.Select(expressions=[*columns, figure]).from_(source.subquery(INNER))
    if fold.function == "median":
        twice = exp.Mul(this=_named(PLACE, dialect), expression=exp.Literal.number(2))
        size = _named(SIZE, dialect)
        query = query.where(
            exp.Between(this=twice, low=size, high=exp.Add(this=size.copy(), expression=exp.convert(2)))
        )
    if not keys:
        return query
    query = query.group_by(*(column.copy() for column in columns))
    if any(group.unit for group in meaning.groups) and not meaning.limit:
        return query.order_by(columns[0].copy())
    down = meaning.order[0].descending if meaning.order and meaning.limit else True
    query = query.order_by(exp.Ordered(this=figure.this.copy(), desc=down))
    query = query.limit(meaning.limit) if meaning.limit else query
    return query.offset(meaning.offset) if meaning.offset else query


def may_tie(meaning: Meaning) -> bool:
    """Whether several groups may share the first place: those that are ranked by how many rows they have."""
    if meaning.limit != 1 or meaning.offset or len(meaning.order) != 1 or not meaning.groups or meaning.series:
        return False
    key = meaning.order[0].key
    counts = isinstance(key, Measure) and key.function == "count" and not key.per and not key.less
    return counts and meaning.shown_measures == (key,) and not meaning.share


def told_apart(meaning: Meaning) -> list[Group]:
    """Return the groups by whose keys rows are sorted after a figure; the times, where nothing else sorts them."""
    ranked = [isinstance(order.key, Measure) for order in meaning.order[-1:]]
    return [group for group in meaning.groups if any(ranked) or (group.unit and not ranked)]


def newest_last(meaning: Meaning, root: str, lexicon: Lexicon) -> Field | None:
    """Return the key telling rows of one day apart: “last order”."""
    table, key = lexicon.table(root), meaning.order[-1].key if meaning.order and meaning.limit else None
    if not isinstance(key, Field) or key.table != root or meaning.all_groups or meaning.all_measures:
        return None
    if lexicon.column(key).kind not in ("date", "datetime") or len(table.primary_key) != 1:
        return None
    own = Field(root, table.primary_key[0])
    return own if lexicon.column(own).kind == "integer" else None


def with_ties(source: Meaning) -> Meaning:
    """Show the figure behind a first place, to pick all things sharing it."""
    shown = replace(source, measures=source.all_measures[:1])
    return shown if not source.measures and may_tie(shown) else source


def _counted(fold: Fold, lexicon: Lexicon) -> str:
    """Name the number of things folded: `customer_count`."""
    if len(fold.grain) != 1:
        return "count"
    (by,) = fold.grain
    thing = title(Field(by.table, by.column)) if by.column else noun(lexicon, by.table, many=False)
    return f"{by.unit or thing.replace(' ', '_')}_count"


def first_within(inner: exp.Select, meaning: Meaning, lexicon: Lexicon) -> exp.Select:
    """Return the first rows of each group; `inner` has the keys of `within` first and the figure last."""
    dialect, titles = lexicon.catalog.dialect, _titled(inner)
    keys = [_named(title, dialect) for title in titles[: len(meaning.within)]]
    ranked = exp.Ordered(this=_named(titles[-1], dialect), desc=meaning.order[0].descending)
    window = exp.Window(
        this=exp.Anonymous(this="RANK"),
        partition_by=[key.copy() for key in keys],
        order=exp.Order(expressions=[ranked]),
    )
    columns = [_named(title, dialect) for title in titles]
    placed = exp.Select(expressions=[*columns, exp.alias_(window, PLACE)]).from_(inner.subquery(INNER))
    within = exp.LTE(this=_named(PLACE, dialect), expression=exp.convert(meaning.limit or 1))
    query = exp.Select(expressions=[column.copy() for column in columns]).from_(placed.subquery("placed_"))
    query = query.where(within)
    return query.order_by(*(key.copy() for key in keys), _named(PLACE, dialect)) if keys else query


def _with_middle(inner: exp.Select, keys: list[str], value: str, dialect: str) -> exp.Select:
    """Number the values of each group and count them, so that the middle ones can be taken."""
    partition = [_named(key, dialect) for key in keys]
    order = exp.Order(expressions=[exp.Ordered(this=_named(value, dialect))])
    place = exp.Window(this=exp.RowNumber(), partition_by=partition, order=order)
    size = exp.Window(this=exp.Count(this=_named(value, dialect)), partition_by=[part.copy() for part in partition])
    columns = [_named(title, dialect) for title in (*keys, value)]
    return exp.Select(expressions=[*columns, exp.alias_(place, PLACE), exp.alias_(size, SIZE)]).from_(
        inner.subquery("values_")
    )


def _titled(inner: exp.Select) -> list[str]:
    """Give every column of a query a title of its own, and return the titles."""
    given: list[str] = []
    for at, column in enumerate(inner.expressions):
        title = column.alias_or_name or f"column_{at}"
        while title in given:
            title = f"{title}_{at}"
        if column.alias_or_name != title or not isinstance(column, exp.Alias):
            inner.expressions[at].replace(exp.alias_(column.copy().unalias(), title))
        given.append(title)
    return given


def _named(title: str, dialect: str) -> exp.Column:
    return exp.Column(this=identifier(title, dialect))


def _width(meaning: Meaning, titles: list[str]) -> int:
    """How many of the first columns are keys that stay: each kept group shows as one column."""
    return min(len(meaning.groups), len(titles))
