"""Read “which brand has none?” after a figure by things: those without a row of the figure."""

import re
from collections.abc import Sequence

from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Filter, Meaning, Period, Presence
from ai.nl2sql.reading.sketch import many_between
from ai.nl2sql.schema import display, noun
from ai.nl2sql.threads.fragments import Sketches, best_of
from ai.nl2sql.threads.steps import Followed

NONE = re.compile(
    r"^(?:and |so |but |ok )*(?:which|what|who)(?: (?:ones?|of (?:them|those|these)|(?P<thing>[\w' -]+?)))?"
    r" (?:has|have|had|got|did|with) (?:none|zero|nothing)(?: (?P<rest>\S.*?))?(?: (?:at all|so far|yet))?[?.! ]*$",
    re.IGNORECASE,
)


def without_any(body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches) -> Followed | None:
    """List the things without a row of a figure, in the time said or else in its own."""
    found, before = NONE.match(body), earlier[0]
    figure = next(iter(before.measures or before.all_measures), None)
    if found is None or figure is None or len(before.groups) != 1 or before.groups[0].column or before.fold:
        return None
    thing = before.groups[0].table
    said = best_of(read, f"{noun(lexicon, figure.table)} {found['rest']}") if found["rest"] else None
    if found["thing"] and not _names(found["thing"], thing, read):
        return None
    if said is not None and (said.unread() or not (said.meaning.periods or said.meaning.filters)):
        return None
    of_thing = tuple(test for test in before.filters if not many_between(lexicon, thing, test.field.table))
    held: tuple[Filter | Period, ...] = tuple(test for test in before.filters if test not in of_thing)
    times = said.meaning.periods if said else before.periods
    where = (*held, *(said.meaning.filters if said else ()), *times)
    made = Meaning(
        thing, columns=display(lexicon, thing), filters=of_thing, presences=(Presence(figure.table, False, where),)
    )
    return None if complaint(made, lexicon) else Followed(made)


def _names(said: str, table: str, read: Sketches) -> bool:
    found = best_of(read, said)
    return found is not None and table in {str(part.data) for part in found.parts("noun")}
