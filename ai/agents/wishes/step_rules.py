"""The rules that read a part of a message as steps over a result: a pattern each, and what it makes. Pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ai.language.names import country_spellings
from ai.language.numbers import COUNT, FIGURE, number_of
from ai.language.words import name_parts, singular
from ai.results.steps import Columns, Comparison, First, Keep, OneOf, Pivot, Rename, Share, Sort, Step

IT = r"(?:it|them|this|that|these|those|(?:the|this|that) (?:result|results|table|rows|list))"
DOWN = r"desc|descending|(?:highest|largest|biggest|newest|latest|most) first|from (?:high|highest) to (?:low|lowest)"
UP = r"asc|ascending|(?:lowest|smallest|oldest|least) first|from (?:low|lowest) to (?:high|highest)"
ONES = r"(?: (?:ones|rows|entries|lines|results|of (?:it|them|these|those)))?"
COMPARISONS: tuple[tuple[str, Comparison], ...] = (
    (r">=|at least|not less than", ">="),
    (r"<=|at most|not more than|up to", "<="),
    (r">|over|above|(?:is |are )?(?:more|greater|higher|larger) than", ">"),
    (r"<|under|below|(?:is |are )?(?:less|fewer|lower|smaller) than", "<"),
)
SMALL_FIRST = frozenset(
    "price cost rate fee age rank position place number year month day".split()
)  # sorted from the least
QUOTES = " \"'\u201c\u201d"
LISTED = re.compile(r",? and (?:the )?|, (?:the )?| or (?:the )?| & ")


@dataclass(frozen=True, slots=True)
class ResultShape:
    """The result the words must fit, in its `order`. `whole` is false for a result that was cut or has a LIMIT.

    Rows of which one is `nameless` are ranked anew.
    """

    titles: tuple[str, ...]
    row_count: int
    whole: bool = True
    numbers: tuple[int, ...] = ()
    holding: Callable[[str], tuple[int, ...]] = field(default=lambda _: ())
    order: Sort | None = None
    nameless: bool = False

    def column(self, said: str | None) -> int | None:
        """Return the column named in full, or the only one with all the words."""
        wanted = _words(said or "")
        if not wanted:
            return None
        within = [place for place, title in enumerate(self.titles) if set(wanted) <= set(_words(title))]
        return self.same(said) if self.same(said) is not None else _only(tuple(within))

    def same(self, said: str | None) -> int | None:
        """Return the column named in full."""
        wanted = _words(said or "")
        return _only(tuple(place for place, title in enumerate(self.titles) if wanted and _words(title) == wanted))


def _sorted(said: re.Match[str], facts: ResultShape) -> tuple[Step, ...] | None:
    column = _figure(said, facts)
    if column is None:
        return None
    much = column in facts.numbers and not SMALL_FIRST & {*_words(facts.titles[column])}
    return (Sort(column, descending=bool(said["down"]) or (much and not said["up"])),)


def _by_name(_: re.Match[str], facts: ResultShape) -> tuple[Step, ...] | None:
    texts = (place for place in range(len(facts.titles)) if place not in facts.numbers)
    column = facts.same("name")
    column = next(texts, None) if column is None else column
    return None if column is None else (Sort(column, descending=False),)


def _some(said: re.Match[str], facts: ResultShape) -> tuple[Step, ...] | None:
    count, end = number_of(said["count"]), said["end"].lower()
    if count is None or not 0 < (rows := int(count)) <= facts.row_count or facts.row_count == 1:
        return None  # of one row none is the first
    if end == "first":
        return (First(rows),)
    column = _figure(said, facts)
    if facts.nameless:
        return None
    if column is None:
        return (First(rows),) if end == "top" and not facts.numbers and not said["column"] else None
    return Sort(column, descending=end in ("top", "highest", "largest", "biggest")), First(rows)


def _kept(said: re.Match[str], facts: ResultShape) -> tuple[Step, ...] | None:
    whole = said["value"].strip(QUOTES)
    values = [value.strip(QUOTES) for value in LISTED.split(whole)]
    held = [_held(value, facts) for value in (values if _held(whole, facts)[0] is None else [whole])]
    columns = {column for column, _ in held}
    column = columns.pop()
    if column is None or columns:
        return None
    if len(held) == 1:
        return (Keep(column, "!=" if said["without"] else "=", held[0][1]),)
    return (OneOf(column, tuple(value for _, value in held), without=bool(said["without"])),)


def _held(value: str, facts: ResultShape) -> tuple[int | None, str]:
    """Return the one column with a value, and its spelling there: “Germany” may be a code."""
    spelt = (each for each in (value, *country_spellings(value)) if facts.holding(each))
    found = next(spelt, value)
    return _only(facts.holding(found)), found


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
    """Read a cross table; one of row, column and number may be left out."""
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
    return None if column is None else (Rename(column, said["title"].strip(QUOTES)),)


def _chosen(said: re.Match[str], facts: ResultShape) -> tuple[Step, ...] | None:
    return _columns(said, facts, facts.column)


def _named(said: re.Match[str], facts: ResultShape) -> tuple[Step, ...] | None:
    """Read columns by their whole names, as the words may be values as well."""
    return _columns(said, facts, facts.same)


def _columns(said: re.Match[str], facts: ResultShape, find: Callable[[str], int | None]) -> tuple[Step, ...] | None:
    places = [find(name) for name in LISTED.split(said["columns"])]
    known = [place for place in places if place is not None]
    if len(known) < len(places):
        return None
    if said["without"]:
        known = [place for place in range(len(facts.titles)) if place not in known]
    return (Columns(tuple(known)),) if known else None


def _turned(_: re.Match[str], facts: ResultShape) -> tuple[Step, ...] | None:
    return None if facts.order is None else (replace(facts.order, descending=not facts.order.descending),)


def _directed(said: re.Match[str], facts: ResultShape) -> tuple[Step, ...] | None:
    return None if facts.order is None else (replace(facts.order, descending=bool(said["down"])),)


def _figure(said: re.Match[str], facts: ResultShape) -> int | None:
    return facts.column(said["column"]) if said["column"] else _only(facts.numbers)


def _only(places: tuple[int, ...]) -> int | None:
    return places[0] if len(places) == 1 else None


def _words(text: str) -> list[str]:
    return [singular(word) for word in name_parts(text) if word not in ("the", "column", "columns", "of")]


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


DROP = r"(?:drop|hide|remove|omit|skip|lose|leave out|leave off|get rid of|take out|don'?t show|i don'?t need)"
TURN = (
    rf"(?:(?:sort|order|turn|put|show)(?: {IT})? )?(?:the )?(?:other|opposite|wrong)? ?(?:way|order|direction)"
    rf"(?: (?:a?round|over))|(?:sort|order|show)(?: {IT})? in (?:the )?(?:other|opposite|reverse"
    rf"|reversed) (?:way|order|direction)"
    rf"|(?:sort|order|show)(?: {IT})? the other way|(?:flip|reverse|invert|turn)(?: (?:{IT}|the)(?: "
    rf"(?:sort(?:ing)?|order(?:ing)?))?)?"
    rf"(?: (?:a?round|over))?|(?:in )?reverse(?:d)? order|(?:sort|order)(?: {IT})? (?:in )?reverse"
)
BY = rf"(?: by (?:the )?(?P<column>(?:(?!{DOWN}|{UP}).)+?))?"
Build = Callable[[re.Match[str], ResultShape], tuple[Step, ...] | None]
BY_NAME = r"alphabetical(?:ly)?(?: order)?|in alphabetical order|(?:from )?a ?(?:to|-) ?z"
RULES: tuple[tuple[re.Pattern[str], bool, Build], ...] = (
    (
        _rule(rf"(?:re-?)?(?:sort|order)(?:ed)?(?: {IT})? (?:{BY_NAME}|by (?:the |its |their )?names?)|{BY_NAME}"),
        False,
        _by_name,
    ),
    (_rule(rf"(?:re-?)?(?:sort|order)(?:ed)?(?: {IT})?{BY}(?:,? ?(?:(?P<down>{DOWN})|(?P<up>{UP})))?"), False, _sorted),
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
    (_rule(rf"(?P<without>{DROP}|without|exclude)(?: the)? (?P<columns>.+?) columns?"), False, _chosen),
    (
        _rule(r"(?:(?:only|just|keep|show|give|me|filter to) )+(?:the )?(?P<without>(?!))?(?P<columns>.+?) columns?"),
        False,
        _chosen,
    ),
    (_rule(rf"(?P<without>{DROP})(?: the)? (?P<columns>.+?)"), False, _named),
    (_rule(r"(?P<without>without|exclude) the (?P<columns>.+?)"), False, _named),
    (
        _rule(
            r"(?:(?:only|just|keep|show|give|me) )*(?:only|just|keep)(?: the)? (?P<without>(?!))?(?P<columns>.+?"
            r"(?:,|,? and| &) .+)"
        ),
        False,
        _named,
    ),
    (_rule(rf"{TURN}"), False, _turned),
    (_rule(rf"(?:(?:make|sort|order|show|in|an?|{IT}) )*(?:(?P<down>{DOWN})|{UP})(?: order)?"), False, _directed),
    (
        _rule(
            r"(?:(?:show|give|me|filter|for) )*"
            rf"(?:(?:only|just|keep|filter (?:to|by|for))|(?P<without>{DROP}|exclude|without|except|ignore))"
            r"(?: the)? (?P<value>.+?)(?: (?:ones|rows|entries))?(?: of (?:them|these|those))?"
        ),
        True,
        _kept,
    ),
)
OF_VALUES = (_kept, _named)  # they read words that may as well be values of the database
