"""Which rows: comparisons, values, absences. Each function makes conditions of the phrases that a rule found."""

from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.chunks import Chunk
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.lexicon import Sense, truths
from ai.nl2sql.meaning import Field, Filter, Function, Having, Measure, Operator, Presence, Scalar
from ai.nl2sql.parse import Doubt, Hit, Parse
from ai.nl2sql.schema import averaged, display, is_numeric, is_year, noun, title

OPERATORS: dict[str, Operator] = {
    ">": ">",
    ">=": ">=",
    "<": "<",
    "<=": "<=",
    "=": "=",
    "!=": "!=",
    "contains": "contains",
    "starts": "starts",
    "ends": "ends",
}
_OPPOSITE: dict[Operator, Operator] = {"=": "!=", "in": "not in", ">": "<=", "<": ">=", ">=": "<", "<=": ">", "!=": "="}
_FUNCTIONS: dict[str, Function] = {"avg": "avg", "sum": "sum", "min": "min", "max": "max"}


def function_of(sign: str) -> Function:
    return _FUNCTIONS[sign]


def total_of(field: Field) -> Measure:
    """The measure meant when a numeric column is asked for without an aggregate."""
    if is_metric(field):
        return Measure("metric", field.table, field.column)
    return Measure("avg" if averaged(field) else "sum", field.table, field.column)


def aggregated(function: Function, field: Field) -> Measure | None:
    """The aggregate of a column. A metric is one already: its total is itself, and it has no average or maximum."""
    if is_metric(field):
        return total_of(field) if function == "sum" else None
    return Measure(function, field.table, field.column)


def filtered(parse: Parse, new: Filter) -> Parse:
    return replace(parse, meaning=replace(parse.meaning, filters=(*parse.meaning.filters, new)))


# --- comparisons -------------------------------------------------------------------------------------------------


def compare_column(parse: Parse, hit: Hit) -> Parse | None:
    """“price above 4”, “more than 100 installs”: of each row, or of the total where rows of another table add up."""
    field, number = hit.field(), hit["number"].number
    if number is None or not (is_numeric(parse.lexicon, field) or is_year(parse.lexicon, field)):
        return None
    operator = OPERATORS[hit.sign("compare") or "="]
    if "aggregate" in hit:
        measure = aggregated(function_of(hit.sign("aggregate") or "sum"), field)
        return _having(parse, Having(measure, operator, number)) if measure else None
    if _adds_up(parse, field):
        return _having(parse, Having(total_of(field), operator, number))
    return filtered(parse, Filter(field, operator, (number,)))


def _adds_up(parse: Parse, field: Field) -> bool:
    """Whether the entity asked about has many rows in the column's table: then its total is compared."""
    entity = next((table for c in parse.chunks if (table := c.names_table) and table != field.table), None)
    named = any(c.table and c.table.table == field.table and not c.columns for c in parse.chunks)
    path = parse.lexicon.links.path(entity, field.table) if entity and not named else None
    return bool(path) and any(link.many for link in path or ())


def _having(parse: Parse, having: Having) -> Parse:
    return replace(parse, meaning=replace(parse.meaning, havings=(*parse.meaning.havings, having)))


def compare_rows(parse: Parse, hit: Hit) -> Parse | None:
    """“more than 10 albums”: a number of rows of another table for each row of the entity."""
    number = hit["number"].number
    if number is None or not any(_other_entity(c, hit.table()) for c in parse.chunks):
        return None
    return _having(parse, Having(Measure("count", hit.table()), OPERATORS[hit.sign("compare") or "="], number))


def _other_entity(chunk: Chunk, table: str) -> bool:
    return bool((chunk.table and chunk.table.table != table) or (chunk.columns and not chunk.table))


def compare_only(parse: Parse, hit: Hit) -> Parse | None:
    """“above 20 dollars”: no column is named, so there must be a single one that can be meant."""
    tables = [c.table.table for c in parse.chunks if c.table]
    number = hit["number"].number
    if not tables or number is None:
        return None
    columns = [
        f for c in parse.lexicon.table(tables[0]).columns if is_numeric(parse.lexicon, f := Field(tables[0], c.name))
    ]
    if len(columns) != 1:
        return None
    note = f"“{hit['compare'].text} {hit['number'].text}” was read as a condition on {title(columns[0])}"
    return filtered(parse.noted(note), Filter(columns[0], OPERATORS[hit.sign("compare") or "="], (number,)))


def compare_text(parse: Parse, hit: Hit) -> Parse | None:
    """“name contains 'x'”."""
    operator = OPERATORS[hit.sign("compare") or "="]
    if not hit["literal"].quoted and any(chunk.quoted for chunk in parse.chunks):
        return None
    if operator not in ("contains", "starts", "ends") or parse.lexicon.column(hit.field()).kind != "text":
        return None
    return filtered(parse, Filter(hit.field(), operator, (hit["literal"].text,)))


def one_of_numbers(parse: Parse, hit: Hit) -> Parse | None:
    """“age 32 or 33”."""
    numbers = [n for label in ("number", "second") if (n := hit[label].number) is not None]
    if parse.lexicon.column(hit.field()).kind not in ("integer", "number") or hit.sign("and") != "or":
        return None
    return filtered(parse, Filter(hit.field(), "in", tuple(numbers)))


def not_compare(parse: Parse, hit: Hit) -> Parse | None:
    """“not higher than 4”."""
    number, operator = hit["number"].number, OPERATORS[hit.sign("compare") or "="]
    if number is None or not is_numeric(parse.lexicon, hit.field()):
        return None
    return filtered(parse, Filter(hit.field(), _OPPOSITE[operator], (number,)))


def or_more_rows(parse: Parse, hit: Hit) -> Parse | None:
    """“2 or more paragraphs”."""
    return compare_rows(parse, hit) if hit["compare"].text.startswith("or ") else None


def not_related(parse: Parse, hit: Hit) -> Parse | None:
    """“not used in any document”, said of something else."""
    if not parse.chunks[0 : hit.places[0]] or not any(
        _other_entity(c, hit.table()) for c in parse.chunks[: hit.places[0]]
    ):
        return None
    return absent_table(parse, hit)


def number_between(parse: Parse, hit: Hit) -> Parse | None:
    low, high = hit["number"].number, hit["high"].number
    if low is None or high is None or not is_numeric(parse.lexicon, hit.field()):
        return None
    return filtered(filtered(parse, Filter(hit.field(), ">=", (low,))), Filter(hit.field(), "<=", (high,)))


def is_number(parse: Parse, hit: Hit) -> Parse | None:
    """“5 star”, “year 2014”: a column that is exactly this number."""
    number, field = hit["number"].number, hit.field()
    if number is None or parse.lexicon.column(field).kind not in ("integer", "number") or hit["column"].table:
        return None
    return filtered(parse, Filter(field, "!=" if "not" in hit else "=", (number,)))


# --- values ------------------------------------------------------------------------------------------------------


def is_value(parse: Parse, hit: Hit) -> Parse | None:
    """“iOS”, “platform is iOS”, “not in Germany”, “iOS or Android”."""
    chunk = hit["value"]
    owner = hit.get("column")
    senses = _owned(chunk, owner)
    if not senses or (owner is None and _rather_a_name(chunk)):
        return None
    senses = _naming(parse, senses)
    if len(senses) > 1:
        return replace(parse, doubt=_which(parse, chunk, senses))
    values = [
        senses[0].value,
        *(
            s.value
            for label in ("second", "third")
            if label in hit
            for s in hit[label].senses
            if s.value is not None and s.field == senses[0].field
        ),
    ]
    if "second" in hit and hit.sign("and") == "and" and may_be_both(parse, senses[0].table):
        reason = "can mean either of them or both; please say “or”, or ask for one at a time"
        return replace(parse, doubt=Doubt(f"“{chunk.text} and {hit['second'].text}” {reason}."))
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


def may_be_both(parse: Parse, table: str) -> bool:
    """Whether one row that is asked about may have several rows, and so several values, in this table."""
    links = parse.lexicon.links
    named = {name for c in parse.chunks if (name := c.names_table)}
    many = any(link.many for name in named for link in links.path(name, table) or ())
    return many or "both" in parse.text.lower().split()


def _naming(parse: Parse, senses: list[Sense]) -> list[Sense]:
    """Of several columns of one table that hold the word, the one that names its rows."""
    if len({sense.table for sense in senses}) > 1:
        return senses
    named = display(parse.lexicon, senses[0].table)
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
    options = tuple(
        f"{noun(parse.lexicon, s.table, many=False)} {title(s.field)} {_quoted(str(s.value))}" for s in senses
    )
    ways = [f"the {title(s.field)} of {noun(parse.lexicon, s.table)}" for s in senses]
    text = parse.text.rstrip("?!. ")
    asked = tuple(text.replace(chunk.text, option, 1) + "?" for option in options)
    return Doubt(f"“{chunk.text}” can be {' or '.join(ways)}: which one do you mean?", asked)


def _quoted(text: str) -> str:
    return f'"{text}"'


def is_literal(parse: Parse, hit: Hit) -> Parse | None:
    """“composed by Kurt Cobain”: words that the catalog does not list, right after the column that must hold them."""
    field = hit.field()
    if parse.lexicon.column(field).kind != "text":
        return None
    text = " ".join(hit[label].text for label in ("literal", "second", "third", "fourth") if label in hit)
    known = {value.lower() for value in parse.lexicon.column(field).values}
    if any(c.sign("have") is not None for c in parse.chunks[hit.places[0] : hit.places[-1]]):
        return None
    if known and text.lower() not in known and not hit["literal"].quoted:
        return None
    return filtered(parse, Filter(field, "!=" if "not" in hit else "=", (text,)))


# --- absence -----------------------------------------------------------------------------------------------------


def absent_table(parse: Parse, hit: Hit) -> Parse | None:
    """“without a team”, “that have no reviews”."""
    presence = Presence(hit.table(), present=False)
    return replace(parse, meaning=replace(parse.meaning, presences=(*parse.meaning.presences, presence)))


def absent_column(parse: Parse, hit: Hit) -> Parse | None:
    """“without a company”; a column of yes and no says no, and “never sold” is having no row that a metric is made of."""
    if is_metric(hit.field()):
        if parse.lexicon.metrics[hit.field()].condition:
            return None
        presence = Presence(hit.field().table, present=False)
        return replace(parse, meaning=replace(parse.meaning, presences=(*parse.meaning.presences, presence)))
    no = next((value for value, truth in truths(parse.lexicon.column(hit.field())) if not truth), None)
    return filtered(parse, Filter(hit.field(), "null") if no is None else Filter(hit.field(), "=", (no,)))


def absent_value(parse: Parse, hit: Hit) -> Parse | None:
    """“with no iOS”: the opposite of the value."""
    return is_value(parse, Hit({"not": hit["none"], "value": hit["value"]}, hit.places))
