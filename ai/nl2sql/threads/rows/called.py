"""Words for persons that the data calls otherwise: “by person” of employees."""

import re

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.schema import display, noun
from ai.nl2sql.words import keys, name_parts, singular

SPLIT = re.compile(r"(?P<by>\b(?:by|per|for each|for every|of each) )(?P<word>[^\W\d_]+)(?=[?.! ]*$)", re.IGNORECASE)
PERSON = frozenset(("person", "people", "individual"))
NAMED = frozenset(("first", "last", "full", "vorname", "nachname", "surname", "firstname", "lastname"))


def called_by_name(text: str, before: Meaning, lexicon: Lexicon) -> str:
    """Return a split with the persons that its word stands for, the message itself where it stands for none."""
    found = SPLIT.search(text)
    if found is None or any(sense.cost < 1 for sense in lexicon.senses(keys(found["word"]))):
        return text
    things = _persons(before, lexicon) if singular(found["word"].lower()) in PERSON else []
    if len(things) != 1:
        return text
    return f"{text[: found.start()]}{found['by']}{noun(lexicon, things[0], many=False)}{text[found.end() :]}"


def _persons(before: Meaning, lexicon: Lexicon) -> list[str]:
    """Return the nearest tables of persons that each row has one of."""
    near: dict[str, int] = {}
    for table in lexicon.tables:
        way = lexicon.links.path(before.root, table)
        names = {part for field in display(lexicon, table) for part in name_parts(field.column)}
        if way and names & NAMED and not any(link.many for link in way):
            near[table] = len(way)
    least = min(near.values(), default=0)
    return [table for table, steps in near.items() if steps == least]
