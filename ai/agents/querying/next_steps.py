"""Under an answer: its buttons, and two next questions, none twice in a thread."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from datetime import date
from itertools import islice

from ai.agents.port import ActionsEvent, Turn
from ai.agents.querying.refinements import meaning_of
from ai.agents.question_context import QuestionContext
from ai.errors import NoResult, SourceUnavailable, UserError
from ai.memory_store import MemoryStore
from ai.nl2sql.examples import example_questions
from ai.nl2sql.lexicon import Lexicon, lexicon_of
from ai.nl2sql.meaning import Meaning, Period
from ai.nl2sql.next_questions import MOST, NextQuestion, key_of, next_questions
from ai.nl2sql.reader import Reading, read, reading_of
from ai.nl2sql.refining import BESIDE, SHARE, further, in_words
from ai.results.table import ResultTable, Row
from ai.types import AnsweredQuery

LABELS = {SHARE: "Share of total", BESIDE: "Previous period"}
EXAMPLES = 8  # of the catalogue, tried for two fresh ones
EARLY = 4  # the part of that time, from its beginning, with rows


class NextSteps:
    def __init__(self, memory: MemoryStore, context: QuestionContext, *, suggests: bool) -> None:
        self._memory = memory
        self._context = context
        self._suggests = suggests

    def added(self, found: ActionsEvent, turn: Turn, query: AnsweredQuery, table: ResultTable) -> ActionsEvent:
        """Return the buttons under an answer with those that its meaning and its thread allow."""
        question = self._context.question(turn)
        lexicon = lexicon_of(question.catalog, question.semantics)
        meaning = meaning_of(query, lexicon)
        if meaning is None:
            return found
        more = tuple(self._more(turn, query.id, meaning, table, lexicon))
        asks = tuple(self._asks(turn, query.id, meaning, table, lexicon)) if self._suggests else ()
        return replace(found, more=(*more, *found.more), asks=asks)

    def _more(
        self, turn: Turn, number: int, meaning: Meaning, table: ResultTable, lexicon: Lexicon
    ) -> Iterator[tuple[str, str]]:
        today = self._context.question(turn).today
        is_whole = table.row_count > 1 and not table.truncated
        for part in further(meaning, lexicon, today):
            (option,) = part.options
            if is_whole if part.name == SHARE else self._has_rows_before(turn, option.change(meaning), lexicon, today):
                yield LABELS[part.name], in_words(number, {part.name: [option.name]})

    def _has_rows_before(self, turn: Turn, both: Meaning, lexicon: Lexicon, today: date) -> bool:
        """Whether there is data from the beginning of the time before: else the figures show its lack."""
        base = next(test for test in both.measures[1].where if isinstance(test, Period))
        if not base.start or not base.end:
            return False
        begins = replace(base, end=base.start + (base.end - base.start) / EARLY)
        begins = begins if begins.end != begins.start else base
        one = Meaning(base.field.table, columns=(base.field,), periods=(begins,), limit=1)
        database = self._context.source(turn)
        try:
            with database.run(database.check(reading_of(one, (), lexicon, today).sql)) as stream:
                return any(batch for batch in stream.batches)
        except (UserError, SourceUnavailable):  # a button is not worth failing for
            return False

    def _asks(
        self, turn: Turn, number: int, meaning: Meaning, table: ResultTable, lexicon: Lexicon
    ) -> Iterator[tuple[str, str]]:
        """Yield labels and messages. What was asked or offered before in the thread is worked out anew, not kept."""
        known = {key_of(meaning)}
        for earlier in reversed(self._context.question(turn).past):
            before = meaning_of(earlier, lexicon)
            if before is not None:
                known |= {key_of(before)} | {
                    step.key for step in self._led_to(turn, before, self._rows(earlier), known, lexicon)
                }
        for step in self._led_to(turn, meaning, table.rows, known, lexicon):
            label = step.label or step.text
            yield f"{label.rstrip('?')}?", step.text or in_words(number, step.picks)

    def _led_to(
        self, turn: Turn, meaning: Meaning, rows: Sequence[Row], known: Set[Meaning], lexicon: Lexicon
    ) -> tuple[NextQuestion, ...]:
        question = self._context.question(turn)
        found = next_questions(meaning, rows, lexicon, question.today, known)
        if found or meaning.measures:
            return found
        texts = example_questions(question.catalog, question.today, EXAMPLES, question.semantics, meaning.root)
        readings = (
            (text, read(text, question.catalog, question.today, semantics=question.semantics)) for text in texts
        )
        asked = (NextQuestion({}, one.meaning, text=text) for text, one in readings if isinstance(one, Reading))
        return tuple(islice((step for step in asked if step.key not in known), MOST))

    def _rows(self, query: AnsweredQuery) -> Sequence[Row]:
        try:
            return self._memory.result(query).rows
        except NoResult:
            return ()
