"""Periods not over: a running group, a range into the future, data ending before its range."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain
from typing import Any

from sqlglot import exp

from ai.sql.catalog import Column, Table
from ai.sql.cautions.evidence import Caution, Evidence
from ai.sql.cautions.frames import Frame, shown
from ai.sql.facts import bare, day_of, part_of, unit_of

SLACK = 0.1  # of a range may be without rows at its end before that is worth a note
LEAST_DAYS = 2
DAYS = {"week": 7, "month": 30, "quarter": 91, "year": 365}


@dataclass(frozen=True, slots=True)
class Range:
    """`start <= column < end`, by whole days."""

    column: exp.Column
    start: date
    end: date


def unfinished(evidence: Evidence) -> Iterator[Caution]:
    """Note a running period in groups or conditions, else a range not filled by the data."""
    for frame in evidence.frames.all():
        if any(True for _ in frame.aggregates()):
            found = next(chain(_running_group(evidence, frame), _running_filter(evidence, frame)), None)
            cut = chain(_ends_early(evidence, frame), _begins_late(evidence, frame), _begins_inside(evidence, frame))
            found = found or next(cut, None)
            begun = [*_begins_within(evidence, frame)][:1]
            if found or begun:
                yield from (*filter(None, [found]), *begun)
                return


def unfinished_text(unit: str, today: date) -> str:
    return f"The current {unit} is not over: its figures go up to {today.isoformat()} at most."


def _running_group(evidence: Evidence, frame: Frame) -> Iterator[Caution]:
    groups = [(node, unit) for node in frame.grouping() if (unit := unit_of(node))]
    places = {_column_of(evidence, frame, node): unit for node, unit in groups}
    for at, unit in places.items():
        if at is not None and any(is_running(row[at], unit, evidence.today) for row in evidence.result.rows):
            yield Caution("period", unfinished_text(unit, evidence.today))
    yield from _split_group(evidence, frame)


def _split_group(evidence: Evidence, frame: Frame) -> Iterator[Caution]:
    parts = {part: _column_of(evidence, frame, node) for node in frame.grouping() if (part := part_of(node))}
    year, month = parts.get("year"), parts.get("month")
    if year is None or month is None:
        return
    now = (evidence.today.year, evidence.today.month)
    if any((_number(row[year]), _number(row[month])) == now for row in evidence.result.rows):
        yield Caution("period", unfinished_text("month", evidence.today))


def _running_filter(evidence: Evidence, frame: Frame) -> Iterator[Caution]:
    for found in _ranges(frame):
        if found.start <= evidence.today and found.end > evidence.today + timedelta(days=1):
            last = (found.end - timedelta(days=1)).isoformat()
            yield Caution(
                "period", f"The period runs to {last} and is not over: today is {evidence.today.isoformat()}."
            )
    for test in _tests(frame, exp.EQ):
        unit = unit_of(test.this) or ("year" if part_of(test.this) == "year" else None)
        if unit and isinstance(test.expression, exp.Literal) and is_running(test.expression.name, unit, evidence.today):
            yield Caution("period", unfinished_text(unit, evidence.today))


def _ends_early(evidence: Evidence, frame: Frame) -> Iterator[Caution]:
    for found in _ranges(frame):
        held = evidence.frames.column(frame, found.column)
        if held is None or found.end > evidence.today + timedelta(days=1):
            continue
        table, column = held
        last = _end(evidence, exp.Max, table, column)
        allowed = max(LEAST_DAYS, int((found.end - found.start).days * SLACK))
        if last and (found.end - timedelta(days=1) - last).days > allowed:
            ends = (found.end - timedelta(days=1)).isoformat()
            yield Caution(
                "period", f"The data of {table.name} ends on {last.isoformat()}, before the period does ({ends})."
            )


def _begins_late(evidence: Evidence, frame: Frame) -> Iterator[Caution]:
    """Tell that one of several compared times began before the data do."""
    cases = [case for aggregate in frame.aggregates() for case in aggregate.find_all(exp.If)]
    for found in dict.fromkeys(each for case in cases for each in _between(_parts(case.this))):
        held = evidence.frames.column(frame, found.column)
        if held is None:
            continue
        table, column = held
        first = _end(evidence, exp.Min, table, column, needed=True)
        if first and (first - found.start).days > max(LEAST_DAYS, int((found.end - found.start).days * SLACK)):
            begins = f"The data of {table.name} begins on {first.isoformat()}, after a period that is compared"
            yield Caution("period", f"{begins} ({found.start.isoformat()}): the two do not cover the same.")


def _begins_inside(evidence: Evidence, frame: Frame) -> Iterator[Caution]:
    """Tell that the data begin within the period asked for."""
    for found in _ranges(frame):
        held = evidence.frames.column(frame, found.column)
        first = _end(evidence, exp.Min, *held, needed=True) if held else None  # with or without an index, as the query
        if held is None or first is None or not found.start < first < found.end:
            continue
        late = (first - found.start).days > max(LEAST_DAYS, int((found.end - found.start).days * SLACK))
        if late and _is_daily(held[0], first, evidence.today):
            begins, start = first.isoformat(), found.start.isoformat()
            yield Caution("period", f"The data of {held[0].name} begins on {begins}, after the period does ({start}).")


def _begins_within(evidence: Evidence, frame: Frame) -> Iterator[Caution]:
    """Tell that the data begin within the first group shown."""
    for node in frame.grouping():
        unit, inner = unit_of(node), node.find(exp.Column)
        at = _column_of(evidence, frame, node) if unit in DAYS else None
        held = evidence.frames.column(frame, inner) if inner else None
        if at is None or unit is None or held is None:
            continue
        first = _end(evidence, exp.Min, *held, needed=True)  # the query itself read as much
        late = (first - _start(unit, first)).days if first and _is_daily(held[0], first, evidence.today) else 0
        if (
            first
            and late > DAYS[unit] * SLACK
            and any(is_running(row[at], unit, first) for row in evidence.result.rows)
        ):
            yield Caution(
                "period", f"The data of {held[0].name} begins on {first.isoformat()}, so that {unit} is not whole."
            )


def _is_daily(table: Table, first: date, today: date) -> bool:
    """Whether a table has about a row a day: few launches begin nothing."""
    return table.row_estimate is None or table.row_estimate >= (today - first).days


def _end(
    evidence: Evidence, kind: type[exp.Max | exp.Min], table: Table, column: Column, *, needed: bool = False
) -> date | None:
    """Return the first or the last day of a column in the whole table."""
    query = exp.select(kind(this=exp.column(column.name, quoted=True))).from_(
        exp.Table(this=exp.to_identifier(table.name, quoted=True))
    )
    return next((day_of(row[0]) for row in evidence.answers(query, table, needed=needed)), None)


def _column_of(evidence: Evidence, frame: Frame, node: exp.Expr) -> int | None:
    for outer in evidence.outer():
        for at, item in shown(outer):
            made = item.unalias()
            found = evidence.frames.meaning(outer, made) if isinstance(made, exp.Column) else None
            if (outer is frame and made == node) or (found and found[0] is frame and found[1] == node):
                return at
        if len(outer.sources) == 1 and [type(item) for item in outer.select.expressions] == [exp.Star]:
            return next((at for at, item in shown(frame) if item.unalias() == node), None)
    return None


def _ranges(frame: Frame) -> Iterator[Range]:
    where = frame.select.args.get("where")
    return _between(_parts(where.this) if where else ())


def _parts(condition: exp.Expr) -> tuple[exp.Expr, ...]:
    return tuple(condition.flatten()) if isinstance(condition, exp.And) else (condition,)


def _between(tests: Sequence[exp.Expr]) -> Iterator[Range]:
    starts: dict[exp.Expr, date] = {}
    ends: dict[exp.Expr, date] = {}
    for test in tests:
        if not isinstance(test, exp.GTE | exp.GT | exp.LT | exp.LTE | exp.Between):
            continue
        if isinstance(test, exp.Between):
            low, high = day_of(_text(test.args["low"])), day_of(_text(test.args["high"]))
            starts |= {test.this: low} if low else {}
            ends |= {test.this: high + timedelta(days=1)} if high else {}
        elif (day := day_of(_text(test.expression))) is not None:
            if isinstance(test, exp.GTE | exp.GT):
                starts[test.this] = day
            else:
                ends[test.this] = day + timedelta(days=1 if isinstance(test, exp.LTE) else 0)
    for node, start in starts.items():
        column = bare(node)
        if node in ends and isinstance(column, exp.Column) and start < ends[node]:
            yield Range(column, start, ends[node])


def _tests(frame: Frame, *kinds: type[exp.Expr]) -> Iterator[exp.Expr]:
    where = frame.select.args.get("where")
    if where:
        tests = where.this.flatten() if isinstance(where.this, exp.And) else (where.this,)
        yield from (test for test in tests if isinstance(test, kinds))


def _text(node: exp.Expr) -> str:
    node = bare(node)
    literal = node.this if isinstance(node, exp.DateStrToDate | exp.Date | exp.Timestamp) else node
    return literal.name if isinstance(literal, exp.Literal) else ""


def _number(value: Any) -> int | None:
    return int(value) if str(value).isdecimal() else None


def is_running(value: Any, unit: str, today: date) -> bool:
    digits = "".join(character for character in str(value) if character.isdigit())
    if len(digits) >= len("20260101"):
        return day_of(value) == _start(unit, today)
    quarter = f"{today:%Y}{(today.month + 2) // 3}"
    named = {"year": f"{today:%Y}", "quarter": quarter, "month": f"{today:%Y%m}", "week": f"{today:%Y%W}"}
    return digits == named.get(unit)


def _start(unit: str, today: date) -> date:
    if unit == "week":
        return today - timedelta(days=today.weekday())
    if unit == "quarter":
        return date(today.year, (today.month - 1) // 3 * 3 + 1, 1)
    return {"year": today.replace(month=1, day=1), "month": today.replace(day=1)}.get(unit, today)
