"""The subjects of the data at hand, and questions worth asking of it: near the last one, none asked before."""

import re
from collections.abc import Iterator
from itertools import chain, islice

from ai.agents.port import Turn
from ai.agents.question_context import QuestionContext
from ai.analysts.port import Question
from ai.answers.naming import VAGUE
from ai.answers.phrase import literal
from ai.language.words import described, name_parts, singular, telling_stems
from ai.nl2sql.examples import example_questions, readable
from ai.nl2sql.lexicon import Lexicon, lexicon_of
from ai.nl2sql.meaning import Field, from_json
from ai.nl2sql.schema import adds_up, days, display, is_numeric, noun, title, without_unit

SUM = re.compile(r"\s*SUM\([^/]*$", re.IGNORECASE)
TRIED = 8  # example questions, of which those asked before are left out


def things(question: Question) -> tuple[str, ...]:
    """Return what people call the rows of each table, as Markdown."""
    lexicon = lexicon_of(question.catalog, question.semantics)
    return tuple(dict.fromkeys(literal(_thing(lexicon, table.name)) for table in question.catalog.tables))


def _thing(lexicon: Lexicon, table: str) -> str:
    words = name_parts(table)
    return " ".join(words) if words and singular(words[-1]) != words[-1] else noun(lexicon, table)


def questions(context: QuestionContext, turn: Turn, count: int = 3) -> tuple[str, ...]:
    """Return questions about the data the asker sees, all of them readable."""
    question = context.question(turn)
    about = _table_meant(question)
    known = {frozenset(described(query.question).terms) for query in question.past}
    examples = example_questions(question.catalog, question.today, TRIED, question.semantics, about)
    first, *rest = examples or ("",)
    found = dict.fromkeys(filter(None, chain([first], _of_figures(question, about), rest)))
    return tuple(islice((text for text in found if frozenset(described(text).terms) not in known), count))


def suggestions(context: QuestionContext, turn: Turn) -> str:
    found = questions(context, turn)
    return "\n".join(["You could ask:", *(f"- {literal(question)}" for question in found)])


def _table_meant(question: Question) -> str:
    """Return the table named by the words, else the one asked about last; "" for none."""
    lexicon = lexicon_of(question.catalog, question.semantics)
    said = set(telling_stems(question.text))
    named = (table.name for table in question.catalog.tables if set(telling_stems(noun(lexicon, table.name))) & said)
    last = next((from_json(query.meaning) for query in question.past), None)
    return next(named, last.root if last else "")


def _of_figures(question: Question, about: str) -> Iterator[str]:
    """Yield the first question about a defined figure or an amount over time that is readable."""
    lexicon = lexicon_of(question.catalog, question.semantics)
    texts = tuple(_figure_texts(question, lexicon, about))
    return islice(readable(texts, question.catalog, question.today, question.semantics), 1)


def _figure_texts(question: Question, lexicon: Lexicon, about: str) -> Iterator[str]:
    sums = (metric.name for metric in question.semantics.metrics if SUM.match(metric.expression))
    yield from (f"{name[:1].upper()}{name[1:]} by month" for name in sums)
    tables = sorted(question.catalog.tables, key=lambda table: table.name != about)
    fields = [
        Field(table.name, column.name)
        for table in tables
        for column in table.columns
        if days(lexicon, table.name)
        and not display(lexicon, table.name)  # of events: nobody adds up wages by hiring day
    ]
    figures = [field for field in fields if is_numeric(lexicon, field) and adds_up(lexicon, field)]
    for field in sorted(figures, key=lambda field: (field.table != about, lexicon.column(field).kind != "number")):
        words = without_unit(title(field))
        thing = noun(lexicon, field.table, many=False)
        yield f"{thing.capitalize()} {words} by month" if words in VAGUE else f"Total {words} by month"
