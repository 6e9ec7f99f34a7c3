"""The reader: a question becomes a typed meaning in the visible order of STEPS, and the meaning becomes SQL.

What it cannot read to the last content word it does not answer: it gives a `Doubt` that names the words.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from ai.nl2sql import checks, finish, followup, names
from ai.nl2sql.chunks import chunk, settle
from ai.nl2sql.echo import echo
from ai.nl2sql.lexicon import Lexicon, lexicon_of
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.parse import Doubt, Parse, apply
from ai.nl2sql.rules import CONDITIONS, FIGURES, LIMITS
from ai.nl2sql.sql import write_sql
from ai.nl2sql.words import split
from ai.sql.catalog import Catalog
from ai.sql.semantics import NO_SEMANTICS, Semantics

__all__ = ["STEPS", "Doubt", "Reading", "read"]

Step = Callable[[Parse], Parse]


def read_limits(parse: Parse) -> Parse:
    return apply(parse, LIMITS)


def read_conditions(parse: Parse) -> Parse:
    return apply(parse, CONDITIONS)


def read_figures(parse: Parse) -> Parse:
    return apply(parse, FIGURES)


STEPS: tuple[Step, ...] = (
    read_limits,
    read_conditions,
    read_figures,
    finish.settle_subject,
    names.read_names,
    followup.edit_previous,
    checks.check_words,
    finish.imply_measures,
    finish.complete,
    checks.check_meaning,
    finish.note_left_out,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A question that was read: its meaning, its SQL, the meaning in plain words, and what was assumed."""

    meaning: Meaning
    sql: str
    text: str
    assumptions: tuple[str, ...] = ()


def read(
    text: str,
    catalog: Catalog,
    today: date,
    previous: Meaning | None = None,
    semantics: Semantics = NO_SEMANTICS,
) -> Reading | Doubt:
    """Read one question; `previous` is the meaning that a follow-up edits, `semantics` are definitions that fit the catalog."""
    lexicon = lexicon_of(catalog, semantics)
    parse = start(text, lexicon, today, followup.usable(previous, lexicon))
    for step in STEPS:
        if parse.doubt:
            return parse.doubt
        parse = step(parse)
    if parse.doubt:
        return parse.doubt
    return Reading(parse.meaning, write_sql(parse.meaning, lexicon), echo(parse.meaning, lexicon), parse.notes)


def start(text: str, lexicon: Lexicon, today: date, previous: Meaning | None) -> Parse:
    """The phrases of a question, with nothing read yet."""
    chunks = chunk(split(text), lexicon, today)
    context = [previous.subject] if previous and followup.refers_back(chunks) else []
    return Parse(text, settle(chunks, lexicon, context), lexicon, today, previous=previous)
