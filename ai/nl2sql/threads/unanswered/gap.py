"""Read a message after an unanswered one: a question of its own, or a step without ground."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ai.language.remarks import is_agreed
from ai.nl2sql.chart.parts import Flag
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.context import SAME_PLACE, SAME_TIME
from ai.nl2sql.threads.ellipsis import BARE
from ai.nl2sql.threads.follow import followed
from ai.nl2sql.threads.fragments import Sketches, asks_anew, best_of, fragment, of_those, pointing_word, whole
from ai.nl2sql.threads.steps import Followed, is_step
from ai.nl2sql.threads.unanswered import topic
from ai.nl2sql.words import split

UNANSWERED = "“{}” goes on from a question that I could not answer; please ask it in full."
QUOTED = 60  # characters of a message that are quoted
DEFINITE = re.compile(r"^(?:then |and |the )|^(?:what|which|where|when|who)\b.*\bthe\b", re.IGNORECASE)


CHOSEN = re.compile(
    r"^(?:the |option |number |no\.? )*"
    r"(?P<place>first|second|third|fourth|1st|2nd|3rd|4th|last)(?: one| option)?[.! ]*$"
    r"|^(?:option |number |no\.? ?|#)?(?P<number>[1-4])[.)! ]*$",
    re.IGNORECASE,
)
GOES_ON = re.compile(r"\b(?:same|instead|again)\b", re.IGNORECASE)
EMPTY = frozenset("the a an by of i mean meant please one in for with want to it that".split())
EACH = re.compile(r"\beach\b", re.IGNORECASE)
ANOTHER = re.compile(
    r"^(?:and |so |but )*(?:when|how (?:many|much|long|old|often)) (?!(?:is|was) (?:that|it)\b)", re.IGNORECASE
)
ABOUT = re.compile(r"^(?:and |so |ok |but )*(?:what|how) about\b", re.IGNORECASE)  # a step, if worded as a question


def after_gap(
    text: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, *, lost: Sequence[str]
) -> Followed | None:
    """Read a message after the unanswered ones `lost`; None when it is a question of its own.

    A step on the answer before the gap is only offered, unless it takes the place of the question: “no, I meant open”.
    """
    plain = signals.REPLY.sub("", text)
    if signals.NEW.match(plain):
        return None
    if earlier and signals.UNDO.match(plain):
        return Followed(earlier[0], ("back to the last answer",))
    if earlier and signals.TAKEN_BACK.match(plain):
        rest = signals.TAKEN_BACK.sub("", plain)
        return followed(rest, earlier, lexicon, read)
    names = names_all(plain, read) and not _goes_on_in_time(plain, earlier, read)
    if not signals.THE_ONE.match(plain) and (stands_alone(plain, text, read) or names):
        return topic.carried_on(plain, lost[0], lexicon, read)
    if earlier and signals.LIFT.match(signals.canonical(plain)) and signals.LIMITS.match(lost[0]):
        return Followed(earlier[0], ("back to the last answer",))
    older = followed(text, earlier, lexicon, read) if earlier else None
    if older is not None and older.meaning is not None and signals.BACK.match(plain):
        return older
    corrects = len(lost) == 1 and signals.MEANT.match(plain) is not None and _is_one_step(lost[0])
    pointing = pointing_word(plain, read) is not None
    same = pointing and all(_asks_of_shown(said, read) for said in lost)
    aside = not pointing and (_after_question(plain, lost, read) or _takes_the_place(plain, lost))
    if older is not None and older.meaning is not None and (corrects or same or aside or _resigns(text, plain)):
        return replace(older, notes=(*older.notes, "going on from the last answer"))
    found = [older.meaning] if older is not None and older.meaning is not None else []
    found += [sketch.meaning for sketch in read(text)[:1] if not sketch.problems and not sketch.unread()]
    unread = best_of(read, text)
    why = unread.unreadable() if unread and unread.unread() else unanswered(text)
    return Followed(None, problem=why, choices=tuple(found))


def _goes_on_in_time(plain: str, earlier: Sequence[Meaning], read: Sketches) -> bool:
    """Whether “and revenue per session” goes on in the time asked about before."""
    found = best_of(read, plain) if signals.AND.match(plain) and earlier and earlier[0].periods else None
    return found is not None and not found.parts("period")


def unanswered(text: str) -> str:
    """Say why a step after an unanswered question is lost."""
    return UNANSWERED.format(shortened(text))


def shortened(text: str) -> str:
    """Return the words of a message as a refusal quotes them."""
    said = " ".join(text.split()).strip(' .!?…“”"')
    return said if len(said) <= QUOTED else f"{said[:QUOTED].rstrip()} …"


def _after_question(plain: str, lost: Sequence[str], read: Sketches) -> bool:
    """Whether a step follows questions that left the table as it is: “is that much?”, “only web”."""
    if not (signals.STEP.match(plain) or is_step(signals.canonical(plain))):
        return False
    asides = [said for said in lost if is_question(said) and not (signals.STEP.match(said) or ABOUT.match(said))]
    return asides == list(lost) and all(
        not (signals.SELECTS.match(said) or ANOTHER.match(said)) and _names_nothing_new(said, read) for said in lost
    )


def _names_nothing_new(said: str, read: Sketches) -> bool:
    if pointing_word(said, read) is not None:
        return True
    found = best_of(read, said)
    return found is None or not {part.kind for part in found.cover.parts} & {"noun", "measure", "attribute", "filter"}


def _takes_the_place(plain: str, lost: Sequence[str]) -> bool:
    """Whether a step of the same kind replaces the one unread: “by plan” after “by tariff”."""
    new, old = signals.SLOT.match(plain), signals.SLOT.match(lost[0])
    if new is None or old is None or len(lost) > 1:
        return False
    return new.lastgroup == old.lastgroup and _is_one_step(lost[0]) and _is_one_step(plain)


def _is_one_step(said: str) -> bool:
    return not re.search(r"[,;]|\band\b", signals.REPLY.sub("", said)[4:])


def _asks_of_shown(said: str, read: Sketches) -> bool:
    """Whether a question is about the rows shown: “how old are they?”; a figure “for each” would be another table."""
    return bool(signals.OF_SHOWN.match(said)) and pointing_word(said, read) is not None and not EACH.search(said)


def is_aside(said: str) -> bool:
    """Whether a message asks about an answer: “why?”, “are you sure?”."""
    return bool(signals.ASIDE.match(said))


def _resigns(text: str, plain: str) -> bool:
    """Whether a message drops the unanswered question: “ok. revenue then”."""
    return bool(signals.RESIGNED.match(text) or (signals.THEN.match(plain) and not signals.ASKS.match(plain)))


def stands_alone(plain: str, text: str, read: Sketches) -> bool:
    """Whether nothing in a message leans on another."""
    said = signals.canonical(text)
    opened = signals.OPENING.match(plain) if not signals.ASKS.match(plain) else None
    then = signals.THEN.match(plain)
    points = (SAME_TIME.search(said), SAME_PLACE.search(said), signals.ONE.search(said), pointing_word(plain, read))
    if (
        of_those(plain, read) != plain
        or signals.CORRECTION.match(plain)
        or signals.ONLY.match(plain)
        or any(points)
        or is_step(said)
    ):
        return False
    if signals.ADJUNCT.match(said):
        return False
    rest = signals.AND.sub("", plain)
    if asks_anew(plain, read) and (signals.ASKS.match(rest) or not plain.lower().startswith("and")):
        return True
    if signals.begins_leaning(plain) or (then and signals.ASKS.match(plain)):
        return False
    found = best_of(read, then["what"] if then else plain)
    if found is None or (fragment(found) and not _asks_by_rank(found, plain)):
        return found is None or (bool(found.unread()) and not opened and not then)
    return whole(found) if opened or then else not _bare(found, plain)


def names_all(text: str, read: Sketches) -> bool:
    """Whether a message is whole, however it begins: “just games, revenue by week”."""
    said = signals.STRIPPED.sub("", signals.CORRECTION.sub("", text)) or text
    if pointing_word(text, read) is not None or SAME_TIME.search(text) or SAME_PLACE.search(text):
        return False
    found = best_of(read, said)
    if found is None or found.unread() or found.problems or signals.ADDING.search(text) or GOES_ON.search(text):
        return False
    kinds = {part.kind for part in found.cover.parts if not isinstance(part.data, Flag)}
    is_figure = bool(kinds & {"measure", "attribute"}) and bool(found.meaning.all_measures)
    return is_figure and bool(kinds & {"period", "group", "filter"})


def _asks_by_rank(found: Sketch, text: str) -> bool:
    """Whether a question ranks a figure of a time: “which day this month was the worst for revenue”."""
    is_keyed = any(rank.key is not None for rank in found.data("rank"))
    return bool(signals.ASKS.match(text)) and is_keyed and bool(found.parts("period"))


def _bare(found: Sketch, text: str) -> bool:
    kinds = {part.kind for part in found.cover.parts if not isinstance(part.data, Flag)}
    if not kinds <= {"noun", "attribute"} or any(part.such for part in found.parts("noun")):
        return bool(re.match(r"^(?:then|and)\b", text, re.IGNORECASE))
    return bool(BARE.match(text) or DEFINITE.match(text))


def unopened(text: str) -> str:
    """Return a question without its turning words: “ok, … then”."""
    plain = signals.BECAUSE.sub("", signals.MEANT.sub("", signals.REPLY.sub("", signals.NEW.sub("", text))))
    plain = signals.AND.sub("", plain) or plain
    then = signals.THEN.match(plain)
    return then["what"] if then else plain or text


def picks(text: str) -> bool:
    """Whether a message picks a choice: “yes”, “2”, “the second one”."""
    return is_agreed(text) or _place(text) is not None


def leans_back(text: str) -> bool:
    """Whether a message is worded as a step on."""
    said = signals.canonical(text)
    return is_step(said) or signals.is_fragment(text) or signals.begins_leaning(said)


def is_question(text: str) -> bool:
    """Whether a message is worded as a question."""
    return bool(signals.QUESTION.match(signals.canonical(text)))


def replied(
    text: str, offered: Sequence[tuple[str, Meaning]], lexicon: Lexicon, read: Sketches
) -> Meaning | tuple[Meaning, ...] | None:
    """Return the choice picked by place, words or a change that makes all one; else all with its change."""
    place = 0 if is_agreed(text) else _place(text)
    if place is not None:
        return offered[place][1] if place < len(offered) else None
    text = signals.BECAUSE.sub("", signals.MEANT.sub("", text)) or text
    said = {word.key for word in split(text)} - EMPTY
    named = [meaning for label, meaning in offered if said and said <= {word.key for word in split(label)}]
    if len(named) == 1:
        return named[0]
    if (picked := _picked_and_more(text, offered, read)) is not None:
        return picked
    plain = signals.REPLY.sub("", text)
    if stands_alone(plain, text, read) or names_all(plain, read):
        return None
    made = [step.meaning for _, meaning in offered if (step := followed(text, [meaning], lexicon, read))]
    meanings = tuple(dict.fromkeys(meaning for meaning in made if meaning is not None))
    if len(meanings) == 1 and meanings[0] in [meaning for _, meaning in offered]:
        return meanings[0]  # it names the figure of one
    if len(meanings) == 1 and _rivals(meanings[0], read(text)):
        return None
    if len(meanings) == 1:
        return meanings[0] if len(made) == len(offered) and None not in made else None
    return meanings or None


def _place(text: str) -> int | None:
    """Return the place named by “the second one” or “2”."""
    found = CHOSEN.match(text)
    if found is None:
        return None
    return int(found["number"]) - 1 if found["number"] else signals.PLACES[found["place"].lower()]


def _picked_and_more(text: str, offered: Sequence[tuple[str, Meaning]], read: Sketches) -> Meaning | None:
    """Return the choice whose figure opens a message, with what else it says: “revenue, per month this year”."""
    found = best_of(read, text)
    if found is None or found.problems or found.unread() or len(found.meaning.measures) != 1 or found.meaning.filters:
        return None
    opens = any(part.start == 0 and part.kind != "flag" for part in found.cover.parts if part.kind != "period")
    same = [meaning for _, meaning in offered if meaning.measures == found.meaning.measures and meaning.filters]
    if not opens or len(same) != 1 or len({meaning.filters for _, meaning in offered}) != 1:
        return None
    return replace(found.meaning, filters=same[0].filters, periods=found.meaning.periods or same[0].periods)


def _rivals(meaning: Meaning, found: Sequence[Sketch]) -> bool:
    """Whether the words of a figure name that of another table as well."""
    read = [(part, part.data.key) for sketch in found for part in sketch.parts("order") if part.data.key]
    chosen = [part for part, key in read if key in meaning.all_measures]
    return any(
        key not in meaning.all_measures and part.said == one.said and part.cost <= one.cost
        for one in chosen
        for part, key in read
    )
