"""The order and the end of a result in words: "highest first", "top 5 by revenue", "top 1 in each platform"."""

from ai.answers.conditions import LEAST, having, order_words
from ai.answers.naming import Names
from ai.sql.facts import Having, OrderKey, Output, Window, is_change

ENDS = {
    "highest first": ("top", "the highest"),
    "lowest first": ("lowest", "the lowest"),
    "newest first": ("latest", "the latest"),
    "oldest first": ("earliest", "the earliest"),
}


def order_of(names: Names) -> list[str]:
    """Name the first key, and how many rows are left."""
    facts = names.facts
    first = facts.order[0] if facts.order else None
    words = order_words(first.by, descending=first.descending, names=names) if first else ""
    by = _key(first, names) if first else ""
    if facts.limit is None:
        quiet = first is None or (not words and not by) or (_is_group(first, names) and not first.descending)
        return [] if quiet else [f"by {by}, {words}".removesuffix(", ") if by else words]
    if facts.offset:
        last = facts.offset + facts.limit
        place = f"number {last}" if facts.limit == 1 else f"numbers {facts.offset + 1} to {last}"
        return [", ".join(part for part in (f"{place} by {by}" if by else place, words) if part)]
    many, one = ENDS.get(words, ("first", "the first"))
    said = one if facts.limit == 1 else f"{many} {facts.limit:,}"
    if first is None:
        return [f"any {facts.limit:,}"]
    return [f"{said} by {by}" if by else said]


def ranks_of(names: Names) -> list[str]:
    """Name the conditions on ranks and other window functions."""
    return [_rank(one, names) for one in names.facts.ranks]


def _key(key: OrderKey, names: Names) -> str:
    """Name what orders the rows where it is not plain."""
    figures = [output for output in names.facts.outputs if output.is_figure]
    if figures == [key.by] or (_is_group(key, names) and key.by.grain):
        return ""
    return _title(key.by, names)


def _is_group(key: OrderKey, names: Names) -> bool:
    facts = names.facts
    return bool(key.by.grain) or key.by in [facts.outputs[at] for at in facts.groups]


def _title(output: Output, names: Names) -> str:
    if is_change(output):
        return "change in percent" if output.percent else "change"
    if output.is_figure:
        return names.figure(output)
    return names.title(output.origins[0]) if len(output.origins) == 1 else names.alias(output)


def _rank(one: Having, names: Names) -> str:
    by, operator, (value, *_) = one
    window = by.window
    if window is None or "rank" not in window.function.replace("row number", "rank").replace("rownumber", "rank"):
        return having(by, operator, value, names)
    among = f" in each {' and '.join(_title(part, names) for part in window.partition)}" if window.partition else ""
    count = value - 1 if operator == "<" and isinstance(value, int) else value
    if operator in ("<=", "<") or (operator == "=" and value == 1):
        return f"{_end(window)} {count}{_ranked_by(window, names)}{among}"
    return f"with {LEAST[operator].replace('fewer', 'less')} {value} as its place{_ranked_by(window, names)}{among}"


def _end(window: Window) -> str:
    return "top" if window.order and window.order[0].descending else "lowest"


def _ranked_by(window: Window, names: Names) -> str:
    return f" by {_title(window.order[0].by, names)}" if window.order else ""
