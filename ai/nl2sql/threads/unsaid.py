"""Ask back where a follow-up leaves out a part: “break it down”, “compared to before?”."""

from collections.abc import Iterator
from dataclasses import replace

from ai.nl2sql.checks import complaint
from ai.nl2sql.comparison import shifted
from ai.nl2sql.contradictions import conditions_of, plain_tests
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Group, Meaning, Measure, Order
from ai.nl2sql.reading.accounts.vague import figures_about
from ai.nl2sql.reading.sketch import many_between
from ai.nl2sql.schema import averaged, called, display, is_money, is_numeric, noun
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.figures.worth import amounts_of
from ai.nl2sql.threads.steps import Followed
from ai.nl2sql.words import keys

MOST, FEWEST, MANY = 4, 2, 60


def unsaid(text: str, before: Meaning, lexicon: Lexicon) -> Followed | None:
    """Return the question back, with its choices."""
    if signals.SPLIT.match(text) and before.all_measures and not before.fold:
        choices = tuple(meaning for meaning in _splits(before, lexicon) if complaint(meaning, lexicon) is None)[:MOST]
        return Followed(None, problem="By what?", choices=choices, asks=True) if len(choices) > 1 else None
    if (off := signals.TAKEN_OFF.match(text)) and (amount := _money_named(off["what"], before, lexicon)):
        return Followed(
            None, problem=f"I cannot take the {called(lexicon, amount)} off; ask for it beside the total instead."
        )
    if signals.SUMMED.match(text) and (before.measures or not before.groups):
        return _summed(before, lexicon)
    if signals.COUNT.match(text) and before.measures and not before.groups:
        return _counted(before, lexicon)
    if signals.COUNTED.match(text) and before.measures and not before.fold:
        return _counted_instead(before, lexicon)
    if signals.COMPARES.match(text) and before.periods:
        times = [shifted(before, unit, later=False) for unit in ("", "year")]
        found = tuple(dict.fromkeys(meaning for meaning in times if meaning is not None))
        return Followed(None, problem="Compared with which time?", choices=found, asks=True) if len(found) > 1 else None
    return None


def _money_named(said: str, before: Meaning, lexicon: Lexicon) -> Field | None:
    """Return the money that a message names after a figure of money: “without fees”."""
    figures = [Field(measure.table, measure.column) for measure in before.measures if measure.column]
    if not any(not is_metric(figure) and is_money(lexicon, figure) for figure in figures):
        return None
    named = (sense.field for sense in lexicon.senses(keys(said)) if sense.column and sense.value is None)
    amounts = [field for field in named if not is_metric(field) and is_numeric(lexicon, field)]
    return next((field for field in amounts if is_money(lexicon, field)), None)


def _summed(before: Meaning, lexicon: Lexicon) -> Followed | None:
    table = before.measures[0].table if before.measures else before.subject
    defined = [figure for figure in figures_about(lexicon, "", most=MANY) if figure.table == table]
    fields = [Field(table, column.name) for column in lexicon.table(table).columns]
    totals = [Measure("sum", table, f.column) for f in fields if is_numeric(lexicon, f) and not averaged(f)]
    figures = dict.fromkeys((*defined, *totals))
    plain = replace(before, columns=(), order=(), limit=None, distinct=False)
    made = (replace(plain, measures=(figure,)) for figure in figures)
    choices = tuple(meaning for meaning in made if complaint(meaning, lexicon) is None)[:MOST]
    if len(own := [meaning for meaning in choices if _is_defined_so(meaning, lexicon)]) == 1:
        return Followed(own[0])
    amounts = amounts_of(before, lexicon) if choices else []
    if len(amounts) == 1 and (meant := [meaning for meaning in choices if meaning.measures == (amounts[0],)]):
        return Followed(meant[0])
    problem = (
        "The total of what?"
        if choices
        else f"I find nothing to add up in {noun(lexicon, table)}; please name a figure."
    )
    return Followed(None, problem=problem, choices=choices, asks=len(choices) > 1)


def _is_defined_so(meaning: Meaning, lexicon: Lexicon) -> bool:
    """Whether a defined figure is of just the rows shown: the outstanding amount of unpaid invoices."""
    figure = meaning.measures[0]
    metric = lexicon.metric_of(figure) if figure.function == "metric" else None
    tests = conditions_of(metric.condition, figure.table) if metric else None
    asked = {test for each in meaning.filters for test in plain_tests(each, lexicon)}
    return bool(tests and asked) and asked <= set(tests or ())


def _counted(before: Meaning, lexicon: Lexicon) -> Followed:
    """Count the things under the conditions of a sum: after the revenue of free apps, those apps."""
    table = before.measures[0].table
    about = {f.field.table for f in before.filters} - {table}
    if len(about) != 1 or before.among or before.either:
        return Followed(None, problem=f"Do you want the number of {noun(lexicon, table)}? Please say what to count.")
    thing = about.pop()
    counted = Meaning(thing, measures=(Measure("count", thing),), filters=before.filters)
    return Followed(counted, (f"counted are the {noun(lexicon, thing)}",))


def _counted_instead(before: Meaning, lexicon: Lexicon) -> Followed:
    """Count the rows of a figure in its place, under the condition of its definition: “count instead of amount”."""
    old = before.measures[0]
    count = Measure("count", old.table)
    metric = lexicon.metric_of(old) if old.function == "metric" else None
    tests = conditions_of(metric.condition, old.table) if metric else ()
    if tests is None or old.per or old.where:
        return Followed(None, problem=f"Please say what to count, such as “number of {noun(lexicon, old.table)}”.")
    filters = (*before.filters, *(test for test in tests if test not in before.filters))
    return Followed(
        replace(before.exchanged(old, count), measures=(count,), filters=filters, havings=(), share=False, series="")
    )


def _splits(before: Meaning, lexicon: Lexicon) -> Iterator[Meaning]:
    """Yield the meaning by each column of few values, then by each parent of its rows."""
    figures = before.measures or before.all_measures[:1]
    root = lexicon.table(figures[0].table)
    names = {field.column for field in display(lexicon, root.name)}
    few = [column for column in root.columns if FEWEST <= len(column.values) <= MANY and column.name not in names]
    groups = [Group(root.name, column.name) for column in few]
    links = lexicon.links.steps.get(root.name, ())
    groups += [Group(link.target) for link in links if not link.many and display(lexicon, link.target)]
    for group in groups:
        if group not in before.groups and not many_between(lexicon, root.name, group.table):
            order = (Order(figures[0], descending=True),)
            yield replace(before, measures=figures, groups=(group,), columns=(), order=order, limit=None, offset=0)
