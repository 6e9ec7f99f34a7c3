"""Applies what the author of a question said of themselves: their words, their weeks, their tables."""

from dataclasses import dataclass

from ai.agents.learning.accepted import day_of
from ai.agents.port import Turn
from ai.agents.wishes.preferences import reworded, with_own_weeks
from ai.answers.phrase import literal
from ai.memory.learned import Preference, Preferences


@dataclass(frozen=True, slots=True)
class PersonalTurn:
    """A turn in the words its author means; `used` are the preferences behind them."""

    turn: Turn
    used: tuple[Preference, ...] = ()
    wants_table: bool = False

    @property
    def note(self) -> str:
        """Return the sentence naming all that was used, "" for nothing."""
        said = "; ".join(in_words(each) for each in self.used)
        return f"As you told me: {said}. Say “forget that” to end it." if said else ""


def personal(turn: Turn, preferences: Preferences) -> PersonalTurn:
    request, used = turn.request, []
    text, own = request.text, preferences.of(request)
    for each in own:
        if each.kind == "wording":
            changed = reworded(text, each.word, each.means)
        else:
            changed = with_own_weeks(text, each.means, day_of(request)) if each.kind == "week" else text
        used += [each] if changed != text else []
        text = changed
    told = turn if text == request.text else turn.saying(text)
    return PersonalTurn(told, tuple(used), any(each.kind == "table" for each in own))


def in_words(preference: Preference) -> str:
    match preference.kind:
        case "wording":
            return f"by “{literal(preference.word)}” you mean “{literal(preference.means)}”"
        case "week":
            return f"your week starts on {literal(preference.means.title())}"
        case _:
            return "answers come with a table"
