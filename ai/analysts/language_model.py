"""The analyst behind a language model; the built-in reader takes over when the model fails."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from ai.analysts.client.client import ModelClient
from ai.analysts.phrasing import by_model, by_template, is_simple
from ai.analysts.port import UNSUPPORTED, AskBack, CannotAnswer, Draft, Proposal, Question, Reader, Route, Tools
from ai.analysts.prompts.prompts import Messages, Prompts, Room
from ai.analysts.replies import (
    DEFINITION,
    SQL,
    ModelReply,
    columns_schema,
    definition_of,
    reply_of,
    route_schema,
)
from ai.analysts.tool_loop import ToolLoop
from ai.errors import ModelFault, ModelUnavailable
from ai.ledger import Purpose, Spender
from ai.results.profile import profile_table
from ai.results.table import ResultTable
from ai.types import Json

WHY: Mapping[ModelFault, str] = {
    "rate_limited": "the language model takes no more requests now",
    "quota": "the account at the language model is used up",
    "auth": "the language model refuses our key",
    "refused": "the language model refuses the request",
    "overflow": "the question is too long for the language model",
    "garbled": "the language model answered with something unreadable",
    "cut": "the answer of the language model was longer than allowed",
    "slow": "the language model did not answer in time",
    "down": "the language model cannot be reached",
    "out": "the language model does not answer at the moment",
    "budget": "the budget for the language model is spent",
}
BESIDE = "built-in reader, beside the language model"


class LanguageModelAnalyst:
    """With `private` the model sees no data values."""

    def __init__(
        self, client: ModelClient, reader: Reader, prompts: Prompts, *, private: bool = False, candidates: int = 1
    ) -> None:
        self._client = client
        self._reader = reader
        self._prompts = prompts
        self._private = private
        self.candidates = candidates
        self._loop = ToolLoop(client, prompts.count)

    @property
    def name(self) -> str:
        return f"language model {self._client.name}"

    def route(self, question: Question) -> Route:
        """Route by rules where they know the message, else by the model."""
        known = self._reader.route(question)
        if known.intent != UNSUPPORTED:
            return known
        try:
            with self._stoppable(question):
                messages, schema = self._prompts.route(question), route_schema(question.kinds)
                said = self._client.complete(messages, _spender(question), "route", schema=schema)
        except ModelUnavailable:
            return known
        intent = next((intent for intent in question.kinds if intent == said.data.get("intent")), known.intent)
        return Route(intent, "the language model says so")

    def write_sql(self, question: Question) -> Proposal:
        """Ask once; again when the model misses a table or the prompt was too long."""

        def prompt(room: Room, hint: str = "") -> Messages:
            return self._prompts.write(question, room, hint)

        return self._proposed(question, "write_sql", prompt, lambda: self._reader.write_sql(question))

    def repair_sql(self, question: Question, draft: Draft, problem: str) -> Proposal:
        def prompt(room: Room, hint: str = "") -> Messages:
            return self._prompts.repair(question, draft, f"{problem} {hint}".strip(), room)

        return self._proposed(question, "repair_sql", prompt, lambda: self._reader.write_sql(question))

    def instead(self, question: Question) -> Proposal:
        return self._instead(self._reader.write_sql(question), "the SQL of the language model does not run here")

    def second_reading(self, question: Question) -> Draft | AskBack | None:
        found = self._reader.sure(question)
        return replace(found, by=BESIDE) if found else None

    def doubt(self, question: Question, result: ResultTable) -> AskBack | CannotAnswer | None:
        """Doubt as the reader what the reader answered."""
        return self._reader.doubt(question, result)

    def words_cost(self, draft: Draft, result: ResultTable) -> bool:
        """Return False where a template suffices, rows are missing, or values are private."""
        is_plain = self._private or is_simple(result) or result.row_count > len(result.rows)
        return bool(draft.expects) and not is_plain

    def phrase(self, question: Question, draft: Draft, result: ResultTable) -> Iterator[str]:
        if self.words_cost(draft, result):
            yield self._in_words(question, draft, result)
        else:
            yield from by_template(question, draft, result)

    def define(self, question: Question) -> Json:
        """Return the metric or wording of a correction; None for a plain sentence."""
        try:
            with self._stoppable(question):
                messages = self._prompts.define(question)
                said = self._client.complete(messages, _spender(question), "define", schema=DEFINITION)
        except ModelUnavailable:
            return None
        return definition_of(said.data)

    def likeliest(self, question: Question, columns: Sequence[str]) -> tuple[str, ...]:
        """Return names that were given, whatever else the model says."""
        try:
            with self._stoppable(question):
                messages, schema = self._prompts.likeliest(question, columns), columns_schema(columns)
                said = self._client.complete(messages, _spender(question), "other", schema=schema).data.get("columns")
        except ModelUnavailable:
            return ()
        named = [str(name) for name in said] if isinstance(said, list) else []
        return tuple(dict.fromkeys(name for name in named if name in columns))

    def research(self, question: Question, tools: Tools) -> Mapping[str, Json] | None:
        """Let the model call tools; None with privacy, since answers hold data values."""
        if self._private:
            return None
        try:
            with self._stoppable(question):
                return self._loop.run(self._prompts.research(question), tools, _spender(question), "memory")
        except ModelUnavailable:
            return None

    def _proposed(
        self,
        question: Question,
        purpose: Purpose,
        prompt: Callable[..., Messages],
        by_rules: Callable[[], Proposal],
    ) -> Proposal:
        try:
            return self._asked(question, purpose, prompt).proposal
        except ModelUnavailable as gone:
            return self._instead(by_rules(), WHY[gone.kind])

    def _asked(self, question: Question, purpose: Purpose, prompt: Callable[..., Messages]) -> ModelReply:
        messages = prompt("usual")
        try:
            reply = self._reply(question, purpose, messages)
        except ModelUnavailable as gone:
            if gone.kind != "overflow":
                raise
            return self._reply(question, purpose, prompt("tight"))
        wider = prompt("wide", reply.text) if reply.kind == "more" else messages
        return reply if wider == messages else self._reply(question, purpose, wider)

    def _reply(self, question: Question, purpose: Purpose, messages: Messages) -> ModelReply:
        with self._stoppable(question):
            return reply_of(self._client.complete(messages, _spender(question), purpose, schema=SQL).data)

    @contextmanager
    def _stoppable(self, question: Question) -> Iterator[None]:
        with question.stop.interrupting(partial(self._client.call_off, question.turn_id)):
            try:
                yield
            except ModelUnavailable:
                question.stop.check()
                raise

    def _instead(self, proposal: Proposal, why: str) -> Proposal:
        by, told = f"built-in reader, because {why}", f"{why[0].upper()}{why[1:]}, so I read this by rules."
        match proposal:
            case CannotAnswer(reason=reason):
                return replace(proposal, reason=f"{told} {reason}", by=by)
            case AskBack(text=text):
                return replace(proposal, text=f"{told} {text}", by=by)
            case _:
                return replace(proposal, by=by)

    def _in_words(self, question: Question, draft: Draft, result: ResultTable) -> str:
        """Return the model's words with the figures that code fills in."""
        messages = self._prompts.phrase(question, draft, profile_table(result), result.row_count)
        try:
            with self._stoppable(question):
                said = "".join(self._client.stream(messages, _spender(question), "phrase"))
        except ModelUnavailable:
            return "".join(by_template(question, draft, result))
        return by_model(said, question, draft, result)


def _spender(question: Question) -> Spender:
    return Spender(question.turn_id, question.thread, question.user)
