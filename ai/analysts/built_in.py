"""The analyst without a model: the reader of `ai.nl2sql` behind the analyst port."""

from collections.abc import Iterator, Sequence

from ai.analysts.follow_ups import look_again, read_on, unanswered, was_said
from ai.analysts.labels import labelled
from ai.analysts.phrasing import by_template
from ai.analysts.port import SQL_QUERY, TAKEN, UNSUPPORTED, AskBack, CannotAnswer, Draft, Proposal, Question, Route
from ai.nl2sql.choose import Choice
from ai.nl2sql.examples import example_questions
from ai.nl2sql.lexicon import lexicon_of
from ai.nl2sql.meaning import from_json, to_json
from ai.nl2sql.reader import Doubt, Reading, reading_of
from ai.nl2sql.sketching import names_something, nothing_unknown
from ai.nl2sql.threads.signals import asks
from ai.nl2sql.threads.unanswered.gap import leans_back, picks
from ai.nl2sql.unspecific import is_unspecific
from ai.results.table import ResultTable

OFFER, ONE_OFFER = "Did you mean one of these?", "Did you mean this?"
AGAIN = "Nor this one: {}"


class BuiltInAnalyst:
    @property
    def name(self) -> str:
        return "built-in reader, no language model"

    def route(self, question: Question) -> Route:
        """Take for a question any message with a name of the data."""
        lexicon = lexicon_of(question.catalog, question.semantics)
        if names_something(question.text, lexicon, question.today):
            return Route(SQL_QUERY, "it names something that the data holds")
        leans = leans_back(question.text) or nothing_unknown(question.text, lexicon, question.today)
        if (leans or picks(question.text)) and unanswered(question):
            return Route(SQL_QUERY, "it leans on a question without an answer")
        if question.past and (leans or isinstance(read_on(question, question.text), Reading)):
            return Route(SQL_QUERY, "it leans on the question before")
        unspecific = is_unspecific(question.text)
        if unspecific or asks(question.text):
            found = read_on(question, question.text)
            if isinstance(found, Reading) or found.asks or (unspecific and found.choices):
                return Route(SQL_QUERY, "it asks after a figure, in other words than the data")
        return Route(UNSUPPORTED, "it names nothing that the data holds")

    def write_sql(self, question: Question) -> Proposal:
        """Read the question, as an edit of the one before where it leans on it."""
        return _proposed(question, read_on(question, question.text))

    def sure(self, question: Question) -> Draft | AskBack | None:
        """Answer or ask back over described data, in a thread read by the reader so far.

        Over other data, a model with other rows is right four times as often (Spider, GPT-4).
        """
        is_described = bool(question.semantics.metrics or question.semantics.terms)
        follows = not question.past or from_json(question.past[0].meaning) is not None
        found = read_on(question, question.text) if is_described and follows else None
        if isinstance(found, Reading) and found.taken:
            return None
        proposal = _proposed(question, found) if found and not (isinstance(found, Doubt) and found.offers) else None
        return None if isinstance(proposal, CannotAnswer) else proposal

    def doubt(self, question: Question, result: ResultTable) -> AskBack | CannotAnswer | None:
        """Judge the reading once more by its result."""
        found = look_again(question, result)
        if found is None:
            return None
        proposal = _proposed(question, found)
        return None if isinstance(proposal, Draft) else proposal

    def repair_sql(self, question: Question, draft: Draft, problem: str) -> Proposal:  # noqa: ARG002
        """Refuse: the rules would write the same SQL again."""
        reason = "I read the question, but the SQL that my rules write for it does not run here; try other words."
        return CannotAnswer(reason, _examples(question))

    def phrase(self, question: Question, draft: Draft, result: ResultTable) -> Iterator[str]:
        return by_template(question, draft, result)


def _proposed(question: Question, found: Reading | Doubt) -> Draft | AskBack | CannotAnswer:
    doubted = found.choices if isinstance(found, Doubt) else ()
    if isinstance(found, Reading):
        assumed = f" ({'; '.join(found.assumptions)})" if found.assumptions else ""
        meaning = to_json(found.meaning)
        kept = {**meaning, TAKEN: found.taken} if found.taken and isinstance(meaning, dict) else meaning
        return Draft(found.sql, found.text + assumed, kept, found.assumptions, confidence=found.confidence)
    found = labelled(question, found)
    if found.asks and len(found.options) == 1 < len(doubted) and (defined := _defined(question, doubted)):
        return _proposed(question, defined)
    if found.asks and len(found.options) > 1:
        return AskBack(found.reason, found.options)
    reason = AGAIN.format(found.reason) if was_said(question, found.reason) else found.reason
    new = () if all(was_said(question, option) for option in found.options) else found.options
    if new and (found.offers or found.asks):
        return AskBack(f"{reason} {OFFER if len(new) > 1 else ONE_OFFER}", new)
    about = found.choices[0].meaning.subject if found.choices else ""
    return CannotAnswer(reason, new or _examples(question, about))


def _defined(question: Question, choices: Sequence[Choice]) -> Reading | None:
    """Return, of two choices alike in words, the one whose figure is defined in place of a plain count."""
    defined = [c.meaning for c in choices if any(figure.function == "metric" for figure in c.meaning.measures)]
    counted = [c.meaning for c in choices if all(figure.function == "count" for figure in c.meaning.measures)]
    if len(defined) != 1 or len(counted) != 1 or defined[0].root != counted[0].root:
        return None
    return reading_of(defined[0], (), lexicon_of(question.catalog, question.semantics), question.today)


def _examples(question: Question, about: str = "") -> tuple[str, ...]:
    """Return questions that have an answer, where the thread has neither seen one nor been told them."""
    if question.past:
        return ()
    found = example_questions(question.catalog, question.today, semantics=question.semantics, about=about)
    return tuple(text for text in found if not was_said(question, text))
