"""Declines messages about nothing in the data. A refused question is kept: no follow-up passes it."""

import re
from collections.abc import Iterator

from ai.agents.cards import AgentCard, Services
from ai.agents.port import ReplyEvent, TextEvent, Turn
from ai.agents.suggestions import suggestions, things
from ai.analysts.port import UNSUPPORTED
from ai.answers.naming import abridged
from ai.answers.phrase import literal
from ai.language.words import COMMON, WORD, telling_stems
from ai.memory_store import QueryOrigin
from ai.nl2sql.unspecific import is_unspecific
from ai.nl2sql.vocabulary import words_of

QUESTION = re.compile(
    r".*\?\W*$|(?:how|which|what|who|when|where|show|list|count|give|compare|find)\b", re.IGNORECASE | re.DOTALL
)
NOT_ABOUT_DATA = "I answer questions about the data ({0}), and this does not look like one."
NOTHING_FOUND = "I find nothing in the data for {1}; it is about {0}."
TOO_BROAD = "That is broad, so name a figure and I answer it; the data is about {0}."
NOT_A_FOLLOW_UP = "I cannot tell what this asks, or what it changes about the answer before; please ask it in full."
WORDS, TABLES = 3, 5  # named at most


class UnsupportedAgent:
    def __init__(self, services: Services) -> None:
        self._context = services.context
        self._memory = services.memory
        self._analyst = services.analyst.name

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        text = turn.request.text
        about = abridged(things(self._context.question(turn)), TABLES) or "nothing yet"
        if is_unspecific(text):
            reason = TOO_BROAD.format(about)
        elif QUESTION.match(text) and (words := unknown_words(text)):
            reason = NOTHING_FOUND.format(about, " or ".join(f"“{literal(word)}”" for word in words))
            self._keep(turn, reason)
        elif self._context.past(turn):
            reason = NOT_A_FOLLOW_UP
        else:
            reason = NOT_ABOUT_DATA.format(about)
        yield TextEvent(f"{reason}\n\n{suggestions(self._context, turn)}")

    def _keep(self, turn: Turn, reason: str) -> None:
        request = turn.request
        origin = QueryOrigin(request.thread, request.turn_id, "route", request.source, request.text, self._analyst)
        self._memory.save_refusal(origin, reason, ())


def unknown_words(text: str) -> tuple[str, ...]:
    """Return the first telling words of a question in English, none of one in another language."""
    words = WORD.findall(text)
    known = COMMON.union(*(line.split() for line in words_of("time")))
    telling = [word for word in words if word.lower() not in known and telling_stems(word)]
    return tuple(telling[:WORDS]) if len(telling) < len(words) else ()


CARD = AgentCard(
    intent=UNSUPPORTED,
    rank=120,
    gives="questions that work, for a message about nothing in the data",
    told="anything else",
    in_help=False,
    build=UnsupportedAgent,
)
