"""Figures that add up wrong: repeated rows, cancelled ones, mixed currencies and time zones, averages of averages."""

import re
from collections.abc import Iterable, Iterator

from sqlglot import exp

from ai.language.words import name_parts, stem
from ai.sql.catalog import Column, Table
from ai.sql.cautions.conditions import Place
from ai.sql.cautions.evidence import Caution, Evidence
from ai.sql.cautions.frames import Frame

ADDING = (exp.Sum, exp.Avg, exp.Count)
NAMING = ("name", "title", "label", "code")
CURRENCY = re.compile(r"(?:.*_)?(?:currency|ccy|curr)(?:_?(?:code|id|iso))?", re.IGNORECASE)
MONEY = re.compile(
    r"(?:.*_)?(?:amount|amt|price|total|revenue|cost|value|fee|fees|salary|balance|sales|income|budget|turnover|spend"
    r"|paid|tax|discount|subtotal|net|gross|payment|profit|margin|charge)(?:_.*)?",
    re.IGNORECASE,
)
ONE_CURRENCY = re.compile(r"(?:.*_)?(?:usd|eur|gbp|chf|jpy|base|converted|home)(?:_.*)?", re.IGNORECASE)
RATE = re.compile(r"(?:.*_)?(?:rate|fx|exchange\w*)(?:_.*)?", re.IGNORECASE)
ZONE = re.compile(r"(?:.*_)?(?:time_?zone|tz|utc_offset|tz_?name)", re.IGNORECASE)
AVERAGED = re.compile(r"(?:avg|average|mean)_.*|.*_(?:avg|average|mean)", re.IGNORECASE)
WORTH_A_NOTE = 0.02  # of the rows
UNDONE = frozenset("cancelled canceled missed aborted noshow failed declined bounced void voided".split())
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def multiplied(evidence: Evidence) -> Iterator[Caution]:
    """Note SUM, AVG or COUNT of one side of a join to many."""
    for frame in evidence.frames.all():
        for aggregate in frame.aggregates():
            if isinstance(aggregate, ADDING) and not _is_distinct(aggregate) and not _is_of_aggregates(aggregate):
                yield from _judged(evidence, frame, aggregate)


def _is_distinct(aggregate: exp.Expr) -> bool:
    return isinstance(aggregate.this, exp.Distinct)


def _is_of_aggregates(aggregate: exp.Expr) -> bool:
    return any(node is not aggregate for node in aggregate.find_all(exp.AggFunc))


def _judged(evidence: Evidence, frame: Frame, aggregate: exp.AggFunc) -> Iterator[Caution]:
    columns = [column for value in _values(aggregate.this) for column in value.find_all(exp.Column)]
    owners = list(dict.fromkeys(place[0] for column in columns if (place := frame.place(column))))
    if columns and (not owners or columns[0] in frame.grouping()):
        return
    if len(frame.sources) > 1:
        yield from _in_frame(frame, aggregate, owners)
    elif len(columns) == 1 and (found := evidence.frames.meaning(frame, columns[0])) and found[0] is not frame:
        inner, made = found
        below = [place[0] for column in made.find_all(exp.Column) if (place := inner.place(column))]
        if not made.find(exp.AggFunc) and not inner.select.args.get("group") and not inner.select.args.get("distinct"):
            yield from _in_frame(inner, aggregate, list(dict.fromkeys(below)))


def _in_frame(frame: Frame, aggregate: exp.AggFunc, owners: list[str]) -> Iterator[Caution]:
    if len(frame.sources) < 2:
        return
    groups = _group_places(frame)
    for owner in owners or frame.sources:
        lost = set(frame.sources) - frame.determined([owner], groups)
        lost = {name for name in lost if frozenset((owner, name)) not in frame.ranged}
        if not lost:
            return
    if owners:
        grouped = set(frame.group_places())
        fixed = any(key and {(owners[0], c) for c in key} <= grouped for key in frame.keys[owners[0]] or ())
        if fixed and isinstance(aggregate, exp.Avg | exp.Count):
            return  # an average of one value, or the usual way to count what goes with each row
        lost = set(frame.sources) - frame.determined([owners[0]], groups)
        yield _repeated(frame, aggregate, owners[0], lost)
    elif len({source.title for source in frame.sources.values()}) == len(frame.sources):
        tables = _and(frame, frame.sources)
        text = f"{_shown(aggregate)} counts combinations: no join ties the rows of {tables} to one another."
        yield Caution("multiplied", text)


def _group_places(frame: Frame) -> list[Place]:
    places = frame.group_places()
    named = {owner for owner, column in places if column.endswith(NAMING) and owner in frame.sources}
    return [*places, *((owner, column) for owner in named for column in frame.sources[owner].columns)]


def _repeated(frame: Frame, aggregate: exp.AggFunc, owner: str, lost: set[str]) -> Caution:
    title = frame.sources[owner].title
    repeats = f"The join with {_and(frame, sorted(lost))} repeats rows of {title}"
    return Caution("multiplied", f"{repeats}: {_shown(aggregate)} may take the same row several times.")


def _and(frame: Frame, names: Iterable[str]) -> str:
    titles = [frame.sources[name].title for name in names]
    return " and ".join(dict.fromkeys(titles))


def _values(node: exp.Expr | None) -> Iterator[exp.Expr]:
    if isinstance(node, exp.Case):
        for branch in node.args.get("ifs") or ():
            yield from _values(branch.args.get("true"))
        yield from _values(node.args.get("default"))
    elif isinstance(node, exp.Expr) and not isinstance(node, exp.Star):
        yield node


def _shown(aggregate: exp.Expr) -> str:
    copy = aggregate.copy()
    for column in copy.find_all(exp.Column):
        column.set("table", None)
    return copy.sql()


def mixed(evidence: Evidence) -> Iterator[Caution]:
    """Note several currencies, several zones, and times compared across zones."""
    for frame in evidence.frames.all():
        yield from _currencies(evidence, frame)
        yield from _local_times(evidence, frame)
        yield from _compared_times(evidence, frame)


def undone(evidence: Evidence) -> Iterator[Caution]:
    """Note how many of the rows counted or added up came to nothing, where neither query nor definition speaks of it."""
    if not isinstance(evidence.tree, exp.Select) or any(output.metric for output in evidence.facts.outputs):
        return
    frame = evidence.frames.of(evidence.tree)
    figures, tables = list(frame.aggregates()), [source.table for source in frame.sources.values()]
    if not figures or not all(isinstance(figure, exp.Sum | exp.Count) for figure in figures):
        return
    if frame.grouping() or len(tables) != 1 or tables[0] is None or frame.select.find(exp.Case, exp.Subquery):
        return
    column = _state_of(evidence, frame, tables[0])
    lost = _states_counted(evidence, frame, tables[0], column) if column else ""
    if lost:
        counted = all(isinstance(figure, exp.Count) for figure in figures)
        yield Caution("undone", f"Also {'counted' if counted else 'added up'}: {lost}.")


def _state_of(evidence: Evidence, frame: Frame, table: Table) -> Column | None:
    """Return the column that tells which rows came to nothing, None where the query or the question speaks of it."""
    column = next((column for column in table.columns if _lost(column)), None)
    if column is None or any(column.name.lower() == node.name.lower() for node in frame.select.find_all(exp.Column)):
        return None
    asked = {stem(key) for key in evidence.asked.keys} if evidence.asked else set()
    said = {stem(part) for value in _lost(column) for part in name_parts(value)}
    return None if asked & said else column


def _lost(column: Column) -> list[str]:
    states = column.values if column.kind == "text" else ()
    return [value for value in states if {*name_parts(value), "".join(name_parts(value))} & UNDONE]


def _states_counted(evidence: Evidence, frame: Frame, table: Table, column: Column) -> str:
    """Return how many rows of the query are in each such state, "" where they are too few for a note."""
    state, states = exp.column(column.name, quoted=True), _lost(column)
    probe = exp.select(state, exp.Count(this=exp.Star()))
    for part in ("from_", "where"):
        if (value := frame.select.args.get(part)) is not None:
            probe.set(part, value.copy())
    rows = evidence.answers(probe.group_by(state).order_by(state), table)
    lost = [(str(value), count) for value, count in rows if value in states]
    enough = sum(count for _, count in lost) >= WORTH_A_NOTE * sum(row[1] for row in rows)
    return ", ".join(f"{count:,} {' '.join(name_parts(value))}" for value, count in lost) if enough else ""


def averages(evidence: Evidence) -> Iterator[Caution]:
    """Note a figure over averages: each weighs the same, however many rows it is of."""
    for frame in evidence.frames.all():
        for aggregate in frame.aggregates():
            if isinstance(aggregate, exp.Avg | exp.Sum) and _is_average(evidence, frame, aggregate.this):
                yield Caution(
                    "averages",
                    f"{_called(aggregate)} is over averages: each weighs the same, however many rows it is of.",
                )


def _is_average(evidence: Evidence, frame: Frame, node: exp.Expr) -> bool:
    if isinstance(node, exp.Avg):
        return True
    if isinstance(node, exp.Round | exp.Cast | exp.Paren | exp.Coalesce):
        return _is_average(evidence, frame, node.this)
    if not isinstance(node, exp.Column):
        return False
    found = evidence.frames.meaning(frame, node)
    if found and found[0] is not frame and not isinstance(found[1], exp.Column):
        return _is_average(evidence, *found) or _is_ratio(found[1])
    held = evidence.frames.column(frame, node)
    return bool(held and AVERAGED.fullmatch(_flat(held[1].name)))


def _is_ratio(node: exp.Expr) -> bool:
    while isinstance(node, exp.Round | exp.Cast | exp.Paren):
        node = node.this
    if not isinstance(node, exp.Div):
        return False
    return bool(node.this.find(exp.AggFunc)) and bool(node.expression.find(exp.AggFunc))


def _called(aggregate: exp.Expr) -> str:
    return "An average" if isinstance(aggregate, exp.Avg) else "A sum"


def _currencies(evidence: Evidence, frame: Frame) -> Iterator[Caution]:
    for aggregate in frame.aggregates():
        if not isinstance(aggregate, exp.Sum | exp.Avg | exp.Min | exp.Max):
            continue
        columns = list(aggregate.this.find_all(exp.Column)) if isinstance(aggregate.this, exp.Expr) else []
        held = [found for column in columns if (found := evidence.frames.column(frame, column))]
        names = [_flat(column.name) for _, column in held]
        if any(RATE.fullmatch(name) or ONE_CURRENCY.fullmatch(name) for name in names):
            continue
        for (table, column), name in zip(held, names, strict=True):
            currency = _currency_of(evidence, table) if MONEY.fullmatch(name) and _is_numeric(column) else None
            if currency and not _is_settled(frame, currency[1]):
                where = f"{currency[0].name}.{currency[1].name}"
                yield Caution(
                    "mixed", f"{column.name} may be in several currencies: {where} is neither grouped by nor fixed."
                )
                return


def _currency_of(evidence: Evidence, table: Table) -> tuple[Table, Column] | None:
    parents = [evidence.catalog.table(key.target_table) for key in table.foreign_keys]
    for owner in (table, *(parent for parent in parents if parent)):
        for column in owner.columns:
            if CURRENCY.fullmatch(_flat(column.name)) and len(column.values) != 1:
                return owner, column
    return None


def _is_settled(frame: Frame, column: Column) -> bool:
    return any(
        node.name.lower() == column.name.lower() and node.find_ancestor(exp.Group, exp.EQ, exp.In, exp.Case, exp.Window)
        for select in (frame.select, *_around(frame.select))
        for node in select.find_all(exp.Column)
    )


def _around(select: exp.Select) -> Iterator[exp.Select]:
    above = select.find_ancestor(exp.Select)
    while above:
        yield above
        above = above.find_ancestor(exp.Select)


def _is_numeric(column: Column) -> bool:
    return column.kind in ("integer", "number", "other")


def _local_times(evidence: Evidence, frame: Frame) -> Iterator[Caution]:
    for node in frame.grouping():
        for column in node.find_all(exp.Column):
            held = evidence.frames.column(frame, column)
            if held is None or held[1].kind != "datetime" or "local" not in held[1].name.lower():
                continue
            zone = next((c for c in held[0].columns if ZONE.fullmatch(_flat(c.name))), None)
            if zone and not any(n.name.lower() == zone.name.lower() for n in frame.select.find_all(exp.Column)):
                differs = f"{held[1].name} is local time, and {zone.name} differs from row to row"
                yield Caution("mixed", f"{differs}: days are not the same hours.")


def _compared_times(evidence: Evidence, frame: Frame) -> Iterator[Caution]:
    """Note a time compared with one without a zone: the engine assumes its own."""
    for test in frame.select.find_all(exp.EQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Sub):
        if test.find_ancestor(exp.Select) is not frame.select:
            continue
        sides = [side for side in (test.this, test.expression) if isinstance(side, exp.Column)]
        held = [found[1] for side in sides if (found := evidence.frames.column(frame, side))]
        if len(held) == 2 and all(c.kind == "datetime" for c in held) and _has_zone(held[0]) != _has_zone(held[1]):
            zoned, plain = held if _has_zone(held[0]) else held[::-1]
            yield Caution(
                "mixed", f"{zoned.name} has a time zone and {plain.name} has none: comparing them may be hours off."
            )


def _has_zone(column: Column) -> bool:
    said = column.type.lower()
    return "with time zone" in said or "timestamptz" in said or "datetimeoffset" in said


def _flat(name: str) -> str:
    return HUMP.sub("_", name).lower()
