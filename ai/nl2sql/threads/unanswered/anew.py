"""Read an unanswered question once more where the next message says a word of it differently: “I mean rentals”."""

from ai.nl2sql.threads import signals
from ai.nl2sql.threads.fragments import Sketches, best_of
from ai.nl2sql.words import split

FEW = 5  # words
NAMES = frozenset(("noun", "measure", "attribute"))


def restated(text: str, lost: str, read: Sketches) -> str:
    """Return the unanswered question with the message in the place of its unread words; "" where it names none."""
    said = signals.canonical(signals.MEANT.sub("", signals.REPLY.sub("", text))).strip(" .!?")
    if not said or len(said.split()) > FEW or signals.begins_leaning(said) or _asks(said):
        return ""
    names = NAMES | {"filter"} if signals.MEANT.match(text) else NAMES
    word, question = best_of(read, said), best_of(read, lost)
    if word is None or question is None or word.unread() or not {part.kind for part in word.cover.parts} <= names:
        return ""
    places = sorted(question.unread_places())
    words = [each.text for each in question.lattice.words]
    if not places or places != list(range(places[0], places[-1] + 1)) or len(places) == len(words):
        return ""
    return " ".join((*words[: places[0]], said, *words[places[-1] + 1 :]))


def _asks(said: str) -> bool:
    """Whether words are a question of their own: “do the students like them”."""
    words = split(said)
    return signals.asks(said) or words[0].key in signals.AUXILIARIES or bool(signals.pointers(words))
