"""The analyst without a model: the reader of `ai.nl2sql` behind the analyst port."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ai.analysts.labels import labelled
from ai.analysts.phrasing import by_template
from ai.analysts.port import SQL_QUERY, UNSUPPORTED, AskBack, CannotAnswer, Draft, Proposal, Question, Route
from ai.nl2sql.choose import Choice
from ai.nl2sql.examples import example_questions
from ai.nl2sql.lexicon import lexicon_of
from ai.nl2sql.meaning import Meaning, from_json, to_json
from ai.nl2sql.reader import Doubt, Reading, names_something, nothing_unknown, read, reading_of, reply_to
from ai.nl2sql.second_look import judged
from ai.nl2sql.threads.signals import asks
from ai.nl2sql.threads.unanswered.gap import is_aside, is_question, leans_back
from ai.nl2sql.unspecific import is_unspecific
from ai.results.table import ResultTable

DEEPEST = 3  # questions back that a message may build on
OFFER, ONE_OFFER = "Did you mean one of these?", "Did you mean this?"
AGAIN = "Nor this one: {}"
KEPT_ROWS = "kept rows, no query"  # the analyst of a step over rows that were kept


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
        if leans and _unanswered(question):
            return Route(SQL_QUERY, "it leans on a question without an answer")
        if question.past and (leans or isinstance(_read(question, question.text), Reading)):
            return Route(SQL_QUERY, "it leans on the question before")
        unspecific = is_unspecific(question.text)
        if unspecific or asks(question.text):
            found = _read(question, question.text)
            if isinstance(found, Reading) or found.asks or (unspecific and found.choices):
                return Route(SQL_QUERY, "it asks after a figure, in other words than the data")
        return Route(UNSUPPORTED, "it names nothing that the data holds")

    def write_sql(self, question: Question) -> Proposal:
        """Read the question, as an edit of the one before where it leans on it."""
        return _proposed(question, _read(question, question.text))

    def sure(self, question: Question) -> Draft | AskBack | None:
        """Answer or ask back over described data, in a thread read by the reader so far.

        Over other data, a model with other rows is right four times as often (Spider, GPT-4).
        """
        is_described = bool(question.semantics.metrics or question.semantics.terms)
        follows = not question.past or from_json(question.past[0].meaning) is not None
        found = _read(question, question.text) if is_described and follows else None
        proposal = _proposed(question, found) if found and not (isinstance(found, Doubt) and found.offers) else None
        return None if isinstance(proposal, CannotAnswer) else proposal

    def doubt(self, question: Question, result: ResultTable) -> AskBack | CannotAnswer | None:
        """Judge the reading once more by its result; a pick of what was offered stands."""
        lost = _unanswered(question)
        if lost and isinstance(_picked(question, lost, question.text), Reading):
            return None
        found = judged(
            result, question.text, question.catalog, question.today, _earlier(question), semantics=question.semantics,
            unanswered=lost,
        )[1]  # fmt: skip
        if found is None or _is_said(question, found, question.text):
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
        return Draft(
            found.sql, found.text + assumed, to_json(found.meaning), found.assumptions, confidence=found.confidence
        )
    found = labelled(question, found)
    if found.asks and len(found.options) == 1 < len(doubted) and (defined := _defined(question, doubted)):
        return _proposed(question, defined)
    if found.asks and len(found.options) > 1:
        return AskBack(found.reason, found.options)
    reason = AGAIN.format(found.reason) if _was_said(question, found.reason) else found.reason
    new = () if all(_was_said(question, option) for option in found.options) else found.options
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


def _was_said(question: Question, reason: str) -> bool:
    """Whether a reason stands in the thread already."""
    said = (message.content for message in question.thread_part.recent if message.role != "user")
    return any(reason in text.replace("\\", "") for text in said)


def _earlier(question: Question) -> tuple[Meaning, ...]:
    """Return the earlier meanings, newest first; steps over kept rows are read as edits."""
    found: list[Meaning] = []
    for query in reversed(question.past):
        meaning = from_json(query.meaning)
        if meaning is None:
            continue
        if query.analyst == KEPT_ROWS and found:
            lexicon_before = tuple(reversed(found))
            again = read(
                query.question, question.catalog, question.today, found[-1], question.semantics, lexicon_before[1:]
            )
            meaning = again.meaning if isinstance(again, Reading) else meaning
        found.append(meaning)
    return tuple(reversed(found))


def _unanswered(question: Question) -> tuple[str, ...]:
    """Return the questions since the last answer that asked for data and got none, newest first."""
    recent = question.thread_part.recent
    asked = [message for message in recent if message.role == "user"]
    answered = {query.turn_id for query in question.past}
    replied = [message for message, reply in pairwise(recent) if reply.role == "assistant"]
    lexicon = lexicon_of(question.catalog, question.semantics)
    found = []
    for message in reversed(asked):
        if message.turn_id in answered:
            break
        said = message.content
        if message.turn_id in question.settled or is_aside(said):
            continue
        named = message in replied and (said.rstrip().endswith("?") or names_something(said, lexicon, question.today))
        named = named or leans_back(said) or asks(said) or (message in replied and is_question(said))
        if named and not message.content.startswith("@"):
            found.append(message.content)
    return tuple(found)


def _picked(question: Question, lost: tuple[str, ...], text: str) -> Reading | Doubt | None:
    """Return what a message makes of the choices offered last; `lost` are the open questions, newest first."""
    open_choices: Doubt | None = None
    for at, said in reversed(list(enumerate(lost[:DEEPEST], start=1))):
        found = _reply(question, open_choices, said) or _after(question, said, unanswered=lost[at:])
        open_choices = found if isinstance(found, Doubt) else None
    return _reply(question, open_choices, text)


def _reply(question: Question, open_choices: Doubt | None, text: str) -> Reading | Doubt | None:
    if open_choices is None:
        return None
    labels = labelled(question, open_choices)
    return reply_to(labels, text, question.catalog, question.today, question.semantics)


def _read(question: Question, text: str) -> Reading | Doubt:
    """Read a message after those before it; nothing leans on a question that was not answered."""
    lost = _unanswered(question)
    if lost and (picked := _picked(question, lost, text)):
        return picked
    return _after(question, text, unanswered=lost)


def _after(question: Question, text: str, *, unanswered: tuple[str, ...]) -> Reading | Doubt:
    earlier = _earlier(question)
    previous = earlier[0] if earlier else None
    found = read(
        text, question.catalog, question.today, previous, question.semantics, earlier[1:], unanswered=unanswered
    )
    return _weighed(question, found, text)


def _weighed(question: Question, found: Reading | Doubt, text: str) -> Reading | Doubt:
    """Ask back an unsure reading, unless the message is its own words."""
    if isinstance(found, Doubt) or found.doubt is None:
        return found
    return found if _is_said(question, found.doubt, text) else found.doubt


def _is_said(question: Question, doubt: Doubt, text: str) -> bool:
    """Whether a message is the first choice word for word."""
    own = labelled(question, doubt).options[:1]
    return [label.casefold() for label in own] == [text.strip().casefold()]


def _examples(question: Question, about: str = "") -> tuple[str, ...]:
    """Return questions that have an answer, where the thread has neither seen one nor been told them."""
    if question.past:
        return ()
    found = example_questions(question.catalog, question.today, semantics=question.semantics, about=about)
    return tuple(text for text in found if not _was_said(question, text))
