"""How a query reads the data, in plain words made from its tree: "revenue by app, October 2026, top 5"."""

from dataclasses import replace

from ai.answers.conditions import LEAST, Clauses, clauses_of, having, order_words, period_label
from ai.answers.naming import Names, listed
from ai.answers.reading.computed import OutputWords
from ai.language.words import plural, singular
from ai.sql.facts import Facts, Having, OrderKey, Output, Window, is_change

SHOWN = 4  # columns of a list that are named
TOLD = frozenset(("a query inside", "several queries", "several queries inside"))
STEPS = "with steps that only the SQL tells in full"
SIDES = frozenset({"in", "from", "on", "for", "of", "since", "until", "with"})  # before what a figure is compared by
JOINED = {"and": "; ", "only in the first": ", but not ", "in both": ", also among "}
ENDS = {
    "highest first": ("top", "the highest"),
    "lowest first": ("lowest", "the lowest"),
    "newest first": ("latest", "the latest"),
    "oldest first": ("earliest", "the earliest"),
}


def reading(names: Names) -> str:
    """Return one line such as "number of apps on iOS" or "revenue by month, 2026, highest first"."""
    facts = names.facts
    names = replace(names, read=lambda inner: reading(replace(names, facts=inner)))
    if facts.branches:
        parts = [reading(replace(names, facts=branch)) for branch in facts.branches]
        return ", ".join([JOINED[facts.combined or "and"].join(parts), *_order_of(names)])
    if not facts.outputs:
        return "read from " + listed([names.noun(t) for t in facts.tables]) if facts.tables else "see the SQL"
    clauses = clauses_of(facts.tests, names)
    words = OutputWords(names, reading)
    grouped = clauses_of((), names, facts.havings).after
    same = [f"of the same {names.title(tie)}" for tie in facts.ties]
    head = " ".join(part for part in (_what(words, clauses), *same, clauses.after, *_groups(words), grouped) if part)
    return ", ".join([head, *_when(words), *_ranks_of(names), *_order_of(names), *_steps(names), *_untold(facts)])


def steps_told(names: Names) -> str:
    """Name the queries that the rows of a query come from, "" if it has none."""
    return "; ".join(reading(replace(names, facts=step)) for step in names.facts.steps)


def _steps(names: Names) -> list[str]:
    return [f"based on {told}"] if not names.averaged and (told := steps_told(names)) else []


def _untold(facts: Facts) -> list[str]:
    return [STEPS] if set(facts.unsaid) - TOLD else []


def _when(words: OutputWords) -> list[str]:
    """Name the first period, and its column where the table has several dates."""
    names, periods = words.names, words.names.facts.periods
    if not periods:
        return []
    several = names.has_several_dates(periods[0].origin)
    return [period_label(periods[0], names) + (f" (by {names.title(periods[0].origin)})" if several else "")]


def _what(words: OutputWords, clauses: Clauses) -> str:
    names, facts = words.names, words.names.facts
    figures = [output for output in facts.outputs if output.is_figure]
    if figures:
        said = _compared(words, figures, clauses) or listed(
            list(dict.fromkeys(words.figure(output, clauses.before) for output in figures))
        )
        return f"{said} of {clauses.before} {names.rows}" if _lacks_rows(figures, clauses) else said
    titles = _columns(words)
    rows = " ".join(part for part in (clauses.before, names.rows) if part)
    if facts.groups or facts.hidden_groups or facts.distinct:
        return f"different {listed([plural(singular(each)) for each in dict.fromkeys(titles)])} of {rows}"
    shown = list(dict.fromkeys(titles))
    if not shown or len(shown) > SHOWN or shown == [singular(names.rows)]:
        return rows
    return f"{rows} ({', '.join(shown)})"


def _compared(words: OutputWords, figures: list[Output], clauses: Clauses) -> str:
    """Name one figure at two times or of two things beside its change; "" for other figures."""
    changes = [output for output in figures[2:] if is_change(output)]
    if not changes or len(figures) > len(changes) + 3:
        return ""
    said, other = (words.figure(output, clauses.before).split() for output in figures[:2])
    alike = next((at for at, pair in enumerate(zip(said, other, strict=False)) if pair[0] != pair[1]), 0)
    start = next((at + 1 for at in range(alike - 1, 0, -1) if other[at] in SIDES), alike)
    if other[start:][:1] == ["from"]:
        start += 1
    return f"{' '.join(said)} compared with {' '.join(other[start:])}" if alike else ""


def _lacks_rows(figures: list[Output], clauses: Clauses) -> bool:
    """Whether no figure says of which rows the query is, though words belong before them."""
    return bool(clauses.before) and not any(figure.function == "count" and not figure.metric for figure in figures)


def _columns(words: OutputWords) -> list[str]:
    """Name the columns; two from one column, as in a self-join, by their aliases."""
    outputs = [output for output in words.names.facts.outputs if output.origins or output.operands]
    origins = [output.origins for output in outputs]
    return [
        words.names.alias(output) if output.is_plain and origins.count(output.origins) > 1 else words.column(output)
        for output in outputs
    ]


def _is_key(output: Output, names: Names) -> bool:
    """Whether rows are grouped by what identifies them: their names say nothing more."""
    table = names.catalog.table(output.origins[0].table) if len(output.origins) == 1 else None
    return table is not None and table.primary_key == (output.origins[0].column,)


def _groups(words: OutputWords) -> list[str]:
    facts = words.names.facts
    if not any(output.is_figure for output in facts.outputs):
        return []
    outputs = [facts.outputs[at] for at in facts.groups if not facts.outputs[at].is_figure]
    keyed = {output.origins[0].table for output in facts.hidden_groups if _is_key(output, words.names)}
    shown = [words.group(output) for output in outputs if not (output.origins and output.origins[0].table in keyed)]
    told = list(dict.fromkeys([*shown, *(words.group(output) for output in facts.hidden_groups)]))
    if not told and facts.rows and any(output.origins and not output.is_figure for output in facts.outputs):
        return [f"for each {singular(words.names.rows)}"]
    return [f"by {listed(told)}"] if told else []


def _order_of(names: Names) -> list[str]:
    facts = names.facts
    first = facts.order[0] if facts.order else None
    words = order_words(first.by, descending=first.descending, names=names) if first else ""
    by = _ordered_by(first, names) if first else ""
    if facts.limit is None:
        quiet = first is None or (not words and not by) or (_orders_groups(first, names) and not first.descending)
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


def _ranks_of(names: Names) -> list[str]:
    return [_rank(one, names) for one in names.facts.ranks]


def _ordered_by(key: OrderKey, names: Names) -> str:
    """Name what orders the rows where it is not plain."""
    figures = [output for output in names.facts.outputs if output.is_figure]
    if figures == [key.by] or (_orders_groups(key, names) and key.by.grain):
        return ""
    return _titled(key.by, names)


def _orders_groups(key: OrderKey, names: Names) -> bool:
    facts = names.facts
    return bool(key.by.grain) or key.by in [facts.outputs[at] for at in facts.groups]


def _titled(output: Output, names: Names) -> str:
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
    among = f" in each {' and '.join(_titled(part, names) for part in window.partition)}" if window.partition else ""
    count = value - 1 if operator == "<" and isinstance(value, int) else value
    if operator in ("<=", "<") or (operator == "=" and value == 1):
        return f"{_end(window)} {count}{_ranked_by(window, names)}{among}"
    return f"with {LEAST[operator].replace('fewer', 'less')} {value} as its place{_ranked_by(window, names)}{among}"


def _end(window: Window) -> str:
    return "top" if window.order and window.order[0].descending else "lowest"


def _ranked_by(window: Window, names: Names) -> str:
    return f" by {_titled(window.order[0].by, names)}" if window.order else ""
