"""When: puts the spans of `dates` on a column of days, or on a column that holds years. It guesses between no two columns."""

from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.chunks import Chunk
from ai.nl2sql.conditions import filtered, may_be_both
from ai.nl2sql.figures import grouped
from ai.nl2sql.meaning import Field, Filter, Group, Period, Unit
from ai.nl2sql.parse import Doubt, Hit, Parse
from ai.nl2sql.schema import days, is_numeric, is_year, title

_DATED = ("date", "datetime")
_UNITS: dict[str, Unit] = {"day": "day", "month": "month", "year": "year"}


def in_period_of(parse: Parse, hit: Hit) -> Parse | None:
    """“released since June”: the word before the date names the column of days."""
    chunk, field = hit["column"], hit.field()
    if chunk.table and chunk.column and chunk.table.cost < chunk.column.cost:
        return None
    if hit.places[0] and parse.chunks[hit.places[0] - 1].sign("group") is not None:  # "per day last week"
        return None
    settled = [sense.field for sense in chunk.columns]
    day = next((f for f in settled if parse.lexicon.column(f).kind in _DATED), None)
    if day:
        return _on_days(parse, day, hit["date"])
    return _on_years(parse, field, hit["date"]) if is_year(parse.lexicon, field) else None


def in_period(parse: Parse, hit: Hit) -> Parse | None:
    """“last month”: on the only column of days of what is asked about; several are a question back, none a no."""
    if hit["date"].number is not None and any(c.sign("compare") for c in parse.chunks):
        return None
    for table in _dated_tables(parse):
        found = _either_year(parse, hit, table) if "second" in hit else _in_table(parse, hit["date"], table)
        if found:
            return found
    return None


def _in_table(parse: Parse, chunk: Chunk, table: str) -> Parse | None:
    columns = days(parse.lexicon, table)
    always = [field for field in columns if not parse.lexicon.column(field).nullable]
    if len(columns) == 1:
        return _on_days(parse, columns[0], chunk)
    if len(always) == 1:  # the day that every row has is what "in 2024" is said of
        return _on_days(parse.noted(f"“{chunk.text}” was read as {title(always[0])}"), always[0], chunk)
    if columns:
        return replace(parse, doubt=_which_date(parse, chunk, columns))
    years = _years(parse, table)
    return _on_years(parse, years[0], chunk) if len(years) == 1 else None


def _on_days(parse: Parse, field: Field, chunk: Chunk) -> Parse | None:
    if chunk.span is None:
        return None
    period = Period(field, chunk.span.start, chunk.span.end)
    return replace(parse, meaning=replace(parse.meaning, periods=(*parse.meaning.periods, period)))


def _on_years(parse: Parse, field: Field, chunk: Chunk) -> Parse | None:
    """A column that holds the year, as a number or as text."""
    span = chunk.span
    if span is None or any(day and (day.month, day.day) != (1, 1) for day in (span.start, span.end)):
        return None
    said: type[int] | type[str] = str if parse.lexicon.column(field).kind == "text" else int
    if span.year and span.start and span.end:
        return filtered(parse, Filter(field, "=", (said(span.year),)))
    parse = filtered(parse, Filter(field, ">=", (said(span.start.year),))) if span.start else parse
    return filtered(parse, Filter(field, "<", (said(span.end.year),))) if span.end else parse


def _either_year(parse: Parse, hit: Hit, table: str) -> Parse | None:
    """“in 2014 or 2015”, where the year is a column."""
    years, spans = _years(parse, table), (hit["date"].span, hit["second"].span)
    said = [span.year for span in spans if span and span.year]
    if len(years) != 1 or len(said) < len(spans) or (hit.sign("and") == "and" and may_be_both(parse, table)):
        return None
    text = parse.lexicon.column(years[0]).kind == "text"
    return filtered(parse, Filter(years[0], "in", tuple(str(year) if text else year for year in said)))


def _years(parse: Parse, table: str) -> list[Field]:
    fields = (Field(table, column.name) for column in parse.lexicon.table(table).columns)
    return [field for field in fields if is_year(parse.lexicon, field)]


def _dated_tables(parse: Parse) -> list[str]:
    """The tables whose days may be meant, likeliest first: of the numbers asked for, of the things named, of the rest.

    Of two things named, it is the one that refers to the other: “reviews of apps last month” are reviews of last month.
    """
    columns = [c.column.field for c in parse.chunks if c.column and not c.table]
    numeric = [field.table for field in columns if is_numeric(parse.lexicon, field)]
    named = [table for c in parse.chunks if (table := c.names_table)]
    likely = sorted(named, key=lambda table: (not days(parse.lexicon, table), -_referring(parse, table, named)))
    before = [m.table for m in parse.previous.all_measures] + [parse.previous.subject] if parse.previous else []
    other = [sense.table for c in parse.chunks for sense in (*c.columns, *c.values)]
    return list(dict.fromkeys((*numeric, *likely, *(before or other))))


def _referring(parse: Parse, table: str, others: Sequence[str]) -> int:
    """To how many of the other tables each row of this one refers."""
    paths = (parse.lexicon.links.path(table, other) for other in others)
    return sum(1 for path in paths if path and not any(link.many for link in path))


def _which_date(parse: Parse, chunk: Chunk, columns: Sequence[Field]) -> Doubt:
    names = [title(field) for field in columns]
    text = parse.text.rstrip("?!. ")
    options = tuple(text.replace(chunk.text, f"{name} {chunk.text}", 1) + "?" for name in names)
    return Doubt(f"“{chunk.text}” can be {' or '.join(names)}: which one do you mean?", options)


def group_by_time(parse: Parse, hit: Hit) -> Parse:
    """“per month”: of the column that bears this name where that is what is measured, else of the days found later."""
    chunk, unit = hit["unit"], _UNITS[hit.sign("unit") or "day"]
    column, measured = chunk.column, _dated_tables(parse)[:1]
    if column is None or (measured and column.table not in measured):
        return grouped(parse, Group("", unit=unit))
    dated = parse.lexicon.column(column.field).kind in _DATED
    return grouped(parse, Group(column.table, column.column, unit if dated else None))


def group_by_adverb(parse: Parse, hit: Hit) -> Parse | None:
    """“monthly revenue”; “months” alone is no group."""
    return group_by_time(parse, hit) if hit["unit"].text.lower().endswith(("ly", "annual")) else None


def participle(parse: Parse, hit: Hit) -> Parse | None:
    """“retired apps”: where not every row has the date that the verb names, those that have it."""
    chunk, column = hit["column"], parse.lexicon.column(hit.field())
    verb = chunk.text.lower().endswith("ed") and not chunk.table
    if not verb or column.kind not in _DATED:
        return None
    if not column.nullable:
        return parse
    return filtered(parse, Filter(hit.field(), "null" if "not" in hit else "not null"))
