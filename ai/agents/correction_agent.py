"""Turns corrections into rules: proposed by anybody, tested on accepted answers, decided by an owner.

A rule changes the definitions from its approval until it is reverted.
"""

from collections.abc import Callable, Iterator

from ai.agents.cards import AgentCard, Services
from ai.agents.learning.golden import Examiner, Golden
from ai.agents.learning.trials import Trial, report, trial_from
from ai.agents.port import QuestionEvent, ReplyEvent, StatusEvent, TextEvent, Turn
from ai.agents.wishes.rules import RuleVerb, RuleWish, rule_wish
from ai.analysts.port import Definer, Intent
from ai.answers.phrase import literal
from ai.errors import NotAllowed, NotFound
from ai.language.words import name_parts, telling_stems
from ai.memory.learned import LearnedRule
from ai.sql.catalog import Catalog
from ai.sql.semantics import Change, Sentence, as_json, change_from, defined, fits, in_words, overlaid
from ai.types import OUTSIDERS, Deed, Place

GOLDEN = 10  # newest accepted answers that a rule is tested on
LISTED = 20
FOR_MEMBERS = "Only members of this workspace teach me; ask one of them to say it."
FOR_OWNERS = "Only an owner of the bot may decide about rules; the settings file says who that is."
NOT_EXACT = (
    "I cannot make a rule of this: it has to say which rows or figures are meant, in names of the data. "
    "For example: “by {0} we mean {1}”. For yourself alone, “remember that by app I mean iOS apps” puts words for words."
)
CHANGED = "This rule was decided on or changed since the button was made; “show the rules” says how it stands."


class CorrectionAgent:
    def __init__(self, services: Services) -> None:
        self._memory = services.memory
        self._rules = services.memory.rules
        self._context = services.context
        self._analyst = services.analyst
        self._is_owner = services.is_owner

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        doing: dict[RuleVerb, Callable[[Turn, RuleWish], Iterator[ReplyEvent]]] = {
            "propose": self._propose,
            "test": self._test,
            "approve": self._approve,
            "reject": self._reject,
            "revert": self._revert,
            "list": self._list,
        }
        wish = rule_wish(turn.request.text) or RuleWish("propose", sentence=turn.request.text)
        if wish.verb not in ("propose", "list") and not self._is_owner(turn.request.user):
            raise NotAllowed(FOR_OWNERS)
        if turn.request.deed and not turn.step("as_offered", lambda: self._is_as_offered(turn, wish)):
            raise NotAllowed(CHANGED)
        yield from doing[wish.verb](turn, wish)

    def _propose(self, turn: Turn, wish: RuleWish) -> Iterator[ReplyEvent]:
        request = turn.request
        if not OUTSIDERS.isdisjoint(request.roles):
            raise NotAllowed(FOR_MEMBERS)
        number = turn.step("propose_rule", lambda: self._rules.propose(request, as_json(self._change(turn, wish))))
        rule = self._rules.one(request.source, number)
        yield TextEvent(f"Proposed as rule **{number}**: {_words(rule)}. Nothing changes before an owner approves it.")
        if self._is_owner(request.user):
            yield from self._tested(turn, rule)
        else:
            asks = (f"test rule {number}", f"reject rule {number}")
            yield QuestionEvent(
                "An owner decides about it.", ("Test it", "Reject"), asks, for_owners=True, deed=self._deed(rule)
            )

    def _test(self, turn: Turn, wish: RuleWish) -> Iterator[ReplyEvent]:
        yield from self._tested(turn, self._open(turn, wish))

    def _approve(self, turn: Turn, wish: RuleWish) -> Iterator[ReplyEvent]:
        request, rule = turn.request, self._meant(turn, wish)
        trial, mark = trial_from(rule.trial), self._context.definitions.mark(request.source)
        if rule.status == "proposed" and (trial is None or trial.mark != mark):
            yield TextEvent(f"Rule **{rule.id}** was not tested under the definitions of today, so that comes first.")
            yield from self._tested(turn, rule)
            return
        if not turn.step("approve_rule", lambda: self._approved(turn, rule, trial)):
            raise NotAllowed(f"Rule {rule.id} is {rule.status} already.")
        version = self._context.definitions.of(request.source).version
        yield TextEvent(f"Rule **{rule.id}** is in force: {_words(rule)}. The definitions are at version {version}.")
        yield QuestionEvent(
            "It can be taken back.", ("Revert",), (f"revert rule {rule.id}",), for_owners=True, deed=self._deed(rule)
        )

    def _reject(self, turn: Turn, wish: RuleWish) -> Iterator[ReplyEvent]:
        rule = self._open(turn, wish)
        turn.step("reject_rule", lambda: self._rules.reject(rule, turn.request.user))
        yield TextEvent(f"Rule **{rule.id}** is rejected; nothing changes.")

    def _revert(self, turn: Turn, wish: RuleWish) -> Iterator[ReplyEvent]:
        rule, user = self._meant(turn, wish), turn.request.user
        if not turn.step(
            "revert_rule", lambda: self._rules.revert(rule, user) or self._decided(rule, "reverted", user)
        ):
            raise NotAllowed(f"Rule {rule.id} is not in force; “show the rules” says which are.")
        version = self._context.definitions.of(rule.source).version
        yield TextEvent(
            f"Rule **{rule.id}** is no longer in force: {_words(rule)}. The definitions are at version {version}."
        )

    def _list(self, turn: Turn, _: RuleWish) -> Iterator[ReplyEvent]:
        rules = self._rules.newest(turn.request.source, LISTED)
        lines = (f"- **{rule.id}** {_words(rule)} ({rule.status})" for rule in rules)
        yield TextEvent("\n".join(["Rules, the newest first:", *lines]) if rules else "There are no rules yet.")

    def _tested(self, turn: Turn, rule: LearnedRule) -> Iterator[ReplyEvent]:
        yield StatusEvent("Asking the golden questions…")
        turn.step("test_rule", lambda: self._rules.tested(rule.id, self._trial(turn, rule).as_json()))
        trial = trial_from(self._rules.one(rule.source, rule.id).trial)
        if trial is not None:
            yield TextEvent(report(trial))
        asks = (f"approve rule {rule.id}", f"reject rule {rule.id}")
        yield QuestionEvent(
            f"Shall rule {rule.id} be in force?", ("Approve", "Reject"), asks, for_owners=True, deed=self._deed(rule)
        )

    def _trial(self, turn: Turn, rule: LearnedRule) -> Trial:
        """Ask the accepted answers again, with the rule applied, under the rights of the owner."""
        request, definitions = turn.request, self._context.definitions
        mark, change = definitions.mark(request.source), change_from(rule.change)
        semantics = overlaid(definitions.of(request.source), [change] if change else [], 1)
        examiner = Examiner(self._analyst, self._context.source(turn), semantics)
        known = self._memory.verified.newest(Place.of(request), GOLDEN)
        for one in known:
            self._context.note_sql(turn, one.sql)
        golden = [Golden(str(one.id), one.question, one.sql, one.day) for one in known if mark in one.holds_under]
        return Trial.of(mark, [examiner.outcome(one) for one in golden])

    def _approved(self, turn: Turn, rule: LearnedRule, trial: Trial | None) -> bool:
        user, definitions = turn.request.user, self._context.definitions
        if trial is not None and rule.status == "proposed":
            self._memory.verified.holds(trial.unchanged, definitions.mark(rule.source, with_rule=rule.id))
        return self._rules.approve(rule, user) or self._decided(rule, "approved", user)

    def _decided(self, rule: LearnedRule, status: str, user: str) -> bool:
        """Whether an earlier run of the step decided this."""
        now = self._rules.one(rule.source, rule.id)
        return rule.status != status and (now.status, now.decided_by) == (status, user)

    def _change(self, turn: Turn, wish: RuleWish) -> Change:
        """Return the change, as exact as possible."""
        question = self._context.question(turn)
        exact = defined(wish.term, wish.means, question.catalog) if wish.means else None
        if exact is not None:
            return exact
        if not isinstance(self._analyst, Definer):
            raise NotAllowed(NOT_EXACT.format(wish.term or "active users", _example(wish.term, question.catalog)))
        proposed = change_from(self._analyst.define(question))
        return proposed if proposed is not None and fits(proposed, question.catalog) else Sentence(wish.sentence)

    def _open(self, turn: Turn, wish: RuleWish) -> LearnedRule:
        rule = self._meant(turn, wish)
        if rule.status != "proposed":
            raise NotAllowed(f"Rule {rule.id} is {rule.status} already.")
        return rule

    def _deed(self, rule: LearnedRule) -> Deed:
        """Bind a button to what the rule is now."""
        now = self._rules.one(rule.source, rule.id)
        return Deed("", state=f"{now.id} {now.status} {now.approved_as}")

    def _is_as_offered(self, turn: Turn, wish: RuleWish) -> bool:
        deed = turn.request.deed
        return deed is None or self._deed(self._meant(turn, wish)).state == deed.state

    def _meant(self, turn: Turn, wish: RuleWish) -> LearnedRule:
        source = turn.request.source
        if wish.number is not None:
            return self._rules.one(source, wish.number)
        in_force = self._rules.in_force(source)
        if not in_force:
            raise NotFound("No rule is in force; “show the rules” lists those that there are.")
        return in_force[-1]


def _example(term: str, catalog: Catalog) -> str:
    """Return a definition that could be said of this data: the total of a number."""
    keys = {name for table in catalog.tables for key in table.foreign_keys for name in key.columns}
    columns = [(table, column) for table in catalog.tables for column in table.columns if column.kind == "number"]
    figures = [(t, c) for t, c in columns if c.name not in {*keys, *t.primary_key}]
    wanted = set(telling_stems(term))
    figures.sort(key=lambda figure: not wanted & set(telling_stems(" ".join(name_parts(figure[1].name)))))
    return next((f"SUM({c.name}) of {t.name}" for t, c in figures), "users.status = 'A'")


def _words(rule: LearnedRule) -> str:
    change = change_from(rule.change)
    return f"“{literal(in_words(change) if change else rule.said)}”"


CARD = AgentCard(
    intent=Intent("correction"),
    rank=10,
    reads=rule_wish,
    examples=("by active users we mean users.status = 'A'", "revenue excludes refunds", "show the rules"),
    gives="a rule for all later answers, once an owner approves it",
    told="how a business term is to be understood from now on",
    build=CorrectionAgent,
)
