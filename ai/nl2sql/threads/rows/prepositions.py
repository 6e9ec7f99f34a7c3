"""Read fragments led by a preposition as conditions on the answer before: “for food clients”, “to which depots”."""

import re

from ai.nl2sql.chart.parts import Flag
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.reading.sketch import many_between
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.change import checked, edited
from ai.nl2sql.threads.fragments import Sketches, best_of
from ai.nl2sql.threads.restrict import with_filters
from ai.nl2sql.threads.steps import Followed

WHICH = re.compile(r"^(?:which|what)\b", re.IGNORECASE)
NO_CONDITION = "I cannot read “{}” as a part of the question before; please ask it in full."
CONDITIONS = frozenset(("noun", "filter", "presence"))


def under_preposition(text: str, before: Meaning, lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Keep the answer before to the things named, or split it by a column asked for; refuse any other fragment."""
    found = signals.PREPOSITION.match(text)
    sketch = best_of(read, found["what"]) if found else None
    if found is None or sketch is None or sketch.unread() or sketch.wanted or sketch.flags("count"):
        return None
    parts = [part for part in sketch.cover.parts if not isinstance(part.data, Flag)]
    kinds, asks = {part.kind for part in parts}, bool(WHICH.match(found["what"]))
    lost = Followed(None, problem=NO_CONDITION.format(text.strip(" ?.!")))
    if kinds == {"attribute"} and len(parts) == 1:
        by = best_of(read, f"by {parts[0].said}") if asks and before.all_measures else None
        return edited(by, before, lexicon, text, add=False) if by and by.data("group") else lost
    nouns = [str(part.data) for part in parts if part.kind == "noun"]
    if len(nouns) != 1 or not kinds <= CONDITIONS:
        return None
    path = lexicon.links.path(before.root, nouns[0])
    if asks or kinds != {"noun", "filter"} or path is None or many_between(lexicon, before.root, nouns[0]):
        return lost
    return checked(with_filters(before, sketch), before, lexicon, tuple(sketch.notes[:2]), sketch)
