"""Rows missed by an answer: cut results, NULLs passed over, empty keys left out by joins, other spellings."""

from collections.abc import Iterator

from sqlglot import exp

from ai.language.names import same_thing
from ai.language.spelling import near_names
from ai.language.words import NAME_PART, singular
from ai.results.table import ResultTable
from ai.sql.catalog import Column, Table
from ai.sql.cautions.evidence import Caution, Evidence
from ai.sql.cautions.frames import Frame, shown

MUCH = 0.2  # share of rows without a value from which a figure over the others is worth a note
FEW_ROWS = 5
NEAR, NEAR_SAME_LETTER = 75.0, 66.0  # likeness, letter case and punctuation aside; where both begin alike
MOST_VALUES = 5_000
SHORTEST = 2
# Neither these nor their contraries are fulfilled by NULL
FULFILLED = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between, exp.In, exp.Like, exp.ILike)
KEYED = frozenset({"id", "key", "fk", "code", "no", "nr"})
LEAST = 0.1  # percent of a total from which it is worth a note


def truncated(evidence: Evidence) -> Iterator[Caution]:
    shown = evidence.result.row_count
    if evidence.result.truncated:
        yield Caution(
            "truncated", f"There are more rows than the {shown:,} that were kept; figures made of them are over a part."
        )
    for frame in evidence.frames.all():
        limit = _limit(frame.select)
        if limit is None or frame.select.args.get("order") or _has_one_row(frame):
            continue
        if frame.select is evidence.tree:
            if shown == limit > 1 and not evidence.result.truncated:
                yield Caution(
                    "truncated", f"The query stops at {limit:,} rows in no particular order; there may be others."
                )
        elif (above := frame.select.find_ancestor(exp.Select)) and any(
            True for _ in evidence.frames.of(above).aggregates()
        ):
            yield Caution("truncated", f"The figures are over {limit:,} rows at most, taken in no particular order.")


def nulls(evidence: Evidence) -> Iterator[Caution]:
    yield from _null_group(evidence)
    for frame in evidence.frames.all():
        seen: set[str] = set()
        for aggregate in frame.aggregates():
            if isinstance(aggregate, exp.Sum | exp.Avg | exp.Min | exp.Max) and isinstance(aggregate.this, exp.Column):
                found = evidence.frames.column(frame, aggregate.this)
                if found and found[1].name not in seen:
                    seen.add(found[1].name)
                    yield from _passed_over(evidence, frame, aggregate.this, *found)
        yield from _not_in(evidence, frame)


def _null_group(evidence: Evidence) -> Iterator[Caution]:
    places = [
        (at, item)
        for frame in evidence.outer()
        if not _adds_totals(frame.select)
        for at, item in shown(frame)
        if item.unalias() in frame.grouping()
    ]
    for at, item in places:
        if any(row[at] is None for row in evidence.result.rows):
            yield Caution(
                "nulls", f"One group has no {item.alias_or_name or 'value'}: the rows without it stand together there."
            )


def _adds_totals(select: exp.Select) -> bool:
    group = select.args.get("group")
    return group is not None and any(group.args.get(name) for name in ("rollup", "cube", "grouping_sets"))


def _passed_over(evidence: Evidence, frame: Frame, node: exp.Column, table: Table, column: Column) -> Iterator[Caution]:
    place = frame.place(node)
    if not column.nullable or place is None or frame.sources[place[0]].optional:
        return
    probe = exp.Select(expressions=[exp.Count(this=exp.Star()), exp.Count(this=node.copy())])
    for part in ("from_", "joins", "where", "with_"):
        if frame.select.args.get(part):
            value = frame.select.args[part]
            probe.set(part, [one.copy() for one in value] if isinstance(value, list) else value.copy())
    for rows, held in evidence.answers(probe, table):
        if rows >= FEW_ROWS and (rows - held) / rows >= MUCH:
            share = round(100 * (rows - held) / rows)
            yield Caution("nulls", f"{share} % of the rows have no {column.name}; the figure is over the others.")


def _not_in(evidence: Evidence, frame: Frame) -> Iterator[Caution]:
    if not finds_nothing(evidence.result):
        return
    where = frame.select.args.get("where")
    for test in where.find_all(exp.Not) if where else ():
        inside = test.this.unnest()
        query = inside.args.get("query") if isinstance(inside, exp.In) else None
        inner = query.this if isinstance(query, exp.Subquery) else query
        item = inner.selects[0].unalias() if isinstance(inner, exp.Select) and inner.selects else None
        if not isinstance(inner, exp.Select) or not isinstance(item, exp.Column):
            continue
        found = evidence.frames.column(evidence.frames.of(inner), item)
        if found and found[1].nullable and not _excludes_null(inner, item):
            yield Caution("nulls", f"NOT IN gives no rows as soon as one {found[1].name} of {found[0].name} is empty.")


def _excludes_null(select: exp.Select, item: exp.Column) -> bool:
    """Whether a condition that all rows of a query meet is one that NULL in the column does not."""
    where = select.args.get("where")
    met = where.this.unnest() if where else exp.true()
    tests = met.flatten() if isinstance(met, exp.And) else (met,)
    return any(_needs(test.unnest()) == item.name.lower() for test in tests)


def _needs(test: exp.Expr) -> str | None:
    """Name the column that a condition is about and that NULL does not fulfil it in."""
    inner = test.this.unnest() if isinstance(test, exp.Not) else test
    if isinstance(inner, exp.Is):
        is_denied = (inner is not test) != bool(inner.args.get("negate"))  # `IS NOT NULL` of PostgreSQL is one node
        if is_denied != isinstance(inner.expression, exp.Null):
            return None
    elif not isinstance(inner, FULFILLED):
        return None
    return inner.this.name.lower() if isinstance(inner.this, exp.Column) else None


def _has_one_row(frame: Frame) -> bool:
    return any(True for _ in frame.aggregates()) and not frame.select.args.get("group")


def _limit(select: exp.Select) -> int | None:
    limit = select.args.get("limit")
    count = (limit.args.get("count") or limit.expression) if limit else None
    return int(count.name) if isinstance(count, exp.Literal) and count.is_int else None


def near(evidence: Evidence) -> Iterator[Caution]:
    """Note filter texts absent from a column but resembling one of its values."""
    if not finds_nothing(evidence.result):
        return
    for frame in evidence.frames.all():
        for node, text in _compared(frame):
            found = evidence.frames.column(frame, node)
            if found and (meant := _nearest(evidence, *found, text)):
                yield Caution("near", f"There is no {found[1].name} “{text}”; did you mean “{meant}”?")


def finds_nothing(result: ResultTable) -> bool:
    """Whether a result has no row, or one of NULLs and zeros."""
    rows = result.rows
    return not rows or (len(rows) == 1 and all(cell in (None, 0) for cell in rows[0]))


def _compared(frame: Frame) -> Iterator[tuple[exp.Column, str]]:
    for test in frame.select.find_all(exp.EQ, exp.In):
        if test.find_ancestor(exp.Select) is not frame.select or test.find_ancestor(exp.Not):
            continue
        others = test.expressions if isinstance(test, exp.In) else [test.expression]
        column = test.this
        if isinstance(column, exp.Lower | exp.Upper | exp.Trim):
            column = column.this
        if isinstance(column, exp.Column):
            yield from ((column, node.name) for node in others if isinstance(node, exp.Literal) and node.is_string)


def _nearest(evidence: Evidence, table: Table, column: Column, text: str) -> str | None:
    if column.kind != "text" or len(text) < SHORTEST:
        return None
    values = column.values or _asked(evidence, table, column)
    if text in values:
        return None
    alike = near_names(text, values, NEAR_SAME_LETTER)
    found = (value for value, score in alike if score >= NEAR or value[:1].lower() == text[:1].lower())
    return same_thing(text, values) or next(found, None)


def _asked(evidence: Evidence, table: Table, column: Column) -> tuple[str, ...]:
    query = (
        exp.select(exp.column(column.name, quoted=True))
        .distinct()
        .from_(exp.Table(this=exp.to_identifier(table.name, quoted=True)))
    )
    rows = evidence.answers(query.limit(MOST_VALUES + 1), table)
    return tuple(str(row[0]) for row in rows if row[0] is not None) if len(rows) <= MOST_VALUES else ()


def unjoined(evidence: Evidence) -> Iterator[Caution]:
    """Note rows without what they are grouped by: apps of no team."""
    for frame in evidence.frames.all():
        joins = frame.select.args.get("joins") or []
        if not frame.grouping() or frame.select.find_ancestor(exp.In, exp.Exists):
            continue
        for at, join in enumerate(joins):
            key = None if join.side or join.kind not in ("", "INNER") else _empty_key(evidence, frame, join)
            if key is not None and not _is_tested(frame, join):
                yield from _lost(evidence, frame, at, key)


def _empty_key(evidence: Evidence, frame: Frame, join: exp.Join) -> exp.Column | None:
    """Return the nullable column of a join to one row."""
    on = join.args.get("on")
    sides = [on.this, on.expression] if isinstance(on, exp.EQ) else []
    own = join.this.alias_or_name.lower()
    columns = {place[0]: side for side in sides if isinstance(side, exp.Column) and (place := frame.place(side))}
    if len(columns) != 2 or own not in columns:
        return None
    to = evidence.frames.column(frame, columns.pop(own))
    (key,) = columns.values()
    held = evidence.frames.column(frame, key)
    single = to is not None and tuple(to[0].primary_key) == (to[1].name,)
    return key if single and held is not None and held[1].nullable else None


def _is_tested(frame: Frame, join: exp.Join) -> bool:
    """Whether a condition is on the joined rows."""
    own = join.this.alias_or_name.lower()
    where = frame.select.args.get("where")
    columns = where.find_all(exp.Column) if where else ()
    return any((place := frame.place(column)) is not None and place[0] == own for column in columns)


def _lost(evidence: Evidence, frame: Frame, at: int, key: exp.Column) -> Iterator[Caution]:
    found = evidence.frames.column(frame, key)
    total = next((a.this for a in frame.aggregates() if isinstance(a, exp.Sum)), None)
    counted = total or exp.Literal.number(1)
    kept = exp.case().when(exp.Not(this=exp.Is(this=key.copy(), expression=exp.null())), counted.copy())
    probe = exp.Select(expressions=[exp.Sum(this=counted.copy()), exp.Sum(this=kept)])
    for part in ("from_", "where", "with_"):
        if frame.select.args.get(part):
            probe.set(part, frame.select.args[part].copy())
    joins = [join.copy() for join in frame.select.args["joins"]]
    for join in joins[at:]:
        join.set("side", "LEFT")
        join.set("kind", "")
    probe.set("joins", joins)
    for whole, rest in evidence.answers(probe, found[0]) if found else ():
        lost = float(whole or 0) - float(rest or 0)
        if not lost:
            continue
        if total is None:
            yield Caution(
                "nulls", f"{lost:,.0f} of {whole:,} rows have no {_named(key)}; they are in none of the groups."
            )
        elif whole and 100 * lost / float(whole) >= LEAST:
            share = f"{100 * lost / float(whole):.1f}"
            yield Caution("nulls", f"{share} % of the whole has no {_named(key)}; it is in none of the groups.")


def _named(key: exp.Column) -> str:
    """Return what a key refers to, in words: “team” for `team_id`."""
    parts = [part.lower() for part in NAME_PART.findall(key.name)]
    while len(parts) > 1 and parts[-1] in KEYED:
        parts.pop()
    return singular(" ".join(parts))
