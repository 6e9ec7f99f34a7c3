"""Shows the SQL behind an earlier answer. Reads only."""

import re
from collections.abc import Iterator

from ai.agents.cards import AgentCard, Services, always
from ai.agents.direct_calls import DirectCalls
from ai.agents.port import QuestionEvent, ReplyEvent, SqlEvent, TextEvent, Turn
from ai.agents.tools import ThreadTools
from ai.agents.wishes.polite import POLITE
from ai.analysts.port import Intent
from ai.answers.phrase import literal
from ai.memory.search import ORDINAL, places_of
from ai.types import AnsweredQuery

NARROWED = "Your rights narrow it when it runs: it reads only the rows, and shows only the values, that you may see."
SQL_WISH = re.compile(
    r"^.*?\b(?:sql|query|statement)s?\b(?: statement| query)?"
    r"(?: (?:that |which )?(?:did |do )?(?:you(?:'ve| have)? |was |were |is )?"
    r"(?:used|use|ran|run|wrote|executed|behind))?"
    r"(?: (?:to|for|behind|of|from|when))?"
    r"(?: (?:retrieve|retrieving|get|getting|fetch|find|list|show|count|compute|calculate|answer))?"
    r"(?P<what>.*?)[?.! ]*$",
    re.IGNORECASE,
)
SQL_OF = re.compile(r"\b(?:the|your|that) (?P<what>.+?) (?:sql|query)\b", re.IGNORECASE)
SEVERAL = (
    re.compile(
        r"\b(?:all|both|every|each)\b(?: (?:of|the|your|those|these|my))*(?: \w+)? (?:sqls?|quer(?:y|ies)"
        r"|statements?)\b",
        re.I,
    ),
    re.compile(r"\b(?:the )?(?:last|first) \w+ (?:sqls?|queries|statements)\b", re.I),
)
SHOWN = 10  # statements at most
POINTING = frozenset("this that it last previous latest again here now please me last one the same above".split())


class SqlRetrievalAgent(DirectCalls):
    retrieve = DirectCalls.whole

    def __init__(self, services: Services) -> None:
        super().__init__(services.context)
        self._memory = services.memory
        self._exports = services.exports

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        tools = ThreadTools(self._memory, turn.request.thread, self._exports, self._context.audience, turn.request)
        if (places := sql_places(turn.request.text)) is not None and (found := tools.sql_placed(places)):
            for query in found[-SHOWN:]:
                yield from self._shown(turn, query)
            if rest := len(found) - SHOWN if len(found) > SHOWN else 0:
                yield TextEvent(f"These are the last {SHOWN}; there are {rest} earlier ones.")
            return
        match = tools.get_sql_history_tool(sql_described(turn.request.text))
        if match.query is None:
            questions = tuple(query.question for query in match.candidates)
            asks = tuple(f"show me the SQL for {question}" for question in questions)
            yield QuestionEvent("Which question's SQL do you mean?", questions, asks)
            return
        yield from self._shown(turn, match.query)

    def _shown(self, turn: Turn, query: AnsweredQuery) -> Iterator[ReplyEvent]:
        self._context.audience.note(query, turn.request, rows=False)
        yield TextEvent(f"This SQL answered “{literal(query.question)}”:")
        yield SqlEvent(query.sql, query.question)
        if self._context.audience.narrows(query, turn.request.roles):
            yield TextEvent(NARROWED)


def sql_described(text: str) -> str | None:
    """Return the described query ("the SQL for all the apps" -> "all the apps"), None for the last."""
    for pattern in (SQL_WISH, SQL_OF):
        if (found := pattern.search(text)) and (what := _pointed(found["what"])):
            return what
    return None


def sql_places(text: str) -> tuple[int, ...] | None:
    """Return the places of several answers whose SQL is wanted ("the SQL for both"), None for one answer's."""
    plain = " ".join(text.split())
    said = [found[0] for pattern in SEVERAL if (found := pattern.search(plain))]
    described_ones = [described] if (described := sql_described(plain)) else []
    return next((places for words in (*described_ones, *said) if (places := places_of(words)) is not None), None)


def _pointed(what: str) -> str | None:
    words = what.strip(" ,:").split()
    return " ".join(words) if any(word.lower() not in POINTING for word in words) else None


CARD = AgentCard(
    intent=Intent("sql_retrieval"),
    rank=50,
    quick=always,
    patterns=(
        r"\bsqls?\b|\bselect statements?\b",
        r"\b(?:show|see|give|which|what)\b.*\bquery\b.*\b(?:use[d]?|ran|run|behind|for)\b",
        rf"^{POLITE}(?:show|see|give)(?: me)? (?:the|your|that) (?:(?:last|previous|{ORDINAL}) )?query\b",
        rf"^{POLITE}(?:the )?(?:query|queries)[, ]*(?:please|pls)?\W*$",
        r"\b(?:show|see|give)\b.*\b(?:both|all|the last|the first)\b.*\bqueries\b.*\b(?:used|ran|run|behind|for)\b",
    ),
    examples=("show me the SQL", "show me the SQL for all the apps"),
    gives="the SQL behind an answer",
    told="to see SQL that ran",
    build=SqlRetrievalAgent,
)
