"""The one search: behind the history tools, the HTTP search and the context of a prompt.

Words are looked up in the index, and in the texts that it does not know yet, so what was just said is found. Whatever
stands literally in a text is found as well, if it is only a piece of a word; where an index cannot tell, the texts are
looked through, for a bounded time.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from time import monotonic

from sqlalchemy import Connection, Engine

from ai.memory.log import messages as log
from ai.memory.log import threads
from ai.memory.log.database import deriving, reading, settle
from ai.memory.search import documents, ranking
from ai.memory.search.context import chosen
from ai.memory.search.documents import Area, Document, Patience
from ai.memory.search.index import Index, repeating
from ai.memory.search.ranking import AUTHOR, DATE, LITERAL, Fit
from ai.memory.search.scope import QUERY_BIT, Found, Hit, Scope
from ai.memory.search.wish import Wish, stemmer, stems_in, wish_of, words_in
from ai.types import LoggedMessage, ThreadKey

NEWEST = 2000  # documents of a thread with a word that are weighed: of a common word the newest tell enough
NEWEST_OF_MANY = 800  # the same, where many threads are searched
READ = 20, 5  # best documents whose text is read: so many, and so many for each that is wanted
WAITING = 2000  # documents without an index that are looked through for words
INNER = 200  # documents with the inner words of a literal that are looked at
SHORT = 20_000  # documents of an area that is looked through for a literal each time
SECONDS = 2.0  # for looking through texts
BATCH = 64  # documents indexed in one transaction: appends wait for it
SMALLEST = 20  # tokens of a small message as a prompt shows it
UNFIT = Fit(0, 0, own=False)


@dataclass(frozen=True, slots=True)
class Search:
    """The search of one store. `clock` gives seconds; it is looked at after every `chunk` texts that are looked through."""

    engine: Engine
    index: Index
    clock: Callable[[], float] = monotonic
    seconds: float = SECONDS
    chunk: int = 50_000

    def find(self, text: str, scope: Scope, limit: int = 5, *, around: bool = False) -> Found:
        """The documents that fit a text best, best first; with `around` also what only stands next to such.

        `text` in quotation marks: only what has exactly this in it. Nothing fits a text without words.
        """
        wish = wish_of(text)
        with reading(self.engine) as connection:
            area = documents.area_of(connection, scope)
            if area is None or not (wish.words or wish.pairs or wish.literal):
                return Found()
            ends = self.clock() + self.seconds
            patience = Patience(lambda: self.clock() < ends, self.chunk)
            run = _Run(self.index, connection, area, wish, patience)
            return run.found(limit, around=around)

    def said(self, scope: Scope, limit: int, *, last: bool = False) -> tuple[tuple[LoggedMessage, ...], int]:
        """The first messages of the scope, or the last ones, oldest first, and how many it has in all."""
        with reading(self.engine) as connection:
            area = documents.area_of(connection, scope)
            found, total = documents.dated(connection, area, limit, last=last) if area else ([], 0)
        return tuple(each.found for each in found if isinstance(each.found, LoggedMessage)), total

    def context(
        self,
        thread: ThreadKey,
        text: str,
        budget: int,
        size: Callable[[LoggedMessage], int],
        except_turn: str | None = None,
    ) -> tuple[LoggedMessage, ...]:
        """What a prompt about `text` holds of a thread: the last messages and those that fit, oldest first, within `budget`.

        `size` says how many tokens a message takes as it is shown. `except_turn` is the question's own turn.
        """
        scope, most = Scope(thread, except_turn=except_turn), budget // SMALLEST
        with reading(self.engine) as connection:
            known = threads.find(connection, thread)
            newest = log.latest_said(connection, known, most, except_turn) if known else []
        recent = chosen(newest, (), budget, size)
        if len(recent) == len(newest) < most:  # the whole thread is there, so there is nothing to look for
            return recent
        return chosen(newest, self.find(text, scope, most, around=True).messages, budget, size)

    def catch_up(self) -> int:
        """Index everything that waits, in transactions so small that no append has to wait long. How many there were."""
        indexed = 0
        while done := self.step():
            indexed += done
        return indexed

    def step(self) -> int:
        """Index a few of the documents that wait, and give how many that were."""
        with reading(self.engine) as connection:
            if not self.index.is_behind(connection):
                return 0
        with deriving(self.engine) as connection:
            return self.index.catch_up(connection, BATCH)

    def keeping_up(self) -> AbstractContextManager[None]:
        """Keep the index close behind the log inside the block, and the files of the store settled."""
        return repeating(self._keep_up)

    def _keep_up(self) -> int:
        done = self.step()
        if done:
            settle(self.engine)
        return done

    def purge(self, connection: Connection) -> None:
        """Leave no trace of deleted texts in the index, in the transaction that deleted them."""
        self.index.purge(connection)


@dataclass(frozen=True, slots=True)
class _Run:
    """One search."""

    index: Index
    connection: Connection
    area: Area
    wish: Wish
    patience: Patience

    def found(self, limit: int, *, around: bool) -> Found:
        """Look up, weigh, read the best, and look through the texts where that may find more."""
        pieces, cut_short = self._pieces(self.wish.pairs, NEWEST) if self.wish.pairs else ([], False)
        alone = QUERY_BIT if around or self.area.thread_id is not None else None  # a conversation is one thread
        fits = ranking.fits(self._having(pieces), self.area.size, alone)
        read = documents.read(self.connection, self.area, list(ranking.best(fits, READ[0] + READ[1] * limit)))
        literal, partial = self._literal(read, limit)
        every = {document.number: document for document in (*read, *literal)}
        hits = [self._hit(document, fits.get(number, UNFIT)) for number, document in every.items()]
        fitting = (hit for hit in hits if hit.literal or (not self.wish.only_literal and (around or hit.own)))
        ranked = sorted(fitting, key=lambda hit: (-hit.score, -hit.found.created_at.timestamp()))
        return Found(tuple(ranked[:limit]), cut_short or partial)

    def _having(self, pieces: Sequence[Document]) -> dict[str, set[int]]:
        """The documents with each word, and with each pair of characters."""
        words, stem = self.wish.words, stemmer()
        most = NEWEST if self.area.thread_id is not None else NEWEST_OF_MANY
        having = {word: self._indexed(word, most) for word in words}
        for document in self.index.waiting(self.connection, self.area, WAITING) if words else ():
            stems = stems_in(document.text, stem)
            for word in words:
                if stem(word) in stems:
                    having[word].add(document.number)
        for pair in self.wish.pairs:
            having[pair] = {document.number for document in pieces if pair in document.text.lower()}
        return having

    def _indexed(self, word: str, most: int) -> set[int]:
        numbers = self.index.having(self.connection, word, self.area, most)
        if "query" not in self.area.scope.kinds:
            return set(numbers)
        return {number & (2 * QUERY_BIT - 1) if number & QUERY_BIT else number for number in numbers}

    def _literal(self, read: Sequence[Document], limit: int) -> tuple[Sequence[Document], bool]:
        """Documents that have the literal text in them, and whether time ran out. What an index can tell is not looked for."""
        literal, words = self.wish.literal, list(words_in(self.wish.literal))
        if not literal:
            return (), False
        if self.area.thread_id is not None and self.area.size <= SHORT:
            return self._pieces([literal], limit)
        inner = " ".join(words[1:-1])  # the outer ones may be cut off
        if inner:
            numbers = self.index.having(self.connection, inner, self.area, INNER)
            return [each for each in documents.read(self.connection, self.area, numbers) if self._has(each)], False
        if sum(map(self._has, read)) >= (limit if self.wish.only_literal else 1):
            return (), False
        return self._pieces([literal], limit)

    def _pieces(self, needles: Sequence[str], most: int) -> tuple[list[Document], bool]:
        found = list(documents.look_through(self.connection, self.area, needles, most, self.patience))
        return [document for document in found if document is not None], None in found

    def _has(self, document: Document) -> bool:
        return bool(self.wish.literal) and self.wish.literal.lower() in document.text.lower()

    def _hit(self, document: Document, fit: Fit) -> Hit:
        score = fit.score + (LITERAL if (literal := self._has(document)) else 0)
        author, at = set(words_in(document.author)), document.at
        date = {str(at.day), f"{at:%B}".lower(), str(at.year)}
        score += sum(AUTHOR * (word in author) + DATE * (word in date) for word in self.wish.words)
        return Hit(document.found, score, fit.share, literal, fit.own)
