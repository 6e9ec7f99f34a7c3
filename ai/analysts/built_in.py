"""The analyst without a model: the reader of `ai.nl2sql` behind the analyst port."""

from collections.abc import Iterator, Sequence

from ai.analysts.phrasing import by_template
from ai.analysts.port import SQL_QUERY, UNSUPPORTED, AskBack, CannotAnswer, Draft, Proposal, Question, Route
from ai.language.questions import split
from ai.language.spelling import likeness
from ai.nl2sql.examples import example_questions
from ai.nl2sql.grammar import signs
from ai.nl2sql.lexicon import lexicon_of
from ai.nl2sql.meaning import Meaning, from_json, to_json
from ai.nl2sql.reader import Doubt, Reading, read, start
from ai.results.table import ResultTable

_SURE = 0.6  # below it a description is too far from every option
_AHEAD = 0.1  # how much better than the next one the best option must be
_ALIKE = 82.0  # likeness from which two stems are the same word, misspelt
_ASKING = frozenset({"queri", "sql", "result", "question", "answer"})


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
        return by_template(question, draft, result)

    def choose(self, description: str, options: Sequence[str]) -> int | None:
        """Return the option with most of the description's words, when clearly ahead."""
        wanted = _content(description)
        scores = sorted(((_share(wanted, option), -at) for at, option in enumerate(options)), reverse=True)
        if not wanted or not scores or scores[0][0] < _SURE:
            return None
        if len(scores) > 1 and scores[0][0] - scores[1][0] < _AHEAD:
            return None
        return -scores[0][1]


def _previous(question: Question) -> Meaning | None:
    return from_json(question.past[0].meaning) if question.past else None


def _read(question: Question, text: str, previous: Meaning | None = None) -> Reading | Doubt:
    return read(text, question.catalog, question.today, previous, question.semantics)


def _examples(question: Question) -> tuple[str, ...]:
    return example_questions(question.catalog, question.today, semantics=question.semantics)


def _content(text: str) -> list[str]:
    return [word.stem or word.key for word in split(text) if (word.key,) not in signs() and word.stem not in _ASKING]


def _share(wanted: Sequence[str], option: str) -> float:
    held = [word.stem or word.key for word in split(option)]
    found = [max((likeness(want, have) for have in held), default=0.0) for want in wanted]
    return sum(score for score in found if score >= _ALIKE) / (100 * len(wanted)) if wanted else 0.0
