"""Accepted answers: a question's own from before, and similar ones as examples.

An answer serves again for the same words in order, under the same definitions, to an asker allowed to run its SQL;
if the SQL names days the question does not, on the same day only.
"""

import re
from datetime import date
from functools import cache, partial
from itertools import islice
from zoneinfo import ZoneInfo

from ai.agents.learning.definitions import Definitions
from ai.analysts.port import Example
from ai.errors import SourceUnavailable, SqlRefused
from ai.language.questions import split
from ai.language.words import singular, telling_stems
from ai.memory.learned import Verified
from ai.memory_store import MemoryStore
from ai.sql.database import Database
from ai.types import Place, Request

CONSIDERED = 200  # newest answers of a workspace, to choose examples from
EXAMPLES = 3
POLITE = frozenset(
    "please pls hey hi hello can could would you i we us me the a an tell show give see know want to do "
    "does is are there "
    "have".split()
)
SIGNS = re.compile(r"[^\w\s.,;:?!'\"“”\u2018\u2019]")
YEAR = re.compile(r"\b(?:19|20)\d\d")
LITERAL = re.compile(r"'[^']*'|\b\d[\d.]*\b")
RELATIVE = re.compile(
    r"\b(?:last|this|past|previous|next|current|currently|ago|since|today|yesterday|now|recent|recently|latest|newest"
    r"|so far|to date|ytd|mtd|qtd)\b",
    re.IGNORECASE,
)


class Accepted:
    def __init__(self, memory: MemoryStore, definitions: Definitions) -> None:
        self._memory = memory
        self._definitions = definitions

    def answer(self, request: Request, database: Database) -> Verified | None:
        """Return the accepted answer to this very question."""
        found = self._memory.verified.alike(Place.of(request), normal(request.text))
        if found is None or self._definitions.mark(request.source) not in found.holds_under:
            return None
        if found.day != day_of(request) and hangs_on_its_day(found.question, found.sql):
            return None
        return found if _allowed(found, database) else None

    def examples(self, request: Request, database: Database) -> tuple[Example, ...]:
        """Return similar answers, most alike first."""
        known = self._memory.verified.newest(Place.of(request), CONSIDERED)
        if not known:
            return ()
        holds = cache(partial(_holds_for, request))
        asked, mark = frozenset(telling_stems(request.text)), self._definitions.mark(request.source)
        alike = [(_likeness(asked, one.question), one) for one in known if mark in one.holds_under]
        ranked = sorted((pair for pair in alike if pair[0]), key=lambda pair: -pair[0])
        near = (one for _, one in ranked if _is_reviewed(one, request) or holds(one.accepted_by))
        allowed = (one for one in islice(near, 2 * EXAMPLES) if _allowed(one, database))
        return tuple(Example(one.question, one.sql) for one in allowed)[:EXAMPLES]


def normal(question: str) -> str:
    """Return singular words in order, without politeness, quoted text unchanged; then signs, as in “-5” and “C#”."""
    words = (word.text if word.quoted else singular(word.key) for word in split(question) if word.key not in POLITE)
    return " ".join((*words, *SIGNS.findall(question)))


def day_of(request: Request) -> date:
    return request.asked_at.astimezone(ZoneInfo(request.timezone)).date()


def hangs_on_its_day(question: str, sql: str) -> bool:
    """Whether SQL may depend on the day of its question."""
    if RELATIVE.search(question):
        return any(literal.strip("'") not in question for literal in LITERAL.findall(sql))
    return YEAR.search(sql) is not None and not YEAR.search(question)


def _is_reviewed(answer: Verified, request: Request) -> bool:
    """Whether an answer holds here for everybody: confirmed, or accepted in this channel."""
    return bool(answer.confirmed_by) or answer.place.channel == request.thread.channel


def _holds_for(request: Request, person: str) -> bool:
    """Whether a person's verdicts from elsewhere hold for a request: they are in its channel."""
    try:
        return person == request.user or request.readers.includes(person)
    except SourceUnavailable:
        return False


def _allowed(answer: Verified, database: Database) -> bool:
    try:
        database.check(answer.sql)
    except SqlRefused:
        return False
    return True


def _likeness(asked: frozenset[str], question: str) -> float:
    """The share of the words of both that both have."""
    words = frozenset(telling_stems(question))
    return len(asked & words) / (len(asked | words) or 1)
