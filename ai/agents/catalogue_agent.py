"""Says what data there is: all tables, one of them, or where something is found. Reads the catalogue, runs no SQL."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from ai.agents.cards import AgentCard, Services
from ai.agents.port import ReplyEvent, TextEvent, Turn
from ai.agents.suggestions import suggestions
from ai.analysts.port import Intent, Question
from ai.answers.naming import abridged
from ai.answers.phrase import literal
from ai.language.words import name_parts, telling_stems
from ai.nl2sql.examples import readable
from ai.nl2sql.lexicon import lexicon_of
from ai.nl2sql.schema import noun
from ai.sql.catalog import Column, Table

TABLES, COLUMNS, VALUES, QUESTIONS = 12, 8, 5, 3  # listed at most
VALUE_LENGTH = 24  # characters; longer ones are texts, not kinds
NO_NAMES = frozenset("it this that these those them table tables everything anything".split())
DATA = r"(?:data|tables?|data ?sets?|information|info|fields|columns)"
POLITE = r"(?:(?:please|hey|ok|and|can you|could you) )*(?:(?:tell|show|give|list)(?: me)? )?"
WHOLE = (
    rf"^{POLITE}(?:what|which) (?:other )?{DATA} "
    r"(?:do (?:you|we|i) have|are (?:there|in here|available)|is (?:there|available)"
    r"|can (?:i|we|you) (?:ask|query|use|see|access)|do you know|exist)"
    r"(?: (?:access )?(?:to|about|of|here|in here))?\W*$",
    rf"^{POLITE}(?:all |all the |the |your |our )*"
    r"(?:tables|data ?sets|schema|data model|data dictionary)(?: please)?\W*$",
    rf"^{POLITE}what(?:'s| is) in (?:the|this|your|our) (?:data|database|db|warehouse)\W*$",
    rf"^{POLITE}(?:what|which) {DATA} (?:is|are) in (?:here|there|it)\W*$",
    rf"^{POLITE}(?:what|which) (?:is the )?(?:database|data source|source)"
    r"(?: is this| do you use| are you (?:on|using))?\W*$",
)
PART = re.compile(
    rf"^{POLITE}(?:"
    r"(?:what|which) (?:else )?(?:can|could|should) (?:i|we) (?:ask|know|find out)(?: you)? (?:about|on|of)"
    rf"|(?:what|which) {DATA} "
    r"(?:do (?:you|we) have|is there|are there|can i use|have|has|hold|holds|contain|contains|is)"
    r"(?: (?:about|on|for|of|in|with))?"
    rf"|(?:what|which) {DATA} (?:about|on|for)|what do you (?:know|have) (?:about|on)"
    r"|what(?:'s| is) in(?: the)?(?: table)?(?=.* table\b)|what(?:'s| is) in(?: the)? table"
    rf"|(?:what|which) {DATA} (?:does|do)(?: the)?(?=.* have\b)"
    r"|(?:columns|fields) (?:of|in)|describe(?: the)?(?: table)?(?= [\w'’-]+\W*$|.* (?:data|table|columns|fields)\b)"
    r"|what (?:does|do)(?=.* mean\b)|(?:what is |what's )?(?:the |your |our )?(?:definition|meaning) of"
    r"|how (?:do|did|would) (?:you|we) (?:define|calculate|compute|measure)|define|what do (?:you|we) mean (?:by|with)"
    r"|what is meant (?:by|with)|how (?:is|are)(?=.* (?:defined|calculated|computed|measured)\b)|what counts as"
    r"|describe(?: the)? table|explain the table|where (?:do|can) (?:you|we|i) find"
    r") (?P<about>[\w'’\- ]{2,60}?)(?: (?:data|table|tables|columns|fields|available|here|have|please"
    r"|mean|defined|calculated|computed|measured|exactly|for us))*\W*$",
    re.IGNORECASE,
)


class CatalogueAgent:
    """Answers from the catalogue, as far as the asker may see it."""

    def __init__(self, services: Services) -> None:
        self._context = services.context

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        """Describe all of the data, or the part a message names."""
        question = self._question(turn)
        about = described_part(turn.request.text)
        if about is None:
            yield TextEvent(f"{_overview(question)}\n\n{suggestions(self._context, turn)}")
        elif found := "\n".join(_found(question, about)):
            asks = "\n".join(f"- {literal(text)}" for text in islice(_working(question, about), QUESTIONS))
            yield TextEvent(f"{found}\n\nYou could ask:\n{asks}" if asks else found)
        else:
            yield TextEvent(f"Nothing in the data is called “{literal(about)}”.\n\n{_overview(question)}")

    def _question(self, turn: Turn) -> Question:
        """Return the question, without sizes of tables where rows are hidden from anybody: sizes count all rows."""
        question = self._context.question(turn)
        if not self._context.source(turn).has_rights:
            return question
        tables = tuple(replace(table, row_estimate=None) for table in question.catalog.tables)
        return replace(question, catalog=replace(question.catalog, tables=tables))


def described_part(text: str) -> str | None:
    """Return what a message wants described ("what can I ask about revenue?" -> "revenue"), None for all or nothing."""
    plain = " ".join(text.split())
    found = None if any(re.search(whole, plain.lower()) for whole in WHOLE) else PART.match(plain)
    about = (
        re.sub(r"^(?:the |our |your |all |a |table )+", "", found["about"].strip(), flags=re.IGNORECASE)
        if found
        else ""
    )
    return about if about and about.lower() not in NO_NAMES else None


def _overview(question: Question) -> str:
    tables = question.catalog.tables
    lines = [f"**{literal(question.catalog.source)}** holds {len(tables)} table{'s' * (len(tables) != 1)}:"]
    lines += [f"- **{_words(table.name)}**{_size(table)}: {_listed(_telling(table))}" for table in tables[:TABLES]]
    if rest := tables[TABLES:]:
        lines.append(f"- and {len(rest)} more: {_listed(table.name for table in rest)}")
    if metrics := question.semantics.metrics:
        lines.append(f"Defined figures: {_listed(metric.name for metric in metrics)}.")
    return "\n".join(lines)


def _found(question: Question, about: str) -> Iterator[str]:
    """Yield what of the data has the words of `about`: tables whole, else columns and values; and defined figures."""
    tables = [table for table in question.catalog.tables if _names(table.name, about)]
    for table in tables[:TABLES]:
        yield f"**{_words(table.name)}**{_size(table)} has:"
        yield from (f"- {_column(column)}" for column in _telling(table))
    for table in () if tables else question.catalog.tables:
        if columns := [column for column in table.columns if _names(column.name, about)]:
            yield f"- **{_words(table.name)}** has {', '.join(map(_column, columns))}"
        for column in table.columns:
            if value := next((value for value in column.values if value.casefold() == about.casefold()), None):
                meant = f", which is {literal(column.called[value])}" if value in column.called else ""
                yield f"- **{_words(table.name)}** has “{literal(value)}” as {_words(column.name)}{meant}"
    for metric in question.semantics.metrics:
        if any(_names(name, about) for name in (metric.name, *metric.synonyms)):
            said = f": {literal(metric.description)}" if metric.description else ""
            yield f"- **{literal(metric.name)}** is defined{said}"


def _working(question: Question, about: str) -> Iterator[str]:
    """Yield questions about a part of the data that the built-in reader answers."""
    texts = dict.fromkeys(_candidates(question, about))
    return readable(texts, question.catalog, question.today, question.semantics)


def _candidates(question: Question, about: str) -> Iterator[str]:
    for metric in question.semantics.metrics:
        if any(_names(name, about) for name in (metric.name, *metric.synonyms)):
            yield f"{metric.name} last month"
            yield f"{metric.name} per month this year"
    lexicon = lexicon_of(question.catalog, question.semantics)
    for table in question.catalog.tables:
        figures = [column for column in _telling(table) if column.kind in ("integer", "number")]
        kinds = [column for column in table.columns if 1 < len(column.values) < (table.row_estimate or TABLES * VALUES)]
        if _names(table.name, about):
            rows = noun(lexicon, table.name)
            yield f"How many {rows} do we have?"
            yield from (f"How many {rows} are there per {_plain(column.name)}?" for column in kinds)
        for column in figures:
            if _names(column.name, about):
                yield f"total {_plain(column.name)} last month"
                yield f"total {_plain(column.name)} per month this year"
                yield from (f"total {_plain(column.name)} per {_plain(kind.name)}" for kind in kinds)
                yield f"average {_plain(column.name)}"


def _names(name: str, about: str) -> bool:
    """Whether a name has every telling word of `about`."""
    wanted = set(telling_stems(about))
    return bool(wanted) and wanted <= set(telling_stems(_plain(name)))


def _telling(table: Table) -> list[Column]:
    """Return the columns that are more than the name of a row; all where there are none."""
    keys = {name.lower() for key in table.foreign_keys for name in key.columns}
    keys |= {name.lower() for name in table.primary_key if len(table.primary_key) == 1}
    return [column for column in table.columns if column.name.lower() not in keys] or list(table.columns)


def _column(column: Column) -> str:
    if column.values and max(map(len, column.values)) <= VALUE_LENGTH:
        called = column.called
        said = [f"{value} for {called[value]}" if value in called else value for value in column.values]
        return f"{_words(column.name)} ({_listed(said, VALUES)})"
    return f"{_words(column.name)} ({column.kind})"


def _size(table: Table) -> str:
    return f" ({table.row_estimate:,} rows)" if table.row_estimate is not None else ""


def _listed(names: Iterable[Column | str], most: int = COLUMNS) -> str:
    return abridged([_words(name.name) if isinstance(name, Column) else literal(name) for name in names], most)


def _words(name: str) -> str:
    return literal(_plain(name))


def _plain(name: str) -> str:
    return " ".join(name_parts(name)) or name


CARD = AgentCard(
    intent=Intent("catalogue"),
    rank=36,
    patterns=WHOLE,
    reads=described_part,
    examples=("what data do you have?", "which tables are there?", "what can I ask about revenue?"),
    gives="the tables and columns there are, and questions that work on them",
    told="what data there is, which tables or columns",
    build=CatalogueAgent,
)
