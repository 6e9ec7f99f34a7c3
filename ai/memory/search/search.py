"""The one search: behind history tools, HTTP and prompts.

Literal text is found even inside a word; where an index cannot tell, texts are looked through for a bounded time.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from time import monotonic

from sqlalchemy import Connection, Engine, select

from ai.language.words import index_stem, words_in
from ai.memory.embeddings import Vectors
from ai.memory.log import messages as log
from ai.memory.log import threads
from ai.memory.log.database import deriving, reading, settle
from ai.memory.log.messages import Span
from ai.memory.log.tables import MESSAGE
from ai.memory.search import documents, ranking
from ai.memory.search.documents import Area, Document, TimeLimit
from ai.memory.search.index import Index, repeating
from ai.memory.search.ranking import AUTHOR, DATE, LITERAL, Fit
from ai.memory.search.scope import QUERY_BIT, Found, Hit, Scope
from ai.memory.search.terms import SearchTerms, stems_in, terms_of
from ai.types import LoggedMessage, ThreadKey

NEWEST = 2000  # documents of a thread with a word that are weighed: of a common word the newest tell enough
NEWEST_OF_MANY = 800  # the same, where many threads are searched
READ = 20, 5  # best documents whose text is read: so many, and so many for each that is wanted
WAITING = 2000  # documents without an index that are looked through for words
INNER = 200  # documents with the inner words of a literal that are looked at
SHORT = 20_000  # documents of an area that is looked through for a literal each time
SECONDS = 2.0  # for looking through texts
BATCH = 64  # documents indexed in one transaction: appends wait for it
MEANING = 0.15  # what the same meaning adds, as a share of the best score by words
UNFIT = Fit(0, 0, own=False)


@dataclass(frozen=True, slots=True)
class Search:
    """`clock` gives seconds, checked after every `chunk` texts. `vectors` also find other words for the same."""

    engine: Engine
    index: Index
    clock: Callable[[], float] = monotonic
    seconds: float = SECONDS
    chunk: int = 50_000
    vectors: Vectors | None = None

    def find(self, text: str, scope: Scope, limit: int = 5, *, around: bool = False) -> Found:
        """Return the best documents; with `around` also neighbours of a match.

        Text in quotation marks must stand in a document exactly.
        """
        terms = terms_of(text)
        if not (terms.words or terms.pairs or terms.literal):
            return Found()
        alike = {} if terms.only_literal else self._alike(text, scope)
        with reading(self.engine) as connection:
            area = documents.area_of(connection, scope)
            if area is None:
                return Found()
            ends = self.clock() + self.seconds
            time_limit = TimeLimit(lambda: self.clock() < ends, self.chunk)
            run = _SearchRun(self.index, connection, area, terms, time_limit, alike)
            return run.found(limit, around=around)

    def _alike(self, text: str, scope: Scope) -> dict[int, float]:
        """Return the cosines of the newest messages about the same; they may take a moment to be made."""
        if self.vectors is None or scope.within is not None:
            return {}
        with reading(self.engine) as connection:
            area = documents.area_of(connection, scope)
        return self.vectors.alike(text, documents.newest_messages(area, _weighed(area))) if area else {}

    def said(self, scope: Scope, limit: int, *, last: bool = False) -> tuple[tuple[LoggedMessage, ...], int]:
        """Return the first or last messages of the scope, oldest first, and the count of all."""
        with reading(self.engine) as connection:
            area = documents.area_of(connection, scope)
            found, total = documents.dated(connection, area, limit, last=last) if area else ([], 0)
        return tuple(each.found for each in found if isinstance(each.found, LoggedMessage)), total

    def catch_up(self) -> int:
        """Index everything waiting in small transactions; return how many documents."""
        indexed = 0
        while done := self.step():
            indexed += done
        return indexed

    def step(self) -> int:
        with reading(self.engine) as connection:
            if not self.index.is_behind(connection):
                return 0
        with deriving(self.engine) as connection:
            return self.index.catch_up(connection, BATCH)

    def keeping_up(self) -> AbstractContextManager[None]:
        """Keep the index close behind the log inside the block."""
        return repeating(self._keep_up)

    def _keep_up(self) -> int:
        done = self.step()
        if done:
            settle(self.engine)
        return done


@dataclass(frozen=True, slots=True)
class Transcripts:
    """Conversations word for word, also where a view folds or clears them."""

    engine: Engine
    search: Search

    def newest(self, key: ThreadKey, limit: int) -> tuple[LoggedMessage, ...]:
        return self.page(key, limit)[0]

    def page(
        self, key: ThreadKey, limit: int, before: str | None = None
    ) -> tuple[tuple[LoggedMessage, ...], str | None]:
        """Return the newest messages, or those before a cursor, oldest first, and the cursor of earlier ones."""
        with reading(self.engine) as connection:
            thread = threads.find(connection, key)
            if thread is None:
                return (), None
            place = log.LogPosition(*map(int, before.split("."))) if before else None
            found = log.before(connection, Span(replace(thread, cleared_seq=0)), place, limit + 1)
        shown = found[:limit][::-1]
        earlier = f"{shown[0].place.turn_seq}.{shown[0].place.seq}" if len(found) > limit else None
        return tuple(item.message for item in shown), earlier

    def reply(self, turn_id: str) -> str | None:
        own = (MESSAGE.c.turn_id == turn_id) & (MESSAGE.c.role == "assistant") & MESSAGE.c.deleted_at.is_(None)
        with reading(self.engine) as connection:
            parts = connection.execute(select(MESSAGE.c.content).where(own).order_by(MESSAGE.c.seq)).scalars().all()
        return "\n\n".join(parts) if parts else None

    def find(self, key: ThreadKey, text: str, limit: int) -> tuple[tuple[LoggedMessage, ...], bool]:
        """Return the best messages of a thread, and whether time ran out."""
        found = self.search.find(text, Scope(thread=key), limit)
        return found.messages, found.partial


@dataclass(frozen=True, slots=True)
class _SearchRun:
    index: Index
    connection: Connection
    area: Area
    terms: SearchTerms
    time_limit: TimeLimit
    alike: Mapping[int, float] = field(default_factory=dict)

    def found(self, limit: int, *, around: bool) -> Found:
        pieces, cut_short = self._pieces(self.terms.pairs, NEWEST) if self.terms.pairs else ([], False)
        alone = QUERY_BIT if around or self.area.thread_id is not None else None  # a conversation is one thread
        fits = ranking.fits(self._having(pieces), self.area.size, alone)
        most = READ[0] + READ[1] * limit
        near = sorted(self.alike, key=self.alike.__getitem__, reverse=True)[:most]
        numbers = dict.fromkeys([*ranking.best(fits, most), *near])
        read = documents.read(self.connection, self.area, list(numbers))
        literal, partial = self._literal(read, limit)
        every = {document.number: document for document in (*read, *literal)}
        hits = self._in_meaning([self._hit(document, fits.get(number, UNFIT)) for number, document in every.items()])
        fitting = (
            hit for hit in hits if hit.literal or (not self.terms.only_literal and (around or hit.own or hit.alike))
        )
        ranked = sorted(fitting, key=lambda hit: (-hit.score, -hit.found.created_at.timestamp()))
        return Found(tuple(ranked[:limit]), cut_short or partial)

    def _in_meaning(self, hits: Sequence[Hit]) -> Sequence[Hit]:
        best = max((hit.score for hit in hits), default=0) or 1
        return [replace(hit, score=hit.score + MEANING * best * hit.alike) for hit in hits] if self.alike else hits

    def _having(self, pieces: Sequence[Document]) -> dict[str, set[int]]:
        words = self.terms.words
        most = _weighed(self.area)
        having = {word: self._indexed(word, most) for word in words}
        for document in self.index.waiting(self.connection, self.area, WAITING) if words else ():
            stems = stems_in(document.text)
            for word in words:
                if index_stem(word) in stems:
                    having[word].add(document.number)
        for pair in self.terms.pairs:
            having[pair] = {document.number for document in pieces if pair in document.text.lower()}
        return having

    def _indexed(self, word: str, most: int) -> set[int]:
        numbers = self.index.having(self.connection, word, self.area, most)
        if "query" not in self.area.scope.kinds:
            return set(numbers)
        return {number & (2 * QUERY_BIT - 1) if number & QUERY_BIT else number for number in numbers}

    def _literal(self, read: Sequence[Document], limit: int) -> tuple[Sequence[Document], bool]:
        literal, words = self.terms.literal, list(words_in(self.terms.literal))
        if not literal:
            return (), False
        if self.area.thread_id is not None and self.area.size <= SHORT:
            return self._pieces([literal], limit)
        inner = " ".join(words[1:-1])  # the outer ones may be cut off
        if inner:
            numbers = self.index.having(self.connection, inner, self.area, INNER)
            return [each for each in documents.read(self.connection, self.area, numbers) if self._has(each)], False
        if sum(map(self._has, read)) >= (limit if self.terms.only_literal else 1):
            return (), False
        return self._pieces([literal], limit)

    def _pieces(self, needles: Sequence[str], most: int) -> tuple[list[Document], bool]:
        found = list(documents.look_through(self.connection, self.area, needles, most, self.time_limit))
        return [document for document in found if document is not None], None in found

    def _has(self, document: Document) -> bool:
        return bool(self.terms.literal) and self.terms.literal.lower() in document.text.lower()

    def _hit(self, document: Document, fit: Fit) -> Hit:
        score = fit.score + (LITERAL if (literal := self._has(document)) else 0)
        author, at = set(words_in(document.author)), document.at
        date = {str(at.day), f"{at:%B}".lower(), str(at.year)}
        score += sum(AUTHOR * (word in author) + DATE * (word in date) for word in self.terms.words)
        return Hit(document.found, score, fit.share, literal, fit.own, self.alike.get(document.number, 0))


def _weighed(area: Area) -> int:
    """Return how many documents of an area are weighed."""
    return NEWEST if area.thread_id is not None else NEWEST_OF_MANY
