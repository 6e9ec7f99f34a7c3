"""Things named beside the rows: shown with them, or rows that must be there."""

from ai.nl2sql.chart.parts import Part
from ai.nl2sql.meaning import Presence
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import display, noun
from ai.nl2sql.vocabulary import is_kind
from ai.nl2sql.words import name_parts, singular, stems

RECEIVING = frozenset("got get gets received receives receive has had won earned earns".split())
PERSONS = ("people", "holder", "buyer")
OF_ROWS = 0.7  # things named only as a column of other rows


def nouns(sketch: Sketch) -> None:
    """Tables named without a part so far: shown beside the rows, or related rows must exist."""
    meaning = sketch.meaning
    covered = sketch.meaning.tables | {p.table for p in meaning.presences}
    covered |= {r.key.table for r in sketch.data("rank") if r.key is not None}
    asked = [part for part in sketch.parts("noun") if part.data == meaning.subject]
    sketch.cost += OF_ROWS * (bool(asked) and all(_enumerated(sketch, part) for part in asked))
    _said_by_key(sketch)
    for part in sketch.parts("noun"):
        table = str(part.data)
        if table in covered:
            continue
        path = sketch.lexicon.links.path(meaning.subject, table) if meaning.subject else None
        if path is None:
            sketch.doubt(
                f"I find no link between {noun(sketch.lexicon, meaning.subject)} and {noun(sketch.lexicon, table)}."
            )
            continue
        if _between(sketch, table):
            continue
        if (
            (_beside(sketch, part.start) or _enumerated(sketch, part))
            and display(sketch.lexicon, table)
            and not meaning.measures
            and not meaning.groups
        ):
            own = sketch.meaning.columns or display(sketch.lexicon, meaning.subject)
            sketch.edit(columns=tuple(dict.fromkeys((*own, *display(sketch.lexicon, table)))))
            sketch.cost += 0.3
            continue
        if any(link.many or link.optional for link in path):
            sketch.edit(presences=(*sketch.meaning.presences, Presence(table, present=True)))
        sketch.cost += 0.9


def whose(sketch: Sketch) -> None:
    """“who got the biggest payout”: rows without a name of somebody are shown with the one person that each is of."""
    meaning, lexicon, words = sketch.meaning, sketch.lexicon, sketch.lattice.words
    if len(words) < 2 or words[0].key != "who" or words[1].key not in RECEIVING:
        return
    if meaning.measures or meaning.groups or not meaning.columns or is_kind(meaning.subject, *PERSONS):
        return
    near = [link.target for link in lexicon.links.steps.get(meaning.subject, ()) if not link.many]
    people = [table for table in near if is_kind(table, *PERSONS) and display(lexicon, table)]
    if len(people) == 1 and not {*people} & {field.table for field in meaning.columns}:
        sketch.edit(columns=(*display(lexicon, people[0]), *meaning.columns))


def _enumerated(sketch: Sketch, thing: Part) -> bool:
    """“name, team and launch date for all apps”, “reviews of today, app, country and title”: a thing among columns."""
    words = sketch.lattice.words
    one = singular(words[thing.end - 1].key) == words[thing.end - 1].key
    before = any(part.data == sketch.meaning.subject and part.end <= thing.start for part in sketch.parts("noun"))
    columns = [part for part in sketch.parts("attribute") if part.start >= thing.end]
    if one and before and len(columns) > 1 and columns[0].start == thing.end and len(sketch.shown) == len(columns):
        return True
    after_column = any(part.end == thing.start for part in sketch.parts("attribute"))
    rows = [part for part in sketch.parts("noun") if part.start > thing.end and part.data != thing.data]
    of = {word.key for part in rows for word in words[max(0, part.start - 2) : part.start]} & {"for", "of"}
    return one and after_column and bool(of)


def _said_by_key(sketch: Sketch) -> None:
    """A table named twice, the second time by a key to it: “students who have president votes”."""
    seen: dict[str, Part] = {}
    for part in sketch.parts("noun"):
        first = seen.setdefault(str(part.data), part)
        if first is not part and first.said.lower() != part.said.lower() and _is_key_name(sketch, part):
            sketch.doubt(f"I cannot tell what “{part.said}” adds here.")


def _is_key_name(sketch: Sketch, part: Part) -> bool:
    """Whether a table is called by the name of a key to it."""
    table, said = str(part.data), set(stems(part.said.lower().split()))
    keys = [column for other in sketch.lexicon.catalog.tables for key in other.foreign_keys
            if key.target_table.lower() == table.lower() for column in key.columns]  # fmt: skip
    return not said & set(stems(name_parts(table))) and any(said <= set(stems(name_parts(key))) for key in keys)


def _between(sketch: Sketch, table: str) -> bool:
    """Whether the way to another thing spoken of leads through the table."""
    others = sketch.meaning.tables | {p.table for p in sketch.meaning.presences}
    paths = [sketch.lexicon.links.path(sketch.meaning.subject, other) or () for other in others]
    return any(link.target == table for path in paths for link in path)


def _beside(sketch: Sketch, start: int) -> bool:
    """Whether the words before point from the rows to this name: “with their team”, “and their courses”."""
    before = [word.key for word in sketch.lattice.words[max(0, start - 2) : start]]
    return bool(before) and (before[-1] in ("their", "its", "and") or before in (["and", "the"], ["with", "the"]))
