"""Which rows: comparisons, values, periods, absences. Each function makes conditions of the phrases that a rule found."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from ai.nl2sql.chunks import Chunk
from ai.nl2sql.lexicon import Sense
from ai.nl2sql.meaning import Field, Filter, Function, Group, Having, Measure, Operator, Period, Presence, Scalar
from ai.nl2sql.parse import Doubt, Hit, Parse
from ai.nl2sql.schema import averaged, dates, display, is_numeric, noun, title
from ai.nl2sql.words import name_parts, stem, stems

OPERATORS: dict[str, Operator] = {
    sign: sign for sign in (">", ">=", "<", "<=", "=", "!=", "contains", "starts", "ends")  # type: ignore[misc]
}
_OPPOSITE: dict[Operator, Operator] = {"=": "!=", "in": "not in", ">": "<=", "<": ">=", ">=": "<", "<=": ">", "!=": "="}
_FUNCTIONS: dict[str, Function] = {"avg": "avg", "sum": "sum", "min": "min", "max": "max"}


def function_of(sign: str) -> Function:
    return _FUNCTIONS[sign]


def total_of(field: Field) -> Measure:
    """The measure meant when a numeric column is asked for without an aggregate."""
    return Measure("avg" if averaged(field) else "sum", field.table, field.column)


def filtered(parse: Parse, new: Filter) -> Parse:
    return replace(parse, meaning=replace(parse.meaning, filters=(*parse.meaning.filters, new)))


# --- comparisons -------------------------------------------------------------------------------------------------


def compare_column(parse: Parse, hit: Hit) -> Parse | None:
    """"price above 4", "more than 100 installs": of each row, or of the total where rows of another table add up."""
    field, number = hit.field(), hit["number"].number
    if number is None or not (is_numeric(parse.lexicon, field) or _is_year(parse, field)):
        return None
    operator = OPERATORS[hit.sign("compare") or "="]
    if "aggregate" in hit:
        return _having(parse, Having(Measure(function_of(hit.sign("aggregate") or "sum"), field.table, field.column), operator, number))
    if _adds_up(parse, field):
        return _having(parse, Having(total_of(field), operator, number))
    return filtered(parse, Filter(field, operator, (number,)))


def _is_year(parse: Parse, field: Field) -> bool:
    """Whether the column holds years, as numbers or as text."""
    column = parse.lexicon.column(field)
    named = "year" in name_parts(field.column) and column.kind in ("integer", "number", "text")
    return named and all(len(value) == len("2026") and value.isdigit() for value in column.values)


def _adds_up(parse: Parse, field: Field) -> bool:
    """Whether the entity asked about has many rows in the column's table: then its total is compared."""
    entity = next((c.table.table for c in parse.chunks if c.table and c.table.table != field.table and c.table.cost < 1), None)
    named = any(c.table and c.table.table == field.table and not c.columns for c in parse.chunks)
    path = parse.lexicon.links.path(entity, field.table) if entity and not named else None
    return bool(path) and any(link.many for link in path or ())


def _having(parse: Parse, having: Having) -> Parse:
    return replace(parse, meaning=replace(parse.meaning, havings=(*parse.meaning.havings, having)))


def compare_rows(parse: Parse, hit: Hit) -> Parse | None:
    """"more than 10 albums": a number of rows of another table for each row of the entity."""
    number = hit["number"].number
    if number is None or not any(_other_entity(c, hit.table()) for c in parse.chunks):
        return None
    return _having(parse, Having(Measure("count", hit.table()), OPERATORS[hit.sign("compare") or "="], number))


def _other_entity(chunk: Chunk, table: str) -> bool:
    return bool((chunk.table and chunk.table.table != table) or (chunk.columns and not chunk.table))


def compare_only(parse: Parse, hit: Hit) -> Parse | None:
    """"above 20 dollars": no column is named, so there must be a single one that can be meant."""
    tables = [c.table.table for c in parse.chunks if c.table]
    number = hit["number"].number
    if not tables or number is None:
        return None
    columns = [f for c in parse.lexicon.table(tables[0]).columns if is_numeric(parse.lexicon, f := Field(tables[0], c.name))]
    if len(columns) != 1:
        return None
    note = f"“{hit['compare'].text} {hit['number'].text}” was read as a condition on {title(columns[0])}"
    return filtered(parse.noted(note), Filter(columns[0], OPERATORS[hit.sign("compare") or "="], (number,)))


def compare_text(parse: Parse, hit: Hit) -> Parse | None:
    """"name contains 'x'"."""
    operator = OPERATORS[hit.sign("compare") or "="]
    if operator not in ("contains", "starts", "ends") or parse.lexicon.column(hit.field()).kind != "text":
        return None
    return filtered(parse, Filter(hit.field(), operator, (hit["literal"].text,)))


def one_of_numbers(parse: Parse, hit: Hit) -> Parse | None:
    """"age 32 or 33"."""
    numbers = [n for label in ("number", "second") if (n := hit[label].number) is not None]
    if parse.lexicon.column(hit.field()).kind not in ("integer", "number") or hit.sign("and") != "or":
        return None
    return filtered(parse, Filter(hit.field(), "in", tuple(numbers)))


def not_compare(parse: Parse, hit: Hit) -> Parse | None:
    """"not higher than 4"."""
    number, operator = hit["number"].number, OPERATORS[hit.sign("compare") or "="]
    if number is None or not is_numeric(parse.lexicon, hit.field()):
        return None
    return filtered(parse, Filter(hit.field(), _OPPOSITE[operator], (number,)))


def or_more_rows(parse: Parse, hit: Hit) -> Parse | None:
    """"2 or more paragraphs"."""
    return compare_rows(parse, hit) if hit["compare"].text.startswith("or ") else None


def not_related(parse: Parse, hit: Hit) -> Parse | None:
    """"not used in any document", said of something else."""
    if not parse.chunks[0 : hit.places[0]] or not any(_other_entity(c, hit.table()) for c in parse.chunks[: hit.places[0]]):
        return None
    return absent_table(parse, hit)


def number_between(parse: Parse, hit: Hit) -> Parse | None:
    low, high = hit["number"].number, hit["high"].number
    if low is None or high is None or not is_numeric(parse.lexicon, hit.field()):
        return None
    return filtered(filtered(parse, Filter(hit.field(), ">=", (low,))), Filter(hit.field(), "<=", (high,)))


def is_number(parse: Parse, hit: Hit) -> Parse | None:
    """"5 star", "year 2014": a column that is exactly this number."""
    number, field = hit["number"].number, hit.field()
    if number is None or parse.lexicon.column(field).kind not in ("integer", "number") or hit["column"].table:
        return None
    return filtered(parse, Filter(field, "!=" if "not" in hit else "=", (number,)))


# --- values ------------------------------------------------------------------------------------------------------


def is_value(parse: Parse, hit: Hit) -> Parse | None:
    """"iOS", "platform is iOS", "not in Germany", "iOS or Android"."""
    chunk = hit["value"]
    owner = hit["column"] if "column" in hit else None
    senses = _owned(chunk, owner)
    if not senses or (owner is None and _rather_a_name(chunk)):
        return None
    senses = _naming(parse, senses)
    if len(senses) > 1:
        return replace(parse, doubt=_which(parse, chunk, senses))
    values = [senses[0].value, *(s.value for label in ("second", "third") if label in hit for s in hit[label].senses if s.value is not None and s.field == senses[0].field)]
    if "second" in hit and "both" in parse.text.lower().split() and hit.sign("and") == "and":
        return None
    if len(values) < 1 + ("second" in hit) + ("third" in hit):
        return None
    return _values(parse, hit, senses[0].field, [value for value in values if value is not None])


def _values(parse: Parse, hit: Hit, field: Field, values: Sequence[Scalar]) -> Parse:
    parse = parse.noted(hit["value"].note) if hit["value"].note else parse
    operator: Operator = "in" if len(values) > 1 else "="
    if "not" not in hit:
        return filtered(parse, Filter(field, operator, tuple(values)))
    if isinstance(values[0], bool):
        return filtered(parse, Filter(field, "=", (not values[0],)))
    return filtered(parse, Filter(field, _OPPOSITE[operator], tuple(values)))


def _owned(chunk: Chunk, owner: Chunk | None) -> list[Sense]:
    """The readings of a value; those in the column named beside it, when there is one."""
    if owner is None:
        return list(chunk.values)
    fields = {sense.field for sense in owner.senses if sense.column and sense.value is None}
    columns = {sense.field for sense in owner.columns} or fields
    everywhere = [sense for sense in chunk.senses if sense.value is not None]
    return [s for s in everywhere if s.field in columns] or [s for s in chunk.values if s.field in fields][:1]


def _naming(parse: Parse, senses: list[Sense]) -> list[Sense]:
    """Of several columns of one table that hold the word, the one that names its rows."""
    if len({sense.table for sense in senses}) > 1:
        return senses
    named = display(parse.lexicon.table(senses[0].table))
    return [sense for sense in senses if sense.field in named][:1] or senses


def _rather_a_name(chunk: Chunk) -> bool:
    """Whether the phrase is better read as grammar or as the name of a table or column."""
    if chunk.quoted:
        return False
    fields = {(sense.table, sense.column) for sense in chunk.values}
    names = [s for s in (chunk.table, *chunk.columns) if s and (s.table, s.column) not in fields]
    named = any(sense.cost <= 0.1 for sense in names)
    return named or bool(chunk.signs) or (chunk.number is not None and not chunk.text.isalpha())


def _which(parse: Parse, chunk: Chunk, senses: Sequence[Sense]) -> Doubt:
    options = tuple(f"{noun(parse.lexicon, s.table, many=False)} {title(s.field)} {_quoted(str(s.value))}" for s in senses)
    ways = [f"the {title(s.field)} of {noun(parse.lexicon, s.table)}" for s in senses]
    text = parse.text.rstrip("?!. ")
    asked = tuple(text.replace(chunk.text, option, 1) + "?" for option in options)
    return Doubt(f"“{chunk.text}” can be {' or '.join(ways)}: which one do you mean?", asked)


def _quoted(text: str) -> str:
    return f'"{text}"'


def is_literal(parse: Parse, hit: Hit) -> Parse | None:
    """"composed by Kurt Cobain": words that the catalog does not list, right after the column that must hold them."""
    field = hit.field()
    if parse.lexicon.column(field).kind != "text":
        return None
    text = " ".join(hit[label].text for label in ("literal", "second", "third", "fourth") if label in hit)
    return filtered(parse, Filter(field, "!=" if "not" in hit else "=", (text,)))


# --- absence -----------------------------------------------------------------------------------------------------


def absent_table(parse: Parse, hit: Hit) -> Parse | None:
    """"without a team", "that have no reviews"."""
    presence = Presence(hit.table(), present=False)
    return replace(parse, meaning=replace(parse.meaning, presences=(*parse.meaning.presences, presence)))


def absent_column(parse: Parse, hit: Hit) -> Parse | None:
    return filtered(parse, Filter(hit.field(), "null"))


def absent_value(parse: Parse, hit: Hit) -> Parse | None:
    """"with no iOS": the opposite of the value."""
    return is_value(parse, Hit({"not": hit["none"], "value": hit["value"]}, hit.places))


# --- periods -----------------------------------------------------------------------------------------------------


def in_period_of(parse: Parse, hit: Hit) -> Parse | None:
    """"released since June": the word before the date names the column of days."""
    if hit["column"].table and hit["column"].table.cost < hit["column"].columns[0].cost:
        return None
    fields = [s.field for s in hit["column"].senses if s.column and s.value is None]
    settled = {hit.field(), *(s.field for s in hit["column"].columns)}
    days = [f for f in fields if parse.lexicon.column(f).kind in ("date", "datetime")]
    chosen = next((f for f in days if f in settled), None)
    if chosen is None and _is_year(parse, hit.field()):
        return _year_number(parse, hit.field(), hit["date"])
    return _in(parse, chosen, hit["date"]) if chosen else None


def _year_number(parse: Parse, field: Field, chunk: Chunk) -> Parse | None:
    """A column that holds the year as a plain number."""
    span = chunk.span
    if span is None or any(day and (day.month, day.day) != (1, 1) for day in (span.start, span.end)):
        return None
    said: type[int] | type[str] = str if parse.lexicon.column(field).kind == "text" else int
    if span.year and span.start and span.end:
        return filtered(parse, Filter(field, "=", (said(span.year),)))
    parse = filtered(parse, Filter(field, ">=", (said(span.start.year),))) if span.start else parse
    return filtered(parse, Filter(field, "<", (said(span.end.year),))) if span.end else parse


def _in(parse: Parse, field: Field, chunk: Chunk) -> Parse | None:
    if chunk.span is None:
        return None
    period = Period(field, chunk.span.start, chunk.span.end)
    return replace(parse, meaning=replace(parse.meaning, periods=(*parse.meaning.periods, period)))


def in_period(parse: Parse, hit: Hit) -> Parse | None:
    """"last month": on the only column of days of what is asked about; several are a question back, none a no."""
    if hit["date"].number is not None and any(c.sign("compare") for c in parse.chunks):
        return None
    for table in _dated_tables(parse):
        if "second" in hit:
            return _either_year(parse, hit, table)
        columns = [Field(table, column.name) for column in dates(parse.lexicon.table(table))]
        sure = [f for f in columns if not parse.lexicon.column(f).nullable] if len(columns) > 1 else columns
        if len(sure) == 1:
            note = "" if len(columns) == 1 else f"“{hit['date'].text}” was read as {title(sure[0])}"
            return _in(parse.noted(note) if note else parse, sure[0], hit["date"])
        if columns:
            return replace(parse, doubt=_which_date(parse, hit["date"], columns))
        years = [f for c in parse.lexicon.table(table).columns if _is_year(parse, f := Field(table, c.name))]
        if len(years) == 1:
            return _year_number(parse, years[0], hit["date"])
    return None


def _either_year(parse: Parse, hit: Hit, table: str) -> Parse | None:
    """"in 2014 or 2015", where the year is a column."""
    years = [f for c in parse.lexicon.table(table).columns if _is_year(parse, f := Field(table, c.name))]
    spans = [hit[label].span for label in ("date", "second")]
    said = [span.year for span in spans if span and span.year]
    if len(years) != 1 or len(said) < len(spans) or "both" in parse.text.lower().split():
        return None
    text = parse.lexicon.column(years[0]).kind == "text"
    return filtered(parse, Filter(years[0], "in", tuple(str(year) if text else year for year in said)))


def _dated_tables(parse: Parse) -> list[str]:
    """The tables whose days may be meant, nearest first: of the numbers asked for, then of the things asked about."""
    numeric = [c.column.table for c in parse.chunks if c.column and not c.table and is_numeric(parse.lexicon, c.column.field)]
    named = [c.table.table for c in parse.chunks if c.table and c.table.cost < 1]
    before = [m.table for m in parse.previous.measures] + [parse.previous.subject] if parse.previous else []
    other = [s.table for c in parse.chunks for s in (*c.columns, *c.values)]
    return list(dict.fromkeys((*numeric, *_measured(parse, named), *(before or other))))


def _measured(parse: Parse, named: list[str]) -> list[str]:
    """Of two things that are named, the one that has days."""
    return sorted(named, key=lambda table: not dates(parse.lexicon.table(table)))


def _which_date(parse: Parse, chunk: Chunk, columns: Sequence[Field]) -> Doubt:
    text = parse.text.rstrip("?!. ")
    options = tuple(text.replace(chunk.text, f"{title(field)} {chunk.text}", 1) + "?" for field in columns)
    return Doubt(f"“{chunk.text}” can be {' or '.join(title(field) for field in columns)}: which one do you mean?", options)
