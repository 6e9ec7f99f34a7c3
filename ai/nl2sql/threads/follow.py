"""Reading a follow-up: an explicit step back, an edit of the meaning before, or a new question about what was shown."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ai.nl2sql.chart.cover import UNREAD
from ai.nl2sql.chart.parts import Flag, Wanted
from ai.nl2sql.definitions import is_term
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Meaning
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.change import edited
from ai.nl2sql.threads.shown import about_shown
from ai.nl2sql.threads.steps import CONTINUES_NOTHING, Followed, stepped
from ai.nl2sql.words import split

Sketches = Callable[[str], list[Sketch]]


def usable(previous: Meaning | None, lexicon: Lexicon) -> Meaning | None:
    """The previous meaning, if its tables and metrics are still there: the database or the file may have changed since."""
    if previous is None or any(lexicon.catalog.table(table) is None for table in previous.tables):
        return None
    metrics = [Field(m.table, m.column or "") for m in previous.all_measures if m.function == "metric"]
    terms = [f.field for f in previous.conditions if is_term(f.field)]
    known = all(field in lexicon.metrics for field in metrics) and all(field in lexicon.terms for field in terms)
    return previous if known else None


def followed(text: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Read a message after others; None when it is a question of its own."""
    if signals.NEW.match(text):
        return None
    correcting = signals.CORRECTION.match(text) is not None
    body = signals.CORRECTION.sub("", text)
    pointing = _pointing(body, read)
    leaning = correcting or signals.begins_leaning(body) or bool(signals.ONLY.search(body))
    if not earlier:
        lost = (
            signals.UNDO.match(text)
            or signals.ONLY.match(body)
            or (pointing is not None and not _named_before(body, read))
            or _continues(body, read, leaning=leaning)
        )
        return Followed(None, problem=CONTINUES_NOTHING) if lost else None
    step = stepped(body, earlier)
    if step is not None:
        return step
    stripped = signals.STRIPPED.sub("", body) or body
    whole = signals.ALL_OF.search(stripped)
    if whole and leaning:
        return _widened(stripped, whole["what"], earlier[0], lexicon, read)
    return _leaning(body, stripped, earlier[0], lexicon, read, pointing, leaning=leaning)


def _continues(text: str, read: Sketches, *, leaning: bool) -> bool:
    """Whether a first message leans on something that was never asked."""
    best = min(read(text), key=lambda sketch: sketch.cost, default=None)
    if best is None or not _fragment(best):
        return False
    return leaning or (bool(best.problems) and not best.unread())


def _leaning(
    body: str, stripped: str, before: Meaning, lexicon: Lexicon, read: Sketches, pointing: str | None, *, leaning: bool
) -> Followed | None:
    """Read a message as a question about what was shown, as an edit, or (None) as one that stands alone."""
    place = signals.ONE.search(body)
    if place:
        stripped = signals.ONE.sub("", stripped)
    found = _clearer(read, stripped, body)
    if found is None:
        return Followed(None, problem=CONTINUES_NOTHING)
    if place:
        return about_shown(found, before, lexicon, body, place.group(), signals.PLACES[place["place"].lower()])
    if pointing is not None:
        return about_shown(found, before, lexicon, body, pointing, None)
    if _fragment(found) or (leaning and not _stands(found, body)):
        adding = bool(signals.ADDING.search(body)) and "same" not in body.lower()
        return edited(found, before, lexicon, body, add=adding)
    return None


def _clearer(read: Sketches, stripped: str, body: str) -> Sketch | None:
    """The reading without the words that only lean, unless the whole message leaves fewer words unread."""
    found = _best(read, stripped)
    if found is not None and not found.unread():
        return found
    plain = _best(read, body)
    fewer = plain is not None and (found is None or len(plain.unread()) < len(found.unread()))
    return plain if fewer else found


def _best(read: Sketches, text: str) -> Sketch | None:
    """The likeliest reading; what is wrong with mere conditions alone may be right as a follow-up."""
    found = read(text)
    plain = min(found, key=lambda sketch: sketch.cover.cost + UNREAD * len(sketch.unread()), default=None)
    if _fragment(plain):
        return plain
    return min(found, key=lambda sketch: sketch.cost, default=None)


def _pointing(text: str, read: Sketches) -> str | None:
    """The word that points back, unless something is named before it in the same message."""
    words = split(text)
    places = signals.pointers(words)
    if not places:
        return None
    found = _best(read, text)
    first = places[0]
    named = [
        p
        for p in (found.cover.parts if found else ())
        if p.tables and p.end <= first and p.kind in ("noun", "filter", "measure", "rank")
    ]
    between = {word.key for word in words[max(p.end for p in named) : first]} if named else set()
    own = words[first].key in ("its", "their", "his", "her")
    beside = bool(named) and max(part.end for part in named) == first
    if named and (own or beside or between & {"and", "that", "who", "which", "with", "whose"}):
        return None
    return words[first].text


def _named_before(text: str, read: Sketches) -> bool:
    """Whether the first word that points back has something to mean in its own message.

    In “how many apps do they have” the apps are what is asked, not who has them.
    """
    words, found = split(text), _best(read, text)
    first = signals.pointers(words)[0]
    named = [part for part in (found.cover.parts if found else ()) if part.tables and part.end <= first]
    inverted = words[first - 1].key in signals.AUXILIARIES if first else False
    return len(named) > inverted


def _fragment(sketch: Sketch | None) -> bool:
    """Whether a message names nothing to ask of: only conditions, groups, an order."""
    if sketch is None:
        return False
    kinds = {part.kind for part in sketch.cover.parts}
    if not kinds - {"flag"} or sketch.flags("when"):
        return False
    return not kinds & {"noun", "measure", "attribute"}


def _stands(sketch: Sketch, text: str) -> bool:
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


def _widened(text: str, what: str, before: Meaning, lexicon: Lexicon, read: Sketches) -> Followed:
    """“for all countries”: the condition on them goes; the rest of the message is an edit of its own."""
    rest = signals.ALL_OF.sub("", text).strip(" ,.!?")
    found = _best(read, f"list {what}")
    fields = {f for part in (found.cover.parts if found else ()) if isinstance(f := part.data, Field)}
    tables = {str(part.data) for part in (found.parts("noun") if found else ())}
    gone = tuple(
        f for f in before.filters if any(f.field.column == w.column for w in fields) or f.field.table in tables
    )
    if not gone:
        return Followed(None, problem=f"There is no condition on {what} to leave out.")
    meaning = replace(before, filters=tuple(f for f in before.filters if f not in gone))
    if not rest:
        return Followed(meaning)
    sketch = _best(read, signals.STRIPPED.sub("", rest + " "))
    if sketch is None:
        return Followed(None, problem=CONTINUES_NOTHING)
    return edited(sketch, meaning, lexicon, rest, add=False)
