"""Which of several keys between two tables is meant: “flights arriving in Paris”, “visits per vet”."""

from ai.nl2sql.meaning import Field
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.words import name_parts, stem


def key_roles(sketch: Sketch) -> None:
    """Where two tables have several links, take the one whose key the words name: “flights arriving in Paris”."""
    words = {word.stem for word in sketch.lattice.words if word.stem}
    tables = _travelled(sketch)
    chosen: list[Field] = []
    for table in tables:
        for link in sketch.lexicon.links.steps.get(table, ()):
            rivals = sketch.lexicon.links.rivals(link)
            if len(rivals) < 2 or link.target not in tables:
                continue
            fits = [r for r in rivals if words & set(_role_words(r.keys[0][1]))]
            if len(fits) == 1 and Field(*fits[0].keys[0]) not in chosen:
                chosen.append(Field(*fits[0].keys[0]))
    sketch.edit(keys=tuple(dict.fromkeys((*sketch.meaning.keys, *chosen))))


ROLES = (
    "arrive arriving arrival destination dest to into landing land",
    "depart departing departure source origin from leaving leave",
    "home host hosting",
    "away visiting visitor guest",
    "winner won win beat",
    "loser lost lose",
)


def _travelled(sketch: Sketch) -> list[str]:
    """The tables that are spoken of, and those on the ways between them."""
    meaning = sketch.meaning
    named = meaning.tables | {presence.table for presence in meaning.presences}
    root = meaning.all_measures[0].table if meaning.all_measures else meaning.subject
    between = {link.target for table in named for link in sketch.lexicon.links.path(root, table) or ()}
    return sorted(named | between)


def _role_words(column: str) -> list[str]:
    own = [part for part in name_parts(column) if part not in ("id", "code", "no", "airport")]
    families = [family.split() for family in ROLES if set(own) & set(family.split())]
    said = [word for family in families for word in family if len(word) > 3]
    return [stem(word) for word in (*own, *said) if len(word) > 2]
