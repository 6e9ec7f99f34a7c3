"""Example questions for a catalog: generated from its tables, and only those that the reader really reads."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import chain, islice

from ai.nl2sql.lexicon import Lexicon, lexicon_of
from ai.nl2sql.meaning import Field
from ai.nl2sql.reader import Reading, read
from ai.nl2sql.schema import averaged, display, is_numeric, noun, title, without_unit
from ai.nl2sql.words import name_parts
from ai.sql.catalog import Catalog, Table
from ai.sql.semantics import NO_SEMANTICS, Semantics

AVERAGES = frozenset({"avg", "average", "mean"})  # of which there is no average
_FEW_VALUES = 40


@lru_cache(maxsize=64)
def example_questions(
    catalog: Catalog, today: date, count: int = 3, semantics: Semantics = NO_SEMANTICS, about: str = ""
) -> tuple[str, ...]:
    """Up to `count` questions of different kinds that `read` reads on this catalog, the best known tables first.

    With `about`, those about this table go first.
    """
    lexicon = lexicon_of(catalog, semantics)
    tables = sorted(_central(lexicon), key=lambda table: table.name != about)
    kinds = (each(tables, lexicon) for each in (_counts, _groups, _figures, _ranks, _counts))
    working = ((q for q in kind if isinstance(read(q, catalog, today, semantics=semantics), Reading)) for kind in kinds)
    firsts = (question for kind in working for question in islice(kind, 1))
    more = (q for q in _counts(tables, lexicon) if isinstance(read(q, catalog, today, semantics=semantics), Reading))
    return tuple(islice(dict.fromkeys(chain(firsts, more)), count))


def readable(
    questions: Iterable[str], catalog: Catalog, today: date, semantics: Semantics = NO_SEMANTICS
) -> Iterator[str]:
    """Yield the questions that `read` reads on this catalog."""
    return (text for text in questions if isinstance(read(text, catalog, today, semantics=semantics), Reading))


def _central(lexicon: Lexicon) -> list[Table]:
    """Tables with names to show, those that most others refer to first."""
    steps = lexicon.links.steps
    tables = sorted(lexicon.catalog.tables, key=lambda t: -sum(link.many for link in steps.get(t.name, ())))
    return sorted(tables, key=lambda table: not display(lexicon, table.name))


def _counts(tables: Sequence[Table], lexicon: Lexicon) -> Iterator[str]:
    for table in [table for table in tables if len(table.primary_key) == 1] or tables:
        yield f"How many {noun(lexicon, table.name)} do we have?"


def _groups(tables: Sequence[Table], lexicon: Lexicon) -> Iterator[str]:
    for table in tables:
        named = display(lexicon, table.name)
        for column in table.columns:
            if (
                1 < len(column.values) <= _FEW_VALUES
                and not column.personal
                and Field(table.name, column.name) not in named
            ):
                yield f"How many {noun(lexicon, table.name)} are there per {title(Field(table.name, column.name))}?"


def _figures(tables: Sequence[Table], lexicon: Lexicon) -> Iterator[str]:
    for table in tables:
        for column in table.columns:
            field = Field(table.name, column.name)
            if is_numeric(lexicon, field) and averaged(field) and not AVERAGES & {*name_parts(column.name)}:
                yield f"What is the average {without_unit(title(field))} of {noun(lexicon, table.name)}?"


def _ranks(tables: Sequence[Table], lexicon: Lexicon) -> Iterator[str]:
    for table in tables:
        for link in lexicon.links.steps.get(table.name, ()):
            is_thing = len(lexicon.table(link.target).primary_key) == 1  # rows of pairs and days have no good name
            if link.many and is_thing and display(lexicon, table.name):
                yield f"Which {noun(lexicon, table.name, many=False)} has the most {noun(lexicon, link.target)}?"
