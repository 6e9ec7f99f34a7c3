"""Read “which brand has none?” after a figure by things, and “how many without one?”: the rows of no thing."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Meaning, Period, Presence
from ai.nl2sql.reading.sketch import many_between
from ai.nl2sql.schema import display, noun
from ai.nl2sql.threads.fragments import Sketches, best_of
from ai.nl2sql.threads.steps import Followed

NONE = re.compile(
    r"^(?:and |so |but |ok )*(?:which|what|who)(?: (?:ones?|of (?:them|those|these)|(?P<thing>[\w' -]+?)))?"
    r" (?:has|have|had|got|did|with) (?:none|zero|nothing)(?: (?P<rest>\S.*?))?(?: (?:at all|so far|yet))?[?.! ]*$",
    re.IGNORECASE,
)

OF_NONE = re.compile(
    r"^(?:and |so |but |ok )*(?:how many )?(?:(?:are|is|have|has|do|does|there|of them) )*"
    r"(?:without|with no|(?:have|has) no|(?:don'?t|doesn'?t) have|with none|without any) (?:one|any|an? (?P<thing>\w+)|(?P<no>\w+))"
    r"[?.! ]*$",
    re.IGNORECASE,
)


def of_none(body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Count the rows that belong to none of the groups: apps without a team."""
    found, before = OF_NONE.match(body), earlier[0]
    if found is None or len(before.groups) != 1 or before.groups[0].column or len(before.measures) != 1 or before.fold:
        return None
    figure, thing = before.measures[0], before.groups[0].table
    said = found["thing"] or found["no"]
    table = lexicon.table(figure.table)
    keys = [key.columns for key in table.foreign_keys if key.target_table == thing and len(key.columns) == 1]
    column = table.column(keys[0][0]) if len(keys) == 1 else None
    if figure.function != "count" or column is None or not column.nullable or (said and not _names(said, thing, read)):
        return None
    empty = Filter(Field(table.name, column.name), "null")
    made = Meaning(
        table.name, measures=(replace(figure, where=()),), filters=(*before.filters, empty), periods=before.periods
    )
    return None if complaint(made, lexicon) else Followed(made)


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
