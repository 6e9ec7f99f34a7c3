"""Reads a message as steps over the last result. Pure.

Every word must fit the result: a column, a value, its number of rows. All else is a question for the analyst, and so
are filters and rankings of a result with a LIMIT, unless the message says “of these”.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from ai.language.names import country_spellings
from ai.language.numbers import COUNT, FIGURE, number_of
from ai.language.words import name_parts, singular
from ai.results.reshape import Columns, Comparison, First, Keep, Pivot, Rename, Share, Sort, Step

OPENING = re.compile(
    r"^(?:(?:please|pls|ok|okay|and|now|then|can you|could you|would you|i want to see|let'?s)[, ]+)*", re.IGNORECASE
)
CLOSING = re.compile(r"[ ,]*(?:,? please|instead|now|again|in (?:a|the) table|as a table)*[?.! ]*$", re.IGNORECASE)
IT = r"(?:it|them|this|that|these|those|(?:the|this|that) (?:result|results|table|rows|list))"
MEANT = re.compile(r"\b(?:these|those|them|this result|this table|this list)\b", re.IGNORECASE)
DOWN = r"desc|descending|(?:highest|largest|biggest|newest|latest|most) first|from (?:high|highest) to (?:low|lowest)"
UP = r"asc|ascending|(?:lowest|smallest|oldest|least) first|alphabetically|from (?:low|lowest) to (?:high|highest)"
ONES = r"(?: (?:ones|rows|entries|lines|results|of (?:it|them|these|those)))?"
COMPARISONS: tuple[tuple[str, Comparison], ...] = (
    (r">=|at least|not less than", ">="),
    (r"<=|at most|not more than|up to", "<="),
    (r">|over|above|(?:is |are )?(?:more|greater|higher|larger) than", ">"),
    (r"<|under|below|(?:is |are )?(?:less|fewer|lower|smaller) than", "<"),
)
NEXT = re.compile(
    r",? (?:and )?then |(?:,| and|, and) (?=show|keep|take|sort|order|only|just|the top|without|drop|hide)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ResultShape:
    """The result the words must fit. `whole` is false for a result that was cut or has a LIMIT."""

    titles: tuple[str, ...]
    row_count: int
    whole: bool = True
    numbers: tuple[int, ...] = ()
    holding: Callable[[str], tuple[int, ...]] = field(default=lambda _: ())

    def column(self, said: str | None) -> int | None:
        """Return the column named in full, or the only one with all the words."""
        wanted = _words(said or "")
        if not wanted:
            return None
        same = [place for place, title in enumerate(self.titles) if _words(title) == wanted]
        within = [place for place, title in enumerate(self.titles) if set(wanted) <= set(_words(title))]
        found = same or within
        return found[0] if len(found) == 1 else None


def sounds_like_steps(text: str) -> bool:
    """Return whether the words alone read as steps; a value to keep may as well be one of the database."""
    plain, is_shown = _plain(text)
    rules = [pattern for pattern, _, build in RULES if build is not _kept]
    return is_shown or all(any(pattern.fullmatch(part) for pattern in rules) for part in NEXT.split(plain))


def may_be_steps(text: str) -> bool:
    """Return whether the words may be steps over rows not looked at yet."""
    plain, is_shown = _plain(text)
    return is_shown or all(any(pattern.fullmatch(part) for pattern, *_ in RULES) for part in NEXT.split(plain))


def read_steps(text: str, facts: ResultShape) -> tuple[Step, ...] | None:
    """Return the steps, () to show the result again, None if the message is not about the result."""
    plain, is_shown = _plain(text)
    if is_shown:
        return ()
    steps: list[Step] = []
    for part in NEXT.split(plain):
        found = _step(part, _after(facts, steps), meant=bool(MEANT.search(plain)))
        if not found:
            return None
        steps += found
    return tuple(steps)


def _plain(text: str) -> tuple[str, bool]:
    """Return the words without their courtesies, and whether they ask to show the result again."""
    opened = OPENING.sub("", " ".join(text.split()))
    plain = CLOSING.sub("", opened)
    return plain, bool(SHOW.fullmatch(opened.rstrip("?.! ")) or SHOW.fullmatch(plain))


def _after(facts: ResultShape, steps: list[Step]) -> ResultShape:
    """Return the facts after an order: “first” then means the first rows."""
    return replace(facts, numbers=()) if any(isinstance(step, Sort) for step in steps) else facts


def _step(part: str, facts: ResultShape, *, meant: bool) -> tuple[Step, ...] | None:
    for pattern, needs_whole, build in RULES:
        if said := pattern.fullmatch(part):
            if needs_whole and not (facts.whole or meant):
                return None
            return build(said, facts)
    return None


def _sorted(said: re.Match[str], facts: ResultShape) -> tuple[Step, ...] | None:
    column = _figure(said, facts)
    return None if column is None else (Sort(column, descending=bool(said["down"])),)


def _some(said: re.Match[str], facts: ResultShape) -> tuple[Step, ...] | None:
    """Read first, highest or lowest rows."""
    count, end = number_of(said["count"]), said["end"].lower()
    if count is None or not 0 < (rows := int(count)) <= facts.row_count:
        return None
    if end == "first":
        return (First(rows),)
    column = _figure(said, facts)
    if column is None:
        return (First(rows),) if end == "top" and not facts.numbers and not said["column"] else None
    return Sort(column, descending=end in ("top", "highest", "largest", "biggest")), First(rows)


def _kept(said: re.Match[str], facts: ResultShape) -> tuple[Step, ...] | None:
    value = said["value"].strip(" \"'\u201c\u201d")
    places = facts.holding(value)
    if not places:  # "only Germany" of a column of codes
        value = next((each for each in country_spellings(value) if facts.holding(each)), value)
        places = facts.holding(value)
    return (Keep(places[0], "!=" if said["without"] else "=", value),) if len(places) == 1 else None


def _compared(said: re.Match[str], facts: ResultShape) -> tuple[Step, ...] | None:
    column = facts.column(said["column"])
    if column not in facts.numbers or column is None:
        return None
    number = number_of(said["number"])
    if number is None:
        return None
    comparison = next(sign for words, sign in COMPARISONS if re.fullmatch(words, said["comparison"], re.IGNORECASE))
    return (Keep(column, comparison, number),)


def _shared(said: re.Match[str], facts: ResultShape) -> tuple[Step, ...] | None:
    column = _figure(said, facts)
    return (Share(column),) if column is not None and column in facts.numbers else None


def _crossed(said: re.Match[str], facts: ResultShape) -> tuple[Step, ...] | None:
    """Read a cross table of a row, a column and a number; at most one of them may be left out."""
    value, across = _only(facts.numbers), facts.column(said["across"]) if said["across"] else None
    named = facts.column(said["down"]) if said["down"] else None
    if value is None or (said["across"] and across is None) or (said["down"] and named is None):
        return None
    rest = [place for place in range(len(facts.titles)) if place not in (value, across, named)]
    across = rest.pop() if across is None and rest else across
    down = rest[0] if named is None and len(rest) == 1 else named
    return None if down is None or across is None else (Pivot(down, across, value),)


def _renamed(said: re.Match[str], facts: ResultShape) -> tuple[Step, ...] | None:
    column = facts.column(said["column"])
    return None if column is None else (Rename(column, said["title"].strip(" \"'\u201c\u201d")),)


def _chosen(said: re.Match[str], facts: ResultShape) -> tuple[Step, ...] | None:
    places = [facts.column(name) for name in re.split(r", and |, | and ", said["columns"])]
    known = [place for place in places if place is not None]
    if len(known) < len(places):
        return None
    if said["without"]:
        known = [place for place in range(len(facts.titles)) if place not in known]
    return (Columns(tuple(known)),) if known else None


def _figure(said: re.Match[str], facts: ResultShape) -> int | None:
    """Return the named column, else the only one of numbers."""
    return facts.column(said["column"]) if said["column"] else _only(facts.numbers)


def _only(places: tuple[int, ...]) -> int | None:
    return places[0] if len(places) == 1 else None


def _words(text: str) -> list[str]:
    return [singular(word) for word in name_parts(text) if word not in ("the", "column", "columns", "of")]


def told(steps: tuple[Step, ...], titles: tuple[str, ...]) -> str:
    """Describe the steps, for the small print."""
    said, names = [], list(titles)
    for step in steps:
        said.append(TELL[type(step)](step, names))
        if isinstance(step, Columns):
            names = [names[place] for place in step.columns]
    return ", ".join(said)


TELL: dict[type[Step], Callable[[Any, list[str]], str]] = {
    Sort: lambda step, names: f"sorted by {names[step.column]}, {'highest' if step.descending else 'lowest'} first",
    Keep: lambda step, names: f"only where {names[step.column]} {step.comparison} {step.value}",
    First: lambda step, _: f"the first {step.count}",
    Columns: lambda step, names: f"only {' and '.join(names[place] for place in step.columns)}",
    Rename: lambda step, names: f"{names[step.column]} called {step.title}",
    Share: lambda step, names: f"with the share of the total {names[step.column]}",
    Pivot: lambda step, names: f"{names[step.value]} by {names[step.down]} and {names[step.across]}",
}


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


SHOW = _rule(
    rf"(?:as )?(?:a |the )?table|(?:show|give|display)(?: me)? {IT}(?: (?:again|(?:as|in) (?:a|the) table))*"
    rf"|(?:show|give)(?: me)? (?:a|the) table"
)
BY = rf"(?: by (?:the )?(?P<column>(?:(?!{DOWN}|{UP}).)+?))?"
Build = Callable[[re.Match[str], ResultShape], tuple[Step, ...] | None]
RULES: tuple[tuple[re.Pattern[str], bool, Build], ...] = (
    (_rule(rf"(?:re-?)?(?:sort|order)(?:ed)?(?: {IT})?{BY}(?:,? ?(?:(?P<down>{DOWN})|{UP}))?"), False, _sorted),
    (
        _rule(
            rf"(?:(?:only|just|keep|take|show|give|me|the|filter to) )*(?P<end>first) (?P<count>{COUNT})"
            rf"{ONES}(?P<column>(?!))?"
        ),
        False,
        _some,
    ),
    (
        _rule(
            r"(?:(?:only|just|keep|take|show|give|me|the) )*"
            r"(?P<end>top|bottom|highest|lowest|largest|smallest|biggest) "
            rf"(?P<count>{COUNT}){ONES}{BY}"
        ),
        True,
        _some,
    ),
    (
        _rule(
            r"(?:only|just|keep|filter|show|those|these|the|ones|rows|to|me| )*(?:where|with|having) "
            r"(?P<column>.+?) (?:is |are )?"
            rf"(?P<comparison>{'|'.join(words for words, _ in COMPARISONS)}) ?(?P<number>{FIGURE})"
        ),
        True,
        _compared,
    ),
    (
        _rule(
            r"(?:(?:add|show|give|as|what is|with|me|its|their|the|a) )*"
            r"(?:share|percentage|percent|proportion)s?(?: of (?:the )?total)?"
            r"(?: (?:of|for|by) (?:the )?(?P<column>.+?))?"
        ),
        True,
        _shared,
    ),
    (
        _rule(
            rf"pivot(?: {IT})?(?: (?!by\b|on\b)(?P<down>.+?))?"
            r"(?: (?:by|on|over) (?P<across>.+?))?(?: as (?:the )?columns)?"
        ),
        True,
        _crossed,
    ),
    (
        _rule(r"(?:rename|call) (?:the )?(?:column )?(?P<column>.+?) (?:to|as|into) (?P<title>.{1,100})"),
        False,
        _renamed,
    ),
    (
        _rule(
            r"(?:(?:only |just |keep |show |me )*|(?P<without>(?:drop|hide|remove|without) ))"
            r"the columns? (?P<columns>.+)"
        ),
        False,
        _chosen,
    ),
    (_rule(r"(?P<without>drop|hide|remove|without|exclude)(?: the)? (?P<columns>.+?) columns?"), False, _chosen),
    (
        _rule(
            r"(?:(?:show|give|me|filter|for) )*"
            r"(?:(?:only|just|keep|filter (?:to|by|for))|(?P<without>exclude|without|remove|except))"
            r"(?: the)? (?P<value>.+?)(?: (?:ones|rows|entries))?(?: of (?:them|these|those))?"
        ),
        True,
        _kept,
    ),
)
