"""Keeps what a person says of themselves, lists it and forgets it. It holds for their own questions alone."""

from collections.abc import Callable, Iterator

from ai.agents.cards import AgentCard, Services, always
from ai.agents.personal import in_words
from ai.agents.port import ReplyEvent, TextEvent, Turn
from ai.agents.wishes.preferences import PREFERENCES, PreferenceVerb, PreferenceWish, preference_wish
from ai.analysts.port import Intent
from ai.answers.phrase import literal
from ai.language.words import telling_stems
from ai.memory.learned import Preference, PreferenceKind
from ai.types import Request

NOTHING = "I remember nothing about you. Say for example “remember that by app I mean iOS apps”."


NONE_TO_FORGET = (
    "I keep no notes about you, so there is nothing to forget. “Undo that” goes back to the answer before, and "
    "“forget this thread” deletes what was said here."
)


class PreferenceAgent:
    def __init__(self, services: Services) -> None:
        self._preferences = services.memory.preferences

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        doing: dict[PreferenceVerb, Callable[[Turn, PreferenceWish], Iterator[ReplyEvent]]] = {
            "list": self._list,
            "forget": self._forget,
        }
        wish = preference_wish(turn.request.text) or PreferenceWish("list")
        yield from doing.get(wish.verb, self._keep)(turn, wish)

    def _keep(self, turn: Turn, wish: PreferenceWish) -> Iterator[ReplyEvent]:
        request = turn.request
        kind: PreferenceKind = "week" if wish.verb == "week" else "table" if wish.verb == "table" else "wording"
        number = turn.step(
            "keep_preference", lambda: self._preferences.add(request, kind, request.text, wish.word, wish.means)
        )
        kept = next((each for each in self._preferences.of(request) if each.id == number), None)
        if kept is None:
            yield TextEvent(NOTHING)
            return
        yield TextEvent(f"Noted for you alone: {in_words(kept)}. Say “forget that” to end it.")

    def _list(self, turn: Turn, _: PreferenceWish) -> Iterator[ReplyEvent]:
        own = self._preferences.of(turn.request)
        lines = (f"- {in_words(each)}" for each in own)
        yield TextEvent("\n".join(["What I remember for you alone:", *lines]) if own else NOTHING)

    def _forget(self, turn: Turn, wish: PreferenceWish) -> Iterator[ReplyEvent]:
        meant = turn.step("choose_preference", lambda: self._number(turn.request, wish.word))
        kept = next((each for each in self._preferences.of(turn.request) if each.id == meant), None)
        if meant is None:
            yield from self._unknown(turn.request, wish)
            return
        turn.step("drop_preference", lambda: self._preferences.drop(turn.request, meant))
        yield TextEvent(f"Forgotten{f': {in_words(kept)}' if kept else ''}.")

    def _number(self, request: Request, words: str) -> int | None:
        """Return the preference that has the words, or the last one when there are none."""
        wanted = frozenset(telling_stems(words))
        own = [each for each in self._preferences.of(request) if not wanted or _has(each, wanted)]
        return own[-1].id if own else None

    def _unknown(self, request: Request, wish: PreferenceWish) -> Iterator[ReplyEvent]:
        if not self._preferences.of(request):
            yield TextEvent(NONE_TO_FORGET)
            return
        yield TextEvent(f"I remember nothing about “{literal(wish.word)}” for you.")
        yield from self._list_of(request)

    def _list_of(self, request: Request) -> Iterator[ReplyEvent]:
        yield TextEvent("\n".join(f"- {in_words(each)}" for each in self._preferences.of(request)))


def _has(preference: Preference, wanted: frozenset[str]) -> bool:
    return bool(wanted & frozenset(telling_stems(f"{preference.said} {preference.word} {preference.means}")))


CARD = AgentCard(
    intent=Intent("preference"),
    rank=8,
    quick=always,
    reads=PREFERENCES.first,
    examples=(
        "remember that by app I mean iOS apps",
        "my week starts on Sunday",
        "always show a table",
        "what do you remember about me?",
        "forget that",
    ),
    gives="answers your way: what you say of yourself holds in your questions alone",
    told="what the writer wants to hold for their own questions",
    build=PreferenceAgent,
)
