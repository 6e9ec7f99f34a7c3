"""The analyst without a model: the reader of `ai.nl2sql` behind the analyst port."""

from collections.abc import Iterator
from dataclasses import asdict

from ai.analysts.port import SQL_QUERY, UNSUPPORTED, AskBack, CannotAnswer, Draft, Proposal, Question, Route
from ai.answers.phrase import Asked, phrase
from ai.nl2sql.describe import describe
from ai.nl2sql.examples import example_questions
from ai.nl2sql.lexicon import lexicon_of
from ai.nl2sql.meaning import Meaning, from_json, to_json
from ai.nl2sql.reader import Doubt, Reading, read, start
from ai.results.table import ResultTable


class BuiltInAnalyst:
    @property
    def name(self) -> str:
        return "built-in reader, no language model"

    def route(self, question: Question) -> Route:
        """Route to a query when the reader knows a word, or the message leans on the last question."""
        previous = _previous(question)
        lexicon = lexicon_of(question.catalog, question.semantics)
        parse = start(question.text, lexicon, question.today, previous)
        if any(chunk.senses for chunk in parse.chunks):
            return Route(SQL_QUERY, "it names something that the data holds")
        if previous and not any(chunk.unknown for chunk in parse.chunks):
            return Route(SQL_QUERY, "it leans on the question before")
        return Route(UNSUPPORTED, "it names nothing that the data holds")

    def write_sql(self, question: Question) -> Proposal:
        """Read the question, or edit the previous one."""
        found = _read(question, question.text, _previous(question))
        if isinstance(found, Reading):
            assumed = f" ({'; '.join(found.assumptions)})" if found.assumptions else ""
            return Draft(found.sql, found.text + assumed, to_json(found.meaning), found.assumptions)
        return self._refusal(question, found)

    def _refusal(self, question: Question, doubt: Doubt) -> Proposal:
        options = tuple(o for o in doubt.options if isinstance(_read(question, o), Reading))
        if len(options) > 1:
            return AskBack(doubt.reason, options)
        return CannotAnswer(doubt.reason, _examples(question))

    def repair_sql(self, question: Question, draft: Draft, problem: str) -> Proposal:  # noqa: ARG002
        """Refuse: the rules would write the same SQL again."""
        reason = "I read the question, but the SQL that my rules write for it does not run here; try other words."
        return CannotAnswer(reason, _examples(question))

    def phrase(self, question: Question, draft: Draft, result: ResultTable) -> Iterator[str]:
        meaning = from_json(draft.meaning)
        if meaning is None:
            return phrase(Asked("list", "rows", "row"), result)
        return phrase(Asked(**asdict(describe(meaning, question.catalog, question.semantics))), result)


def _previous(question: Question) -> Meaning | None:
    return from_json(question.past[0].meaning) if question.past else None


def _read(question: Question, text: str, previous: Meaning | None = None) -> Reading | Doubt:
    return read(text, question.catalog, question.today, previous, question.semantics)


def _examples(question: Question) -> tuple[str, ...]:
    return example_questions(question.catalog, question.today, semantics=question.semantics)
