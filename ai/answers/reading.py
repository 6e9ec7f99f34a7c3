"""A checked query as one plain sentence, as far as its tree proves it."""

from ai.answers.conditions import Clauses, clauses_of, order_words
from ai.answers.naming import Names, listed
from ai.language.words import plural, singular
from ai.sql.facts import Facts, Output, Sorting

SHOWN = 4  # columns of a list that are named
SHORT = 40  # characters of SQL that are read at a glance
STEPS = "in several steps that only the SQL tells in full"


def reading(names: Names) -> str:
    """Return "revenue per month in 2026, highest first"."""
    facts = names.facts
    if not facts.outputs or "several queries" in facts.unsaid:
        return "read from " + listed([names.noun(t) for t in facts.tables]) if facts.tables else "see the SQL"
    clauses = clauses_of(facts.tests, names, facts.havings)
    parts = [_what(names, clauses), *_groups(names), *_tail(names, clauses)]
    said = " ".join(part for part in parts if part)
    ends = [said, *_order(names), *([STEPS] if facts.unsaid else [])]
    return ", ".join(ends)


def _what(names: Names, clauses: Clauses) -> str:
    facts = names.facts
    figures = [output for output in facts.outputs if output.is_figure]
    if figures:
        return listed(list(dict.fromkeys(_figure(output, names, clauses) for output in figures)))
    columns = _columns(names)
    rows = " ".join(part for part in (clauses.before, names.rows) if part)
    if facts.groups or facts.distinct:
        return f"different {listed([plural(singular(each)) for each in dict.fromkeys(columns)])} of {rows}"
    shown = list(dict.fromkeys(columns))
    if not shown or len(shown) > SHOWN or shown == [singular(names.rows)]:
        return rows
    return f"{rows} ({', '.join(shown)})"


def _columns(names: Names) -> list[str]:
    """Name the columns, those of a self-join by their aliases."""
    outputs = names.facts.outputs
    titles = [_column(output, names) for output in outputs]
    return [names.alias(o) if titles.count(title) > 1 else title for o, title in zip(outputs, titles, strict=True)]


def _column(output: Output, names: Names) -> str:
    if output.is_plain and len(output.origins) == 1:
        return names.title(output.origins[0])
    if output.grain and output.origins:
        return f"{output.grain} of {names.title(output.origins[0])}"
    return names.alias(output)


def _figure(output: Output, names: Names, clauses: Clauses) -> str:
    """Name a figure with its rows and inner conditions."""
    inside = clauses_of(output.tests, names)
    before = " ".join(part for part in (clauses.before, inside.before) if part)
    if output.metric:
        return f"{output.metric} of {clauses.before} {names.rows}" if clauses.before else output.metric
    if output.function == "count":
        said = f"number of {before} {names.counted(output)}"
    elif output.function == "exists":
        said = f"whether there are {inside.after.removeprefix('with ')}"
        return " ".join(said.split())
    elif output.function in ("ratio", "difference", "other") or len(output.origins) != 1:
        of = f" of {before} {names.rows}" if before else ""
        said = f"{names.alias(output)} ({_formula(output, names)}){of}"
    else:
        of = f" of {before} {names.rows}" if before or output.function in ("avg", "min", "max") else ""
        said = f"{names.figure(output)}{of}"
    return " ".join(f"{said} {inside.tail}".split())


def _formula(output: Output, names: Names) -> str:
    """Name a computed figure by its parts or by short SQL."""
    if len(output.parts) == 2 and all(part.is_plain and part.is_figure for part in output.parts):
        first, second = (_part(part, names) for part in output.parts)
        if output.function == "ratio":
            return f"{first} divided by {second}"
        return f"{first} minus {second}"
    return output.sql if len(output.sql) <= SHORT else "computed as the SQL says"


def _part(output: Output, names: Names) -> str:
    inside = clauses_of(output.tests, names)
    said = f"number of {inside.before} {names.counted(output)}" if output.function == "count" else names.figure(output)
    return " ".join(f"{said} {inside.tail}".split())


def _groups(names: Names) -> list[str]:
    facts = names.facts
    if not any(output.is_figure for output in facts.outputs):
        return []
    shown = [_group(facts.outputs[at], names) for at in facts.groups if not facts.outputs[at].is_figure]
    hidden = [_group(output, names) for output in facts.hidden_groups]
    told = list(dict.fromkeys([*shown, *hidden]))
    return [f"per {listed(told)}"] if told else []


def _group(output: Output, names: Names) -> str:
    if output.grain or (output.is_plain and output.origins):
        return output.grain or names.title(output.origins[0])
    return names.alias(output) if output.name else output.sql


def _tail(names: Names, clauses: Clauses) -> list[str]:
    when = clauses.when
    if when and names.facts.periods and names.has_several_dates(names.facts.periods[0].origin):
        when += f" (by {names.title(names.facts.periods[0].origin)})"
    return [clauses.after, when]


def _order(names: Names) -> list[str]:
    facts = names.facts
    first = facts.order[0] if facts.order else None
    said = _sorting(first, facts, names) if first else ""
    if facts.limit is None:
        return [said] if said else []
    count = (
        f"number {facts.offset + 1} only" if facts.offset and facts.limit == 1 else f"the first {facts.limit:,} only"
    )
    if facts.limit == 1 and not facts.offset:
        count = "the first one only"
    return [part for part in (said, count) if part]


def _sorting(key: Sorting, facts: Facts, names: Names) -> str:
    words = order_words(key.by, descending=key.descending, names=names)
    figures = [output for output in facts.outputs if output.is_figure]
    grouped_by = [facts.outputs[at] for at in facts.groups]
    if key.by.grain or (key.by in grouped_by and len(figures) > 0):
        return "" if not key.descending else words
    if figures == [key.by]:
        return words
    name = names.figure(key.by) if key.by.is_figure else _column(key.by, names)
    return f"by {name}, {words}".removesuffix(", ")
