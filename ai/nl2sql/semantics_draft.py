"""A first semantics file for a catalogue, from names, keys, comments and values, for a person to go over.

What is sure stands as YAML, a guess or a gap as a comment. It proposes what
the reader would assume anyway where that is worth seeing (display and date columns), and wordings that nobody could
know.
"""

import re
from collections.abc import Callable, Iterator

import yaml

from ai.nl2sql.lexicon import Lexicon, lexicon_of
from ai.nl2sql.meaning import Field
from ai.nl2sql.schema import averaged, display, is_numeric, title
from ai.nl2sql.spans import dates
from ai.nl2sql.values import truths
from ai.nl2sql.words import name_parts
from ai.sql.catalog import Catalog, Column

FEW_VALUES = 12
LONGEST_SYNONYM = 3  # words of a comment that may be another name
ABBREVIATIONS = {
    "acct": "account", "addr": "address", "amt": "amount", "cat": "category", "cnt": "count", "cust": "customer",
    "dept": "department", "desc": "description", "dob": "date of birth", "emp": "employee", "inv": "invoice",
    "mgr": "manager", "nbr": "number", "num": "number", "ord": "order", "org": "organisation", "pct": "percent",
    "prod": "product", "qty": "quantity", "tel": "telephone", "txn": "transaction", "yr": "year",
}  # fmt: skip
UNITS = {
    "usd": "USD", "eur": "EUR", "gbp": "GBP", "chf": "CHF", "seconds": "s", "secs": "s", "minutes": "min",
    "mins": "min",
    "hours": "h", "days": "days", "kg": "kg", "km": "km", "bytes": "bytes", "pct": "%", "percent": "%",
}  # fmt: skip
SCALES = {"cents": ("", 0.01), "pence": ("GBP", 0.01), "ms": ("s", 0.001), "millis": ("s", 0.001)}
COUNTED_ANEW = re.compile(
    r"(?:active|unique|distinct|daily|monthly) (?:\w+ )?(?:users?|visitors?|customers?|devices?)|[dwm]au"
)
STANDING = re.compile(
    r"\b(?:balance|stock|inventory|on hand|headcount|mrr|arr|seats|subscribers|followers|members|backlog|open \w+)\b"
)
MONTHLY = re.compile(r"month", re.IGNORECASE)
CALLED = re.compile(r"\b(?:aka|also (?:known as|called))\s+([\w -]+)", re.IGNORECASE)
MACHINERY = re.compile(
    r"alembic_version|.*migrations?|schema_.*|.*_(?:bak|backup|old|tmp)|(?:tmp|test|stg)_.*", re.IGNORECASE
)
HEADER = """\
# What words mean in {source}. Go over each line, delete what is wrong, and add what people here say;
# `datathread semantics check` tells whether it fits the database. docs/semantics.md describes every section.
version: 0
"""
Section = Callable[[Lexicon], Iterator[str]]


def draft(catalog: Catalog) -> str:
    """The text of a semantics file that fits the catalogue."""
    lexicon = lexicon_of(catalog)
    parts = [HEADER.format(source=catalog.source)]
    for name, comment, section in SECTIONS:
        parts.append("\n".join([f"# {comment}", f"{name}:", *section(lexicon)]) + "\n")
    return "\n".join([*parts, "# Sentences that every answer must follow.\nrules: []\n"])


def _metrics(lexicon: Lexicon) -> Iterator[str]:
    """Totals as comments: which of them are figures that people ask for by name is for a person to say."""
    for field in _figures(lexicon):
        yield f"  # {_scalar(title(field))}: {{table: {_scalar(field.table)}, expression: {_scalar(_total(field))}}}"


def _total(field: Field) -> str:
    return f"{'AVG' if averaged(field) else 'SUM'}({field.column})"


def _joins(lexicon: Lexicon) -> Iterator[str]:
    """Columns named after another table's key, as comments: a name is no proof."""
    for table in lexicon.catalog.tables:
        for key in table.foreign_keys:
            if key.is_guessed:
                yield f"  # - {_scalar(f'{table.name}.{key.columns[0]} = {key.target_table}.{key.target_columns[0]}')}"


def _units(lexicon: Lexicon) -> Iterator[str]:
    for field in _figures(lexicon):
        last = name_parts(field.column)[-1]
        if last in UNITS:
            yield f"  {_scalar(f'{field.table}.{field.column}')}: {{unit: {_scalar(UNITS[last])}}}"
        elif last in SCALES:
            unit, scale = SCALES[last]
            said = f"{{unit: {_scalar(unit)}, scale: {scale}}}" if unit else f"{{scale: {scale}}}  # of which currency?"
            yield f"  {_scalar(f'{field.table}.{field.column}')}: {said}"


def _non_additive(lexicon: Lexicon) -> Iterator[str]:
    """Yield figures of the same things anew each day or month."""
    for field in _figures(lexicon):
        table = lexicon.table(field.table)
        days = [column for column in dates(table) if column.name in table.primary_key] or dates(table)[:1]
        said = " ".join(name_parts(field.column))
        if days and (standing := STANDING.search(said) or COUNTED_ANEW.search(said)):
            over, take = (
                "month" if MONTHLY.search(days[0].name) else "day",
                "none" if COUNTED_ANEW.search(said) else "last",
            )
            reason = f"# {standing[0]} of one {over} and the next are the same ones"
            yield f"  {_scalar(f'{field.table}.{field.column}')}: {{over: {over}, take: {take}}}  {reason}"


def _figures(lexicon: Lexicon) -> Iterator[Field]:
    fields = (Field(table.name, column.name) for table in lexicon.catalog.tables for column in table.columns)
    return (field for field in fields if is_numeric(lexicon, field))


def _synonyms(lexicon: Lexicon) -> Iterator[str]:
    taken: set[str] = set()
    for table in lexicon.catalog.tables:
        named = [(table.name, table.name, table.comment)]
        named += [(column.name, f"{table.name}.{column.name}", column.comment) for column in table.columns]
        for name, target, comment in named:
            for word in _other_names(name, comment):
                if word not in taken:
                    taken.add(word)
                    yield f"  {_scalar(word)}: {_scalar(target)}"


def _other_names(name: str, comment: str) -> Iterator[str]:
    """Abbreviations written out, and what a comment calls the thing."""
    parts = name_parts(name)
    if any(part in ABBREVIATIONS for part in parts):
        yield " ".join(ABBREVIATIONS.get(part, part) for part in parts)
    said = comment.strip().rstrip(".").lower()
    if found := CALLED.search(comment):
        yield found[1].strip().lower()
    elif said.replace(" ", "").isalpha() and len(said.split()) <= LONGEST_SYNONYM and said != " ".join(parts):
        yield said


def _display(lexicon: Lexicon) -> Iterator[str]:
    for table in lexicon.catalog.tables:
        named = display(lexicon, table.name)
        if len(named) == 1:
            yield f"  {_scalar(table.name)}: {_scalar(named[0].column)}"
        elif not named and table.primary_key:
            yield f"  # {_scalar(table.name)}: {_scalar(table.primary_key[0])}  # nothing in it looks like a name"


def _dates(lexicon: Lexicon) -> Iterator[str]:
    for table in lexicon.catalog.tables:
        columns = sorted(dates(table), key=lambda c: ("birth" in name_parts(c.name), c.nullable))
        if columns:
            others = ", ".join(column.name for column in columns[1:])
            yield f"  {_scalar(table.name)}: {_scalar(columns[0].name)}{f'  # or {others}' if others else ''}"


def _values(lexicon: Lexicon) -> Iterator[str]:
    for table in lexicon.catalog.tables:
        for column in table.columns:
            lines = list(_wordings(column))
            if lines:
                silent = all(line.lstrip().startswith("#") for line in lines)
                yield f"  {'# ' if silent else ''}{_scalar(f'{table.name}.{column.name}')}:"
                yield from lines


def _wordings(column: Column) -> Iterator[str]:
    """Yes and no by the column's own name; what codes stand for is asked."""
    if both := truths(column):
        said = title(Field("", column.name))
        for value, truth in both:
            held = str(int(value)) if isinstance(value, bool) else str(value)
            yield f"    {_scalar(held)}: {_scalar(said if truth else f'not {said}')}"
    elif column.kind == "text" and len(column.values) <= FEW_VALUES:
        for text in column.values:
            if "_" in text.strip("_"):
                yield f"    {_scalar(text)}: {_scalar(text.replace('_', ' ').strip().lower())}"
            elif text.isupper() and len(text) <= LONGEST_SYNONYM:
                yield f"    # {_scalar(text)}: what do people say for this?"


def _hidden(lexicon: Lexicon) -> Iterator[str]:
    for table in lexicon.catalog.tables:
        if MACHINERY.fullmatch(table.name):
            yield f"  # - {_scalar(table.name)}"


def _scalar(text: str) -> str:
    """A text as YAML writes it on one line."""
    written: str = yaml.safe_dump(text, allow_unicode=True, width=10_000)
    return written.removesuffix("\n").removesuffix("\n...")


SECTIONS: tuple[tuple[str, str, Section], ...] = (
    (
        "metrics",
        "Figures that people ask for by name: an aggregate over one table, perhaps with a condition.",
        _metrics,
    ),
    ("terms", "Kinds of rows that people name: {table: …, condition: …, synonyms: […]}.", lambda _: iter(())),
    ("joins", "Keys that the schema forgot: child.column = parent.column.", _joins),
    ("units", "What a bare column is counted in, and what to multiply it by.", _units),
    ("non_additive", "Figures that may not be summed over time; take: last, mean or none (ask).", _non_additive),
    ("synonyms", "Other words for a table, or for a column (table.column).", _synonyms),
    ("display", "The column that names a row of a table.", _display),
    ("dates", "The column that “last month” is about.", _dates),
    ("values", "How people say a value: table.column, the value, and the words for it.", _values),
    ("hidden", "Tables that are never offered.", _hidden),
)
