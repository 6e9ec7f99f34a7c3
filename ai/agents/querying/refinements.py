"""Queries known to a thread: refined by the choices a person has, the other reading of a question, the same again."""

import re
from dataclasses import dataclass
from datetime import date

from ai.agents.port import Turn
from ai.agents.querying.verdicts import Person
from ai.agents.question_context import QuestionContext
from ai.analysts.port import Draft
from ai.answers.naming import Names
from ai.answers.reading import reading
from ai.errors import NoResult, UserError
from ai.memory_store import MemoryStore
from ai.nl2sql.choices import MeaningPart
from ai.nl2sql.lexicon import Lexicon, lexicon_of
from ai.nl2sql.meaning import Meaning, from_json, to_json
from ai.nl2sql.reader import reading_of
from ai.nl2sql.refining import Picks, in_words, parts_of, read_back, refined, untouched
from ai.sql.facts import facts_of
from ai.types import AnsweredQuery

BY = "refined by choice"
NO_PARTS = "This answer has no parts to choose from; say in the thread what to change, for example “only this month”."
UNCHANGED = "Nothing is changed yet: choose something else, or cancel."
GONE = "The answer to refine is no longer kept; ask the question again."


@dataclass(frozen=True, slots=True)
class ChoiceOfPart:
    """A part of an answer: the names to choose from, and those that hold now. `day` names the column of a time."""

    name: str
    options: tuple[str, ...]
    kept: tuple[str, ...]
    many: bool
    day: str


@dataclass(frozen=True, slots=True)
class Refinable:
    """An answer with its choices, and the conditions that stay."""

    question: str
    parts: tuple[ChoiceOfPart, ...]
    untouched: str


class Refinements:
    def __init__(self, memory: MemoryStore, context: QuestionContext) -> None:
        self._memory = memory
        self._context = context

    def of(self, query_id: int, person: Person, today: date) -> Refinable:
        """Return the choices, under the person's rights. Raises UserError."""
        query, lexicon = self._query(query_id, person)
        meaning = _meaning(query, lexicon)
        parts = tuple(
            ChoiceOfPart(part.name, tuple(o.name for o in part.options), part.kept, part.many, part.day)
            for part in _parts(meaning, lexicon, today)
        )
        return Refinable(query.question, parts, untouched(meaning, lexicon))

    def message(self, query_id: int, picks: Picks, person: Person, today: date) -> str:
        """Return the message that asks for these choices. Raises UserError where they do not go together."""
        query, lexicon = self._query(query_id, person)
        kept = {part.name: set(part.kept) for part in _parts(_meaning(query, lexicon), lexicon, today)}
        changed = {name: names for name, names in picks.items() if set(names) != kept.get(name)}
        if not changed:
            raise NoResult(UNCHANGED)
        _refined(query, changed, lexicon, today)
        return in_words(query_id, changed)

    def _query(self, query_id: int, person: Person) -> tuple[AnsweredQuery, Lexicon]:
        """Return a query that the person may see, and the words of its data."""
        query = self._memory.query(query_id)
        if person.channel and query.thread.channel != person.channel:
            raise NoResult(GONE)
        self._context.audience.check_rows(query, person.roles)
        return query, self._context.lexicon(query, person.roles)


def wanted(context: QuestionContext, turn: Turn) -> tuple[str, Draft] | None:
    """Return the question and the query that a message of choices asks for. Raises UserError."""
    asked = read_back(turn.request.text)
    if asked is None:
        return None
    number, picks = asked
    query = next((query for query in context.past(turn) if query.id == number), None)
    if query is None:
        raise NoResult(GONE)
    context.audience.check_rows(query, turn.request.roles)
    question = context.question(turn)
    lexicon = lexicon_of(question.catalog, question.semantics)
    meaning = _refined(query, picks, lexicon, question.today)
    found = reading_of(meaning, (), lexicon, question.today)
    facts = facts_of(found.sql, question.catalog, question.today, question.semantics)
    said = reading(Names(facts, question.catalog, question.today, question.semantics))
    return said, Draft(found.sql, found.text, to_json(meaning), by=BY)


def meaning_of(query: AnsweredQuery, lexicon: Lexicon) -> Meaning | None:
    """Return the meaning of a query, None without one or where a table of it is gone."""
    meaning = from_json(query.meaning)
    is_whole = meaning is not None and all(lexicon.catalog.table(table) is not None for table in meaning.tables)
    return meaning if is_whole else None


def _meaning(query: AnsweredQuery, lexicon: Lexicon) -> Meaning:
    meaning = meaning_of(query, lexicon)
    if meaning is None:
        raise NoResult(NO_PARTS)
    return meaning


def _parts(meaning: Meaning, lexicon: Lexicon, today: date) -> tuple[MeaningPart, ...]:
    found = parts_of(meaning, lexicon, today)
    if not found:
        raise NoResult(NO_PARTS)
    return found


def _refined(query: AnsweredQuery, picks: Picks, lexicon: Lexicon, today: date) -> Meaning:
    found = refined(_meaning(query, lexicon), picks, lexicon, today)
    if isinstance(found, str):
        raise UserError(found)
    return found


ASKED = re.compile(
    r"^(?:show the other reading q|(?:re-?run|run|refresh) query )(?P<number>\d+)(?: again)?[.! ]*$", re.IGNORECASE
)
AGAIN = re.compile(
    r"^(?:please |pls |can you |could you )*(?:re-?run|refresh|repeat|run)"
    r"(?: (?:it|this|that|the (?:last |same )?(?:one|query|question|numbers?|result)))?(?: (?:again|once more|now))*"
    r"(?:,? please)?[.!? ]*$",
    re.IGNORECASE,
)


def asks_for(query: AnsweredQuery) -> str:
    return f"show the other reading q{query.id}"


def picked(context: QuestionContext, turn: Turn) -> AnsweredQuery | None:
    """Return the query that a message asks to run, within the thread."""
    text = turn.request.text.strip()
    if found := ASKED.match(text):
        return next((query for query in context.past(turn) if query.id == int(found["number"])), None)
    return next(iter(context.past(turn)), None) if AGAIN.match(text) else None
