"""Who is asked for: a key that refers to people or things is shown by their name."""

from dataclasses import replace

from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import display, referred_table

WHO = frozenset(("who", "whom"))
NUMBERS = frozenset(("id", "ids", "number", "code", "key"))


def named(sketch: Sketch) -> None:
    """Show names instead of the keys of a question for people, where one key leads to them."""
    said = {word.key for word in sketch.lattice.words}
    if not said & WHO or said & NUMBERS or sketch.problems:
        return
    found = _by_name(sketch.meaning, sketch.lexicon)
    if found is not None and complaint(found, sketch.lexicon) is None:
        sketch.meaning = found
        sketch.shown = [found.columns[-1] if referred_table(sketch.lexicon, field) else field for field in sketch.shown]


def _by_name(meaning: Meaning, lexicon: Lexicon) -> Meaning | None:
    keys = [(field, target) for field in meaning.columns if (target := referred_table(lexicon, field))]
    if len(keys) != 1 or meaning.measures:
        return None
    key, target = keys[0]
    people = display(lexicon, target.name)
    columns = tuple(shown for field in meaning.columns for shown in (people if field == key else (field,)))
    return replace(meaning, columns=columns, keys=(*meaning.keys, key)) if people else None
