"""A join that repeats the rows of a measure: each is then added up or counted several times."""

from collections.abc import Iterable, Iterator

from sqlglot import exp

from ai.sql.cautions.conditions import Place
from ai.sql.cautions.evidence import Caution, Evidence
from ai.sql.cautions.frames import Frame

ADDING = (exp.Sum, exp.Avg, exp.Count)
NAMING = ("name", "title", "label", "code")


def multiplied(evidence: Evidence) -> Iterator[Caution]:
    """SUM, AVG or COUNT of one side over a join to many, also where the join stands in a query below."""
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
        yield Caution(
            "multiplied",
            f"{_shown(aggregate)} counts combinations: no join ties the rows of {_and(frame, frame.sources)} to one another.",
        )


def _group_places(frame: Frame) -> list[Place]:
    """What is grouped by; a source that is grouped by its name has one row in each group."""
    places = frame.group_places()
    named = {owner for owner, column in places if column.endswith(NAMING) and owner in frame.sources}
    return [*places, *((owner, column) for owner in named for column in frame.sources[owner].columns)]


def _repeated(frame: Frame, aggregate: exp.AggFunc, owner: str, lost: set[str]) -> Caution:
    title = frame.sources[owner].title
    text = f"The join with {_and(frame, sorted(lost))} repeats rows of {title}: {_shown(aggregate)} may take the same row several times."
    return Caution("multiplied", text)


def _and(frame: Frame, names: Iterable[str]) -> str:
    titles = [frame.sources[name].title for name in names]
    return " and ".join(dict.fromkeys(titles))


def _values(node: exp.Expr | None) -> Iterator[exp.Expr]:
    """What is added up: of a CASE its results, not its conditions."""
    if isinstance(node, exp.Case):
        for branch in node.args.get("ifs") or ():
            yield from _values(branch.args.get("true"))
        yield from _values(node.args.get("default"))
    elif isinstance(node, exp.Expr) and not isinstance(node, exp.Star):
        yield node


def _shown(aggregate: exp.Expr) -> str:
    """An aggregate as people wrote it, without the names of tables."""
    copy = aggregate.copy()
    for column in copy.find_all(exp.Column):
        column.set("table", None)
    return copy.sql()
