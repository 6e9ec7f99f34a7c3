"""Words that mean something else here: “by person” of employees, “and weekly?” of plans."""

import re

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Meaning
from ai.nl2sql.schema import display, noun
from ai.nl2sql.values import TERMS
from ai.nl2sql.words import keys, name_parts, singular

SPLIT = re.compile(r"(?P<by>\b(?:by|per|for each|for every|of each) )(?P<word>[^\W\d_]+)(?=[?.! ]*$)", re.IGNORECASE)
OF_IT = re.compile(
    r"^(?:and |so )?(?:who|what|which)(?:'?s| is| was) the (?P<what>(?!(?:\w+est|best|worst|next|second|third|other"
    r"|most|least|total|average|difference|change|reason|problem|trend|rest|sum|first|last)\b)[^\W\d_]+(?<!s))[?.! ]*$",
    re.IGNORECASE,
)
PERSON = frozenset(("person", "people", "individual"))
NAMED = frozenset(("first", "last", "full", "vorname", "nachname", "surname", "firstname", "lastname"))
TERM = re.compile(rf"^(?P<lead>(?:[a-z]+ ){{0,3}})(?P<term>{'|'.join(sorted(TERMS))})[?.! ]*$", re.IGNORECASE)
ONLY = re.compile(r"\b(?:only|just)\b", re.IGNORECASE)


def called_by_name(text: str, before: Meaning, lexicon: Lexicon) -> str:
    """Return a split with the persons meant, “its author” for “the author” of one article, else the message."""
    if before.limit == 1 and not before.fold and (one := OF_IT.match(text)) and not any(g.unit for g in before.groups):
        return f"what is its {one['what']}"
    if (term := TERM.match(text)) and _of_term(term, before, lexicon):
        return f"{term['lead']}{term['term']} ones"
    found = SPLIT.search(text)
    if found is None or any(sense.cost < 1 for sense in lexicon.senses(keys(found["word"]))):
        return text
    things = _persons(before, lexicon) if singular(found["word"].lower()) in PERSON else []
    if len(things) != 1:
        return text
    return f"{text[: found.start()]}{found['by']}{noun(lexicon, things[0], many=False)}{text[found.end() :]}"


def _of_term(said: re.Match[str], before: Meaning, lexicon: Lexicon) -> bool:
    """Whether “weekly” is said of plans, as these are told apart or “only” these are wanted, and not by week."""
    tests = (*before.filters, *(test for figure in before.all_measures for test in figure.where))
    told = {test.field for test in tests} | {Field(group.table, group.column or "") for group in before.groups}
    senses = lexicon.values.get((said["term"].lower(),), ())
    return any(sense.field in told for sense in senses) or (bool(senses) and bool(ONLY.search(said["lead"])))


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
