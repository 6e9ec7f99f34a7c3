"""Pick rows by their place: “the second one”, “the third clinic”, “the first two”."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ai.language.numbers import number_of
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Field, Meaning
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import display
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.change import edited
from ai.nl2sql.threads.fragments import Sketches, best_of
from ai.nl2sql.threads.referents import list_before, referent, shown_key
from ai.nl2sql.threads.rows.shown import NO_REFERENT, about_shown
from ai.nl2sql.threads.rows.who import PLACES, owned, person_behind
from ai.nl2sql.threads.steps import Followed

WITHOUT = re.compile(r"^(?:and |so |now )?(?:without|minus|except)\b", re.IGNORECASE)
WHO_ASKED = re.compile(r"^(?:and |so |ok )*who\b", re.IGNORECASE)
NAME_IT = "Please name the one to leave out; I cannot leave one out by its place."


def about_place(body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Read a question about one row of the list, or about its first few."""
    rows = list_before(earlier)
    few = signals.FIRST_FEW.search(body)
    if few and (count := number_of(few["count"])) and (rows.order or rows.limit):
        found = best_of(read, _without(few, body))
        if found is not None and not found.unread() and (found.wanted or found.shown or found.parts("noun")):
            return about_shown(found, replace(rows, limit=int(count)), lexicon, body, few.group(), None)
    place = signals.ONE.search(body) or _nth(body, rows, lexicon, read)
    if place is None:
        return None
    if body.lower().startswith("where "):
        asked = (about_place(f"what is the {word} of {place.group()}", earlier, lexicon, read) for word in PLACES)
        return next((made for made in asked if made is not None and made.meaning is not None), None)
    rest, at = signals.STRIPPED.sub("", _without(place, body)), signals.PLACES[place["place"].lower()]
    found = best_of(read, rest or body)
    if found is None:
        return _at_place(earlier[0], rows, at, lexicon) if earlier[0].among and not rest.strip("?.! ") else None
    if WITHOUT.match(body):
        return Followed(None, problem=NAME_IT)
    person = _person_of(body, rows, at, found, lexicon)
    only = person or _only_moved(found, earlier[0], rows, at, body, lexicon) or _split(found, rows, at, body, lexicon)
    return only or about_shown(found, rows, lexicon, body, place.group(), at)


def _only_moved(found: Sketch, before: Meaning, rows: Meaning, at: int, body: str, lexicon: Lexicon) -> Followed | None:
    """Read a mere place: “and the second one”, “just the first one”."""
    if found.unread() or any(part.kind != "flag" for part in found.cover.parts):
        return None
    if before.among:
        return _at_place(before, rows, at, lexicon)
    plain = rows.order and not rows.fold and not rows.within and not signals.ASKS.match(signals.AND.sub("", body))
    only = _only_place(rows, at) if plain else None
    return Followed(only) if only else None


def _split(found: Sketch, rows: Meaning, at: int, body: str, lexicon: Lexicon) -> Followed | None:
    """Read “the second one by country”: the figure that ranks the list, of that row."""
    kinds = {part.kind for part in found.cover.parts}
    one = _only_place(rows, at) if kinds - {"flag"} == {"group"} and rows.all_measures and not found.unread() else None
    made = edited(found, one, lexicon, body, add=False) if one else None
    return made if made and made.meaning else None


def _person_of(body: str, rows: Meaning, place: int, found: Sketch, lexicon: Lexicon) -> Followed | None:
    about = referent(rows, lexicon, place) if WHO_ASKED.match(body) else None
    if not isinstance(about, Among):
        return None
    one = Meaning(about.field.table, columns=display(lexicon, about.field.table), among=(about,))
    return person_behind(found, one, lexicon) or owned(one, lexicon, body, leaders=True)


def _at_place(before: Meaning, rows: Meaning, place: int, lexicon: Lexicon) -> Followed:
    """“and of the last one?”: the same question about another row of the list."""
    about = referent(rows, lexicon, place)
    if not isinstance(about, Among) or about.field != before.among[-1].field:
        return Followed(None, problem=NO_REFERENT.format("the one"))
    return Followed(replace(before, among=(*before.among[:-1], about)))


def _only_place(rows: Meaning, place: int) -> Meaning | None:
    """“just the first one”: that row of the list alone."""
    if place >= 0:
        return replace(rows, limit=1, offset=rows.offset + place)
    return replace(rows, limit=1, offset=rows.offset + rows.limit - 1) if rows.limit else None


def _without(found: re.Match[str], body: str) -> str:
    return " ".join(f"{body[: found.start()]} {body[found.end() :]}".split())


def _nth(body: str, rows: Meaning, lexicon: Lexicon, read: Sketches) -> re.Match[str] | None:
    """Return “the second clinic” where clinics were listed."""
    found, key = signals.NTH.search(body), shown_key(rows, lexicon)
    sketch = best_of(read, found["what"]) if found and key else None
    parts = [part for part in sketch.cover.parts if part.kind != "flag"] if sketch else []
    return found if len(parts) == 1 and key is not None and _names(parts[0].data, key) else None


def _names(data: object, key: Field) -> bool:
    return data == key.table or (isinstance(data, Field) and data.column == key.column)
