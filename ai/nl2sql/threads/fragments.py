"""Find the likeliest reading of a message, tell fragments, and find the word pointing back."""

import re
from collections.abc import Callable, Sequence

from ai.nl2sql.chart.cover import UNREAD
from ai.nl2sql.chart.parts import Flag, Wanted
from ai.nl2sql.grammar import kinds_of
from ai.nl2sql.meaning import Field, Group, Meaning, Measure
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.threads import signals
from ai.nl2sql.values import truths
from ai.nl2sql.words import Word, is_participle, split

OWN_ROWS = frozenset(("noun", "measure", "attribute", "rank", "group", "order"))
Sketches = Callable[[str], list[Sketch]]
HELD = frozenset({"had", "has", "have", "got"})
ALIKE = 0.06  # in cost, of two readings of the same words
KEEPING = re.compile(r"^(?:and |but |ok |so )*(?:just|only)\b|\bonly\W*$", re.IGNORECASE)


def best_of(read: Sketches, text: str) -> Sketch | None:
    """Return the likeliest reading; mere conditions may be right as a follow-up."""
    found = read(text)
    plain = min(found, key=lambda sketch: sketch.cover.cost + UNREAD * len(sketch.unread()), default=None)
    if fragment(plain):
        return plain
    return min(found, key=lambda sketch: sketch.cost, default=None)


def counting(read: Sketches, text: str, table: str) -> Sketch | None:
    """Return the likeliest reading of a mere count of rows."""
    own = [s for s in read(text) if not s.unread() and all(w.measure == Measure("count", table) for w in s.wanted)]
    return min(own, key=lambda sketch: sketch.cost, default=None)


def clearer(read: Sketches, stripped: str, body: str) -> Sketch | None:
    """Return the reading without leaning words, unless the whole message leaves fewer words unread."""
    found = best_of(read, stripped)
    if found is not None and not found.unread():
        return found
    plain = best_of(read, body)
    fewer = plain is not None and (found is None or len(plain.unread()) < len(found.unread()))
    return plain if fewer else found


def fragment(sketch: Sketch | None) -> bool:
    """Whether a message names nothing to ask of: only conditions, groups, an order."""
    if sketch is None:
        return False
    kinds = {part.kind for part in sketch.cover.parts}
    if not kinds - {"flag"} or sketch.flags("when"):
        return False
    return not kinds & {"noun", "measure", "attribute"}


def whole(found: Sketch) -> bool:
    """Whether a message names a figure or rows, and more than those."""
    kinds = {part.kind for part in found.cover.parts if not isinstance(part.data, Flag)}
    such = any(part.such for part in found.parts("noun"))
    return such or bool(kinds & {"period", "group", "filter", "rank", "having", "presence"})


def stands_whole(text: str, read: Sketches) -> bool:
    """Whether a message that is no edit reads as a question: it names rows and ranks or measures them."""
    found = best_of(read, text)
    if found is None or found.unread() or found.problems or not found.meaning.all_measures:
        return False
    kinds = {part.kind for part in found.cover.parts}
    return "noun" in kinds and bool(kinds & {"rank", "group"}) and bool(kinds & {"period", "filter", "measure"})


def asks_anew(text: str, read: Sketches) -> bool:
    """Whether what follows an “and” or “then” is a whole question: it names its figure or rows, and more."""
    rest = signals.AND.sub("", text)
    found = best_of(read, rest) if rest != text and not signals.begins_leaning(rest) else None
    if found is None or found.unread() or found.problems or fragment(found):
        return False
    return whole(found)


def pointing_word(text: str, read: Sketches) -> str | None:
    """Return the word pointing back, unless its message names a thing before it."""
    words = split(text)
    places = signals.pointers(words)
    if not places:
        return None
    found = best_of(read, text)
    first = places[0]
    named = [
        p
        for p in (found.cover.parts if found else ())
        if p.tables
        and p.end <= first
        and p.kind in ("noun", "filter", "measure", "rank")
        and not p.note  # “use” in “how many people use it” is a guess at users
        and not _is_verb(words, p.start)
    ]
    between = {word.key for word in words[max(p.end for p in named) : first]} if named else set()
    own = words[first].key in ("its", "their", "his", "her") and len(named) > _is_asked(words, first)
    beside = bool(named) and max(part.end for part in named) == first and not _is_done_to(words, first)
    beside = beside and not _is_theirs(words, first) and not (len(named) == 1 and _did(words, first))
    outside = first > 0 and words[first - 1].key == "with" and words[first].key in ("them", "it", "him", "her", "those")
    if named and (own or beside or (not outside and between & {"and", "that", "who", "which", "with", "whose"})):
        return None
    return words[first].text


def _is_verb(words: Sequence[Word], at: int) -> bool:
    """Whether a word stands where a verb does: “did we pay them”."""
    before = [word.key for word in words[max(0, at - 2) : at]]
    return (
        len(before) == 2
        and before[0] in signals.AUXILIARIES
        and before[1] in ("we", "they", "you", "i", "it", "he", "she")
    )


def named_before(text: str, read: Sketches) -> bool:
    """Whether the first word pointing back means a thing of its own message.

    “That app” means one named before: of “releases of that app” it is none of the releases.
    """
    words, found = split(text), best_of(read, text)
    first = signals.pointers(words)[0]
    parts = found.cover.parts if found else ()
    named = [part for part in parts if part.tables and part.end <= first]
    things = [part.tables for part in parts if part.kind == "noun" and part.start == first + 1]
    if things and words[first].key in signals.DEMONSTRATIVE:
        return any(things[0] & part.tables for part in named)
    asked = _is_asked(words, first) or (_is_theirs(words, first) and any(part.end >= first - 1 for part in named))
    return len(named) > asked  # of “installs of those” the installs are asked for


def _is_asked(words: Sequence[Word], pointer: int) -> bool:
    """Whether the thing before a pointing word is asked for: in “how many apps do they have” they are its owners."""
    auxiliary = pointer > 0 and words[pointer - 1].key in signals.AUXILIARIES
    return auxiliary or _is_done_to(words, pointer) or _did(words, pointer)


def _is_theirs(words: Sequence[Word], pointer: int) -> bool:
    """Whether what stands before a pointing word belongs to it: “total amount of these”, “releases it had”."""
    after = {word.key for word in words[pointer + 1 : pointer + 2]}
    return pointer > 0 and (words[pointer - 1].key == "of" or bool(after & HELD))


def _did(words: Sequence[Word], pointer: int) -> bool:
    """Whether people shown before did something to what is named: “how many tickets they opened”."""
    after = next((word.key for word in words[pointer + 1 : pointer + 2]), "")
    return words[pointer].key in ("they", "he", "she") and (is_participle(after) or "verb" in kinds_of(after))


def _is_done_to(words: Sequence[Word], pointer: int) -> bool:
    """Whether something was done to what is pointed at: “how many people installed it”, “… installed that one”."""
    keys = [word.key for word in words[pointer : pointer + 2]]
    pointed = keys[0] in ("it", "them") or keys in (["that", "one"], ["this", "one"])
    return pointer > 0 and pointed and is_participle(words[pointer - 1].key)


def names_its_own(sketch: Sketch, text: str) -> bool:
    """Whether a leaning message is nevertheless whole: it asks how many, or which, of something of its own."""
    if "same" in text.lower() or "instead" in text.lower():
        return False
    parts = {part.kind for part in sketch.cover.parts}
    asks = any(isinstance(p.data, Flag) and p.data.sign in ("list", "who", "when") for p in sketch.cover.parts)
    counted = any(
        isinstance(p.data, Wanted) and p.said.lower().startswith(("how many", "number of", "wie viele"))
        for p in sketch.cover.parts
    )
    if sketch.problems or sketch.unread():
        return False
    each = text.lower().rstrip("?. ").endswith("each")
    return bool(parts & {"noun", "measure", "attribute"}) and (asks or counted) and not each and len(text.split()) > 4


def is_of_new(found: Sketch, before: Meaning) -> bool:
    """Whether new things are asked for by the day that they came: “new signups in 2026” after those who left."""
    days, held = {period.field for period in found.meaning.periods}, {period.field for period in before.periods}
    return bool(found.flags("new") and days and held and not days & held)


def gives_another(text: str, made: Meaning, before: Meaning) -> bool:
    """Whether a sum by funder stands for “list them with funder and amount”, or a count for “how much”."""
    if signals.HOW_MUCH.match(text):
        return not before.all_measures and all(measure.function == "count" for measure in made.measures)
    by_others = bool(made.groups and made.measures) and not before.groups and Group(before.subject) not in made.groups
    return by_others and signals.LISTED.match(text) is not None


def named_and_split(found: Sketch, before: Meaning) -> str:
    """Return the split of a message naming all values of a condition: “all grades, by grade” after those of one."""
    parts = [part for part in found.cover.parts if not isinstance(part.data, Flag)]
    split = next((part for part in parts if part.kind == "group"), None)
    if (
        split is None
        or found.unread()
        or not before.all_measures
        or any(part.kind not in ("group", "attribute") for part in parts)
    ):
        return ""
    columns = {Field(group.table, group.column or "") for group in split.data}
    named = {part.data for part in parts if part.kind == "attribute"}
    return split.said if named == columns and columns & {test.field for test in before.filters} else ""


def of_those(text: str, read: Sketches, before: Meaning | None = None) -> str:
    """Return “how many of those are open” for a count without rows of its own: “how many are open”.

    “Its orders” after its sales are the rows of that figure: “orders”.
    """
    if before is not None and (rows := _rows_of_figure(text, read, before)):
        return rows
    said = signals.HOW_MANY_ARE.match(text)
    found = best_of(read, text) if said else None
    if said is None or found is None:
        return text
    by_value = [part for part in found.cover.parts if isinstance(part.data, Wanted) and part.data.filters]
    grouped = before is not None and before.groups
    such = [*by_value, *(part for part in found.cover.parts if grouped and _is_yes_or_no(part.data, found))]
    if any(part.kind in OWN_ROWS and part not in such for part in found.cover.parts):
        return text
    return f"how many of those {said['rest']}"


def _rows_of_figure(text: str, read: Sketches, before: Meaning) -> str:
    said = signals.POSSESSED.match(text)
    figures = {measure.table for measure in before.measures if measure.function != "count"}
    found = best_of(read, said["what"]) if said and figures and not before.groups else None
    nouns = [str(part.data) for part in found.parts("noun")] if found and not found.unread() else []
    return said["what"] if said and len(nouns) == 1 and nouns[0] in figures else ""


def _is_yes_or_no(data: object, found: Sketch) -> bool:
    return isinstance(data, Field) and bool(truths(found.lexicon.column(data)))


def fitting(text: str, before: Meaning, found: Sketch | None, read: Sketches) -> Sketch | None:
    """Return the reading that fits the question before: values of its columns, and no figure in “only season passes”."""
    if found is None or not found.meaning.filters:
        return found
    found = _of_known_column(text, before, found, read)
    if not (KEEPING.search(text) and before.measures and found.wanted):
        return found
    said = [part.said for part in found.parts("measure")]
    less = best_of(read, text.replace(said[0], "")) if len(said) == 1 and " " not in said[0] else None
    same = less is not None and less.meaning.filters == found.meaning.filters and not less.unread()
    return less if same else found


def _of_known_column(text: str, before: Meaning, found: Sketch, read: Sketches) -> Sketch:
    """Read “and email” after a channel as a channel, where a topic is called so too."""
    known = {test.field for test in before.filters}
    if any(test.field in known for test in found.meaning.filters):
        return found
    alike = (other for other in read(text) if abs(other.cost - found.cost) < ALIKE and other.unread() == found.unread())
    one = len(found.meaning.filters) == 1
    return next(
        (o for o in alike if one and len(o.meaning.filters) == 1 and o.meaning.filters[0].field in known), found
    )
