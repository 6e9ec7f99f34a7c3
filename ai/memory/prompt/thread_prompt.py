"""Builds the thread part of prompts and replies: the one way from a thread into either.

Shares of the budget go to the newest whole turns, the compressed past, decisions, results at hand and archives; the
search for the question takes the rest.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from json import dumps

from ai.language.words import telling_stems
from ai.memory.archives import parse
from ai.memory.log import messages as log
from ai.memory.log import queries, segments, threads
from ai.memory.log.database import reading
from ai.memory.log.segments import ARCHIVE, Segment
from ai.memory.prompt.thread_part import Place, ThreadLine, ThreadPart
from ai.memory.search import Scope, Search
from ai.memory.views import Conversations, Windows
from ai.types import AnsweredQuery, Json, LoggedMessage, ThreadKey

RECENT, EARLIER, DECIDED, RESULTS, ARCHIVES = 0.2, 0.3, 0.2, 0.12, 0.1  # of the budget, at most
USUAL = 800  # tokens of a budget; of a larger one the search has what is more
DECISIONS = 200  # newest decisions of a thread that are weighed
STANDING = 3  # of them in a usual prompt though they share no word with the question
SMALLEST = 20  # tokens of a small line
AROUND = 18  # tokens of a line besides the words
LONGEST = 120  # tokens of a message that the search found
NEWEST = 3  # results at hand
LAST_QUERY = 300  # most tokens of the last query, which stands in a prompt by itself
OF_THE_BOT = 0.6  # how much a found answer counts beside what people said
KEPT_AS = re.compile(r", kept as mem://[^\s)]+")  # of use to whoever loads it, not to a prompt
Heard = Callable[[Iterable[LoggedMessage]], tuple[LoggedMessage, ...]]


@dataclass(frozen=True, slots=True)
class Material:
    """What a thread holds for a prompt, read in one transaction."""

    earlier: tuple[LoggedMessage, ...]
    boundary: int  # turns up to it are told by `earlier`
    is_first: bool  # nothing but the turn itself was said
    decisions: tuple[LoggedMessage, ...]
    archives: tuple[Segment, ...]
    results: tuple[AnsweredQuery, ...]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What `build` was asked for."""

    thread: ThreadKey
    question: str
    before_turn: str | None
    budget: int
    heard: Heard
    past: Callable[[], Sequence[AnsweredQuery]] | None


@dataclass(frozen=True, slots=True)
class ThreadPrompt:
    conversations: Conversations
    windows: Windows
    search: Search

    def build(
        self,
        thread: ThreadKey,
        question: str,
        *,
        before_turn: str | None = None,
        budget: int | None = None,
        heard: Heard = tuple,
        past: Callable[[], Sequence[AnsweredQuery]] | None = None,
    ) -> ThreadPart:
        """Return what a prompt about `question` holds of a thread, before a turn if one is given.

        `heard` drops messages the reader may not hear; `past` gives the queries they may see, newest first, by default
        those of the thread.
        """
        most = self.conversations.limits.prompt if budget is None else budget
        asked = _Asked(thread, question, before_turn, most, heard, past)
        recent = heard(self._recent(thread, before_turn))
        return ThreadPart(recent, most, partial(self._lines, asked, recent))

    def _lines(self, asked: _Asked, recent: Sequence[LoggedMessage]) -> tuple[ThreadLine, ...]:
        material = self._material(asked)
        if material is None:
            return ()
        heard, budget = asked.heard, asked.budget
        chosen = _Chosen(self.conversations.count, budget - self._last_query(material.results))
        chosen.said.update(query.question for query in material.results[:1])
        usual = min(budget, USUAL)
        share = int(RECENT * usual)
        kept = [message for message in recent if message.seq > material.boundary]
        chosen.take(map(chosen.words, self.windows.fitted(asked.thread, kept, share, AROUND)[::-1]), share)
        chosen.take(chosen.archived(material.archives), int(ARCHIVES * usual))
        chosen.take(chosen.earlier(heard(material.earlier), int(EARLIER * usual)), int(EARLIER * usual))
        decisions = _related(material.decisions, asked.question, STANDING if budget <= USUAL else 0)
        chosen.take(map(chosen.words, heard(decisions)), int(DECIDED * usual))
        chosen.take(map(chosen.result, material.results), int(RESULTS * usual))
        if not material.is_first:
            chosen.take(map(chosen.words, heard(self._found(asked))), budget)
        return tuple(chosen.lines)

    def of(self, messages: Sequence[LoggedMessage]) -> ThreadPart:
        """Return what a prompt holds of messages a caller hands over: the newest that fit."""
        budget = self.conversations.limits.prompt
        chosen = _Chosen(self.conversations.count, budget)
        chosen.take(map(chosen.words, reversed(messages)), budget)
        return ThreadPart(tuple(messages), budget, lambda: tuple(chosen.lines))

    def _material(self, asked: _Asked) -> Material | None:
        thread, before_turn = asked.thread, asked.before_turn
        with reading(self.conversations.engine) as connection:
            row = threads.find(connection, thread)
            if row is None:
                return None
            before = None if before_turn is None else log.turn_seq(connection, row, before_turn)
            earlier, boundary = self.conversations.viewer.past(connection, row, before)
            known = asked.past() if asked.past else queries.answered(connection, thread, NEWEST, before_turn)
            archives = segments.of_thread(connection, row, ARCHIVE) if row.archives else []
            return Material(
                earlier=earlier,
                boundary=boundary,
                is_first=before == row.last_seq == 1,
                decisions=tuple(log.remarked(connection, row, "decision", DECISIONS, before_turn)),
                archives=tuple(archive for archive in archives if archive.state == "live"),
                results=tuple(known[:NEWEST]),
            )

    def _recent(self, thread: ThreadKey, before_turn: str | None) -> Iterator[LoggedMessage]:
        """Return the window without the turn itself, whatever was said after it, and placeholders."""
        window = self.windows.read(thread).messages
        if before_turn is not None and all(message.turn_id != before_turn for message in window):
            window = self.windows.read(thread, before_turn=before_turn).messages
        before = takewhile(lambda message: message.turn_id != before_turn, window)
        return (message for message in before if not segments.is_summary(message))

    def _found(self, asked: _Asked) -> Iterator[LoggedMessage]:
        scope = Scope(asked.thread, except_turn=asked.before_turn)
        hits = self.search.find(asked.question, scope, max(1, asked.budget // SMALLEST), around=True).hits
        ranked = sorted(hits, key=lambda hit: -hit.score * (OF_THE_BOT if _is_of_the_bot(hit.found) else 1))
        return (hit.found for hit in ranked if isinstance(hit.found, LoggedMessage))

    def _last_query(self, results: Sequence[AnsweredQuery]) -> int:
        """Return the tokens of the last query, which its prompt shows itself."""
        count = self.conversations.count
        return sum(min(count(query.question) + count(query.sql) + AROUND, LAST_QUERY) for query in results[:1])


class _Chosen:
    """Lines taken so far, none twice."""

    def __init__(self, count: Callable[[str], int], left: int) -> None:
        self.count = count
        self.left = left
        self.lines: list[ThreadLine] = []
        self.said: set[str] = set()

    def take(self, candidates: Iterable[ThreadLine], most: int) -> None:
        """Take lines while they fit; a line too long makes room for shorter ones."""
        left = min(most, self.left)
        for line in candidates:
            words = line.message.content if line.message else ""
            if words in self.said or line.tokens > left:
                continue
            self.lines.append(line)
            self.said.update([words] if words else ())
            left, self.left = left - line.tokens, self.left - line.tokens
            if left < SMALLEST // 2:
                return

    def words(self, message: LoggedMessage) -> ThreadLine:
        content = message.content
        if message.tokens > LONGEST and "shortened, " not in content:
            content = self._clipped(content, LONGEST)
        who = f"{message.author} {message.created_at.day} {message.created_at:%b %Y}"
        return self._line("said", {who: content}, message, of_people=message.role == "user")

    def earlier(self, lines: Sequence[LoggedMessage], most: int) -> Iterator[ThreadLine]:
        """Yield the compressed past: the first line has the beginning or the summary, then the newest come first."""
        for line in (*lines[:1], *lines[:0:-1]):
            words = self._clipped(KEPT_AS.sub("", line.content), most - AROUND)
            yield self._line("earlier", {"earlier": words}, line)

    def archived(self, archives: Sequence[Segment]) -> Iterator[ThreadLine]:
        for archive in reversed(archives):
            shown = parse(archive.lines[0].text) if archive.lines else None
            about = shown.summary if shown else ""
            yield self._line("archived", {"archive": archive.handle, "messages": archive.messages, "about": about})

    def result(self, query: AnsweredQuery) -> ThreadLine:
        fields: dict[str, Json] = {"result": f"q{query.id}", "rows": query.row_count, "found": query.headline}
        if query.question not in self.said:
            fields["question"] = query.question
        return self._line("result", fields)

    def _line(
        self, place: Place, fields: dict[str, Json], message: LoggedMessage | None = None, *, of_people: bool = False
    ) -> ThreadLine:
        told = {name: value for name, value in fields.items() if value not in ("", None)}
        return ThreadLine(place, told, self.count(dumps(told, ensure_ascii=False)) + 1, of_people, message)

    def _clipped(self, text: str, tokens: int) -> str:
        size = self.count(text)
        return text if size <= tokens else f"{text[: max(1, len(text) * tokens // size - 1)]}…"


def _related(decisions: Sequence[LoggedMessage], question: str, others: int) -> Sequence[LoggedMessage]:
    """Return the decisions with words of a question, those with most first, then a few newest others."""
    asked = frozenset(telling_stems(question))
    shared = {message.seq: len(asked.intersection(telling_stems(message.content))) for message in decisions}
    related = sorted((each for each in decisions if shared[each.seq]), key=lambda each: -shared[each.seq])
    return [*related, *[each for each in decisions if not shared[each.seq]][:others]]


def _is_of_the_bot(found: object) -> bool:
    return isinstance(found, LoggedMessage) and found.role == "assistant"
