"""A message right after one that was not answered: a question of its own, or a step that hangs in the air."""

import re
from collections.abc import Sequence

from ai.nl2sql.chart.parts import Flag
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.threads import idioms, signals
from ai.nl2sql.threads.context import SAME_PLACE, SAME_TIME
from ai.nl2sql.threads.ellipsis import BARE
from ai.nl2sql.threads.follow import Sketches, best_of, followed, fragment, pointing_word
from ai.nl2sql.threads.steps import Followed
from ai.nl2sql.words import split

UNANSWERED = "I could not answer the question before, so please ask this one in full."
DEFINITE = re.compile(r"^(?:then |and |the )|^(?:what|which|where|when|who)\b.*\bthe\b", re.IGNORECASE)


CHOSEN = re.compile(
    r"^(?:the |option |number |no\.? )*(?P<place>first|second|third|fourth|1st|2nd|3rd|4th|last)(?: one| option)?[.! ]*$",
    re.IGNORECASE,
)
EMPTY = frozenset("the a an by of i mean meant please one in for with want to it that".split())


def after_gap(text: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Read a message after an unanswered one; None when it is a question of its own.

    A step on the answer before the gap is only offered, unless the message takes the unanswered question back.
    """
    plain = idioms.REPLY.sub("", text)
    if signals.NEW.match(plain):
        return None
    if earlier and signals.UNDO.match(plain):
        return Followed(earlier[0], ("back to the last answer",))
    if earlier and idioms.TAKEN_BACK.match(plain):
        rest = idioms.TAKEN_BACK.sub("", plain)
        return followed(rest, earlier, lexicon, read)
    if stands_alone(plain, text, read):
        return None
    older = followed(text, earlier, lexicon, read) if earlier else None
    found = [older.meaning] if older is not None and older.meaning is not None else []
    found += [sketch.meaning for sketch in read(text)[:1] if not sketch.problems and not sketch.unread()]
    return Followed(None, problem=UNANSWERED, choices=tuple(found))


def stands_alone(plain: str, text: str, read: Sketches) -> bool:
    """Whether nothing in a message leans on what was said before it."""
    said = idioms.canonical(text)
    opened = signals.OPENING.match(plain) and not idioms.ASKS.match(plain)
    leans = (signals.CORRECTION.match(plain), signals.ONLY.match(plain), idioms.THEN.match(plain), opened)
    points = (SAME_TIME.search(said), SAME_PLACE.search(said), signals.ONE.search(said), pointing_word(plain, read))
    if any(leans) or any(points) or signals.is_step(said):
        return False
    found = best_of(read, plain)
    if found is None or fragment(found):
        return found is None or bool(found.unread())
    return not _bare(found, plain)


def _bare(found: Sketch, text: str) -> bool:
    """Whether a message names rows or columns without a condition, as if it were known which."""
    kinds = {part.kind for part in found.cover.parts if not isinstance(part.data, Flag)}
    if not kinds <= {"noun", "attribute"} or any(part.such for part in found.parts("noun")):
        return bool(re.match(r"^(?:then|and)\b", text, re.IGNORECASE))
    return bool(BARE.match(text) or DEFINITE.match(text))


def replied(text: str, offered: Sequence[tuple[str, Meaning]], lexicon: Lexicon, read: Sketches) -> Meaning | None:
    """Return the choice of a question back: by its place, its words, or a change that makes all one."""
    if (found := CHOSEN.match(text)) and (place := signals.PLACES.get(found["place"].lower(), 9)) < len(offered):
        return offered[place][1]
    said = {word.key for word in split(text)} - EMPTY
    named = [meaning for label, meaning in offered if said and said <= {word.key for word in split(label)}]
    if len(named) == 1:
        return named[0]
    made = [followed(text, [meaning], lexicon, read) for _, meaning in offered]
    meanings = {step.meaning for step in made if step is not None}
    return meanings.pop() if len(meanings) == 1 and len(made) == len(offered) and None not in made else None
