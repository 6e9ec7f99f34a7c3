"""A first semantics file for a catalogue: what can be told from names, keys, comments and values, for a person to go over.

What is sure stands as YAML, what is a guess or a gap as a comment, so the draft loads back as it is. It proposes what the
reader would assume anyway where that is worth seeing (display and date columns), and wordings that nobody could know.
"""

import re
from collections.abc import Callable, Iterator

import yaml

from ai.nl2sql.lexicon import Lexicon, lexicon_of, truths
from ai.nl2sql.meaning import Field
from ai.nl2sql.schema import averaged, dates, display, is_numeric, title
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
    for table in lexicon.catalog.tables:
        for column in table.columns:
            field = Field(table.name, column.name)
            if is_numeric(lexicon, field):
                name = title(field)
                yield f"  # {_scalar(name)}: {{table: {_scalar(table.name)}, expression: {_scalar(_total(field))}}}"


def _total(field: Field) -> str:
    return f"{'AVG' if averaged(field) else 'SUM'}({field.column})"


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
    ("synonyms", "Other words for a table, or for a column (table.column).", _synonyms),
    ("display", "The column that names a row of a table.", _display),
    ("dates", "The column that “last month” is about.", _dates),
    ("values", "How people say a value: table.column, the value, and the words for it.", _values),
    ("hidden", "Tables that are never offered.", _hidden),
)
