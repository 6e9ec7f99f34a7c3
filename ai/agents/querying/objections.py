"""What may be wrong with an answer, and how a person says it right, in the words of this database. Pure."""

from ai.language.words import name_parts, plural, singular
from ai.sql.catalog import Catalog, Column, Table

REASONS = {
    "filter": "Wrong filter",
    "period": "Wrong period",
    "number": "Wrong number",
    "unclear": "Unclear",
    "other": "Something else",
}
ADVICE = {
    "filter": "Say in this thread what to keep or leave out.",
    "period": "Say in this thread which period you mean, for example “only October 2026”.",
    "number": "“show me the SQL” shows what was counted; say in this thread what should be.",
    "unclear": "Ask again in other words, with the names of tables and columns.",
    "other": "Say in this thread what is wrong.",
}
RULE = "If it holds for all questions, say it as a rule, for example “{}”; an owner decides."
OTHERWISE = "by our usual figures we mean those without test data"


def how_to_correct(reason: str, catalog: Catalog, tables: tuple[str, ...]) -> str:
    """Return what to do about an answer from these tables."""
    return f"{ADVICE.get(reason, ADVICE['other'])} {RULE.format(example(catalog, tables))}"


def example(catalog: Catalog, tables: tuple[str, ...]) -> str:
    """Return a rule about one of the tables, the first of those of the answer if possible."""
    used = {name.lower() for name in tables}
    ordered = sorted(catalog.tables, key=lambda table: table.name.lower() not in used)
    found = (said for table in ordered for column in table.columns if (said := _rule(table, column)))
    return next(found, OTHERWISE)


def _rule(table: Table, column: Column) -> str:
    noun = plural(singular(" ".join(name_parts(table.name))))
    place = f"{table.name}.{column.name}"
    if column.personal:
        return ""
    if column.kind == "text" and column.values:
        value = column.values[0].replace("'", "''")
        return f"by {column.values[0]} {noun} we mean {place} = '{value}'"
    if column.kind == "boolean":
        word = " ".join(part for part in name_parts(column.name) if part not in ("is", "has"))
        return f"by {word} {noun} we mean {place} = 1"
    return ""
