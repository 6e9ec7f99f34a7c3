"""The worth of the rows shown: “how much money is that?” after cancelled orders."""

from collections.abc import Iterator
from dataclasses import replace

from ai.language.names import currency_code
from ai.nl2sql.chart.figures import additive
from ai.nl2sql.checks import complaint
from ai.nl2sql.definitions import metric_field
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Meaning, Measure
from ai.nl2sql.reading.sketch import counts, is_fact
from ai.nl2sql.schema import AMOUNTS, averaged, called, is_numeric, main_amount, unit_of
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.steps import Followed
from ai.nl2sql.vocabulary import SUBUNITS, single_words_of
from ai.nl2sql.words import keys, name_parts, stem

WHICH = "Which amount do you mean?"


def worth(text: str, before: Meaning, lexicon: Lexicon) -> Followed | None:
    """Put the amount of the rows in the place of their count or list; ask where they have several."""
    found = signals.WORTH.match(text)
    if not found or before.fold or before.within or any(not counts(lexicon, figure) for figure in before.measures):
        return None
    return _of_rows(before, lexicon, unit=bool(found["unit"]))


def total_of_rows(text: str, before: Meaning, lexicon: Lexicon) -> Followed | None:
    """“what's the total?” after a list of invoices: of their amounts; None where they have none."""
    listed = not (before.all_measures or before.all_groups or before.fold or before.within or before.limit)
    return _of_rows(before, lexicon, unit=False) if listed and signals.SUM_OF_ROWS.match(text) else None


def _of_rows(before: Meaning, lexicon: Lexicon, *, unit: bool) -> Followed | None:
    figures = amounts_of(before, lexicon)
    if unit and not all(_is_money(figure, lexicon) for figure in figures):
        return None  # whether a bare column holds euros or cents is not said
    made = [_with(before, figure) for figure in figures]
    choices = tuple(meaning for meaning in made if complaint(meaning, lexicon) is None)[:4]
    if len(choices) > 1:
        return Followed(None, problem=WHICH, choices=choices, asks=True)
    return Followed(choices[0]) if choices else None


def amounts_of(before: Meaning, lexicon: Lexicon) -> list[Measure]:
    """Return the amounts of the rows shown; the one defined for rows called so: “overdue” of overdue invoices."""
    figures = _amounts(before.root, lexicon)
    rows = {stem(part) for part in name_parts(before.root)}
    terms = [lexicon.terms[test.field].name for test in before.filters if test.field in lexicon.terms]
    kinds = [{stem(word) for word in keys(name)} - rows for name in terms]
    metrics = {figure: lexicon.metric_of(figure) for figure in figures}
    called = [
        f for f, metric in metrics.items() if metric and any({*map(stem, keys(metric.name))} <= kind for kind in kinds)
    ]
    return called if len(called) == 1 else figures


def by_amount(text: str, before: Meaning, lexicon: Lexicon) -> str:
    """Name the one amount of the rows where a message ranks or splits “by money”."""
    amounts = _amounts(before.root, lexicon) if signals.BY_MONEY.search(text) else []
    names = [called(lexicon, Field(figure.table, figure.column or "")).lstrip("=") for figure in amounts]
    return signals.BY_MONEY.sub(f"by {names[0]}", text) if len(names) == 1 else text


def _with(before: Meaning, figure: Measure) -> Meaning:
    if not before.measures:
        return replace(before, measures=(figure,), columns=(), order=(), limit=None, offset=0, distinct=False)
    made = before.exchanged(before.measures[0], figure)
    return replace(made, measures=(figure,), havings=(), share=False, series="")


def _amounts(table: str, lexicon: Lexicon) -> list[Measure]:
    """Return the amounts of money of a table, or of its parts."""
    defined = [figure for figure in _defined(lexicon) if figure.table == table]
    plain = [Measure("sum", table, column) for column in _columns(table, lexicon)] if is_fact(lexicon, table) else []
    largest = main_amount(lexicon, table)
    main = [Measure("sum", table, largest.column)] if plain and largest else []
    parts = (figure for figure in _defined(lexicon) if _is_part(figure.table, table, lexicon))
    return defined or main or plain or list(parts)


def _defined(lexicon: Lexicon) -> Iterator[Measure]:
    for metric in lexicon.metrics.values():
        figure = Measure("metric", metric.table, metric_field(metric).column)
        if currency_code(metric.unit) and additive(lexicon, figure):
            yield figure


def _is_money(figure: Measure, lexicon: Lexicon) -> bool:
    return figure.function == "metric" or _in_currency(Field(figure.table, figure.column or ""), lexicon)


def _in_currency(field: Field, lexicon: Lexicon) -> bool:
    unit = unit_of(lexicon, field)
    return bool(unit and currency_code(unit.unit))


def _columns(table: str, lexicon: Lexicon) -> Iterator[str]:
    money = SUBUNITS | AMOUNTS | set(single_words_of("money"))
    for column in lexicon.table(table).columns:
        field = Field(table, column.name)
        words = name_parts(column.name)
        is_money = _in_currency(field, lexicon) or any(w in money or currency_code(w.upper()) for w in words)
        if is_money and is_numeric(lexicon, field) and not averaged(field):
            yield column.name


def _is_part(part: str, whole: str, lexicon: Lexicon) -> bool:
    steps = lexicon.links.path(part, whole)
    return steps is not None and len(steps) == 1 and not steps[0].many
