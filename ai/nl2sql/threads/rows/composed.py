"""Read a message of two parts, one after the other: “how many altogether”, “the price ones, by plan”."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.reading.sketch import counts
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.figures.compared import between_times
from ai.nl2sql.threads.fragments import Sketches, best_of
from ai.nl2sql.threads.referents import the_one
from ai.nl2sql.threads.rows.ones import of_group
from ai.nl2sql.threads.steps import Followed, stepped
from ai.nl2sql.totals import totalled

WHICH = "Which of the two?"
WHICH_BOTH = "I cannot tell which two times are meant; please name them."
FOR_BOTH = re.compile(
    r"\b(?:for|in|of|over|at) both (?:days|weeks|months|quarters|years|times|periods)\b", re.IGNORECASE
)
EITHER = re.compile(
    r"^(?:and |so )?(?:split |broken down )?(?:by|per) (?P<one>[^,;]+?) or (?:by |per )(?P<two>[^,;]+?)[?.! ]*$",
    re.IGNORECASE,
)
BOTH_THEN = re.compile(r"^(?:and |now |ok )*both,? (?P<rest>(?:by|per|for|only|since)\b.+?)[?.! ]*$", re.IGNORECASE)
OWNED_PLACE = re.compile(
    r"^(?:and |so )?(?P<who>who (?:owns|makes|made)) "
    r"(?P<one>the (?:first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th)(?: one)?)[?.! ]*$",
    re.IGNORECASE,
)
THINGS_OF_CUT = re.compile(
    r"^(?:and |so |from )*(?:which|what) (?P<things>[\w-]+s)"
    r"(?: are (?:they|those|these)(?: from| in| of| on)?)?[?.! ]*$",
    re.IGNORECASE,
)
COUNT_OF_ONE = re.compile(r"^(?:and |so )?how many (?P<things>[\w-]+s)[?.! ]*$", re.IGNORECASE)
TIME = r"20\d\d|(?:this|last) (?:year|month|quarter)|q[1-4]"
TOTAL_OF_TIME = re.compile(
    rf"^(?:and |so |the )*(?:(?P<before>{TIME})(?: in)? total|total (?:in|for|of) (?P<after>{TIME}))[?.! ]*$",
    re.IGNORECASE,
)
MEAN_IN_TIME = re.compile(
    r"^(?P<mean>(?:and |so |now |what about )*(?:the |an |a |on )?(?:average|mean|median|avg) (?:per|for each) \w+),? "
    r"(?P<time>(?:(?:in|on|for|since|over|during) )?(?:last|this|yesterday|the|\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct"
    r"|nov|dec|q[1-4]).*)$",
    re.IGNORECASE,
)
_ALONG = r"(?:(?:by|per|each|every) (?:day|week|month|quarter|year)|daily|weekly|monthly|quarterly|yearly)"
TOP_ALONG = re.compile(
    rf"^(?:and |so |ok |now |only |just |show )*(?:(?P<along>{_ALONG}) (?:for|of) (?:only )?(?P<top>the top (?:\d+|two|three|five|ten))"
    rf"|(?P<first>(?:the )?top (?:\d+|two|three|five|ten)),? (?:and )?(?:then )?(?P<second>{_ALONG}))(?: [a-z]+)?[?.! ]*$",
    re.IGNORECASE,
)
GOT = re.compile(
    r"^(?:and |so |but )*how many (?:did|does|do|has|have|had) (?:it|he|she|that one) (?:get|got|have|had|receive|received)"
    r"(?: (?P<rest>\S.*?))?[?.! ]*$",
    re.IGNORECASE,
)
After = Callable[[str, Sequence[Meaning], Lexicon, Sketches], Followed | None]


def in_parts(body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, after: After) -> Followed | None:
    """Read the first part, then with `after` the rest; None for a message of one part."""
    return (
        _either(body, earlier, lexicon, read, after)
        or _both_then(body, earlier, lexicon, read, after)
        or _altogether(body, earlier, lexicon, read, after)
        or _over_whole(body, earlier, lexicon, read, after)
        or _of_group(body, earlier, lexicon, read, after)
        or _owner_of_place(body, earlier, lexicon, read, after)
        or _total_of_time(body, earlier, lexicon, read, after)
        or _things_of_cut(body, earlier, lexicon, read, after)
        or _count_of_one(body, earlier, lexicon, read, after)
        or _mean_in_time(body, earlier, lexicon, read, after)
        or _top_along_time(body, earlier, lexicon, read, after)
        or _counted_again(body, earlier, lexicon, read, after)
    )


def _counted_again(
    body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, after: After
) -> Followed | None:
    """Read “and how many did it get in October” after the app with most reviews, and its owner: its reviews."""
    found = GOT.match(body)
    ranked = next((m for m in earlier if m.limit == 1 and len(m.groups) == 1 and m.measures), None) if found else None
    about = the_one(ranked, lexicon) if ranked and counts(lexicon, ranked.measures[0]) else None
    if found is None or ranked is None or about is None or about.unit:
        return None
    one = replace(ranked, groups=(), columns=(), order=(), limit=None, offset=0, among=(*ranked.among, about))
    return after(f"and {found['rest']}", [one, *earlier], lexicon, read) if found["rest"] else Followed(one)


def _top_along_time(
    body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, after: After
) -> Followed | None:
    """Read “monthly for the top 3” after a figure by country: the top 3 of them, and these by month."""
    found = TOP_ALONG.match(body)
    if found is None or earlier[0].limit or any(group.unit for group in earlier[0].groups):
        return None
    top = after(found["top"] or found["first"], earlier, lexicon, read)
    along = found["along"] or found["second"]
    return after(f"{along} for those", [top.meaning, *earlier], lexicon, read) if top and top.meaning else None


def _mean_in_time(
    body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, after: After
) -> Followed | None:
    """Read “on average per day last week” after a total of yesterday: of another time, and its mean."""
    found = MEAN_IN_TIME.match(body)
    timed = best_of(read, found["time"]) if found else None
    if found is None or timed is None or timed.unread() or not timed.parts("period"):
        return None
    mean = after(found["mean"], earlier, lexicon, read)
    made = after(found["time"], [mean.meaning, *earlier], lexicon, read) if mean and mean.meaning else None
    return made if made and made.meaning else None


def _count_of_one(
    body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, after: After
) -> Followed | None:
    """Read “how many apps?” after the team with the best ratings: its own."""
    before = earlier[0]
    one = before.limit == 1 and bool(before.groups) and not any(group.unit for group in before.groups)
    still = bool(before.among and before.measures) and not before.groups
    found = COUNT_OF_ONE.match(body) if one or still else None
    made = after(f"how many {found['things']} does it have", earlier, lexicon, read) if found else None
    return made if made and made.meaning and made.meaning.among else None


def _things_of_cut(
    body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, after: After
) -> Followed | None:
    """Read “which teams?” after the top 3 apps: theirs, and no figure of all teams."""
    found = THINGS_OF_CUT.match(body) if earlier[0].groups and (earlier[0].limit or 0) > 1 else None
    made = after(f"and their {found['things']}", earlier, lexicon, read) if found else None
    return made if made and made.meaning and made.meaning.among else None


def _owner_of_place(
    body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, after: After
) -> Followed | None:
    """Read “who owns the second one”: the one at that place, then its owner."""
    found = OWNED_PLACE.match(body)
    picked = after(found["one"], earlier, lexicon, read) if found else None
    if found is None or picked is None or picked.meaning is None:
        return None
    return after(f"{found['who']} it", [picked.meaning, *earlier], lexicon, read)


def _total_of_time(
    body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, after: After
) -> Followed | None:
    """Read “2025 total” after figures along time: those of that time, added up."""
    found = TOTAL_OF_TIME.match(body) if any(group.unit for group in earlier[0].groups) else None
    timed = after(f"in {found['before'] or found['after']}", earlier, lexicon, read) if found else None
    return after("total", [timed.meaning, *earlier], lexicon, read) if timed and timed.meaning else None


def _either(body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, after: After) -> Followed | None:
    """Ask which of two splits is meant: “by shop or by customer?”."""
    found = EITHER.match(body)
    made = [after(f"by {found[name]}", earlier, lexicon, read) for name in ("one", "two")] if found else []
    choices = tuple(each.meaning for each in made if each and each.meaning)
    return Followed(None, problem=WHICH, choices=choices, asks=True) if len(choices) > 1 else None


def _both_then(
    body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, after: After
) -> Followed | None:
    """Read “both by hotel”: the two figures asked last, then the rest."""
    found = BOTH_THEN.match(body)
    if found is None and (times := FOR_BOTH.search(body)):
        rest = body.replace(times[0], "").strip(" ?.!,")
        return _at_both_times(rest, earlier, lexicon, read, after)
    both = stepped("both", earlier) if found else None
    if found is None or both is None or both.meaning is None:
        return both
    return after(found["rest"], [both.meaning, *earlier], lexicon, read)


def _at_both_times(
    rest: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, after: After
) -> Followed | None:
    """Read “by platform for both months”: the figure at the two times asked about last."""
    said = next(iter(read(rest)), None) if rest else None
    both = between_times(earlier, said.today, lexicon) if said else None
    if both is None or both.meaning is None:
        return Followed(None, problem=WHICH_BOTH)
    return after(rest, [both.meaning, *earlier], lexicon, read)


def _of_group(body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, after: After) -> Followed | None:
    """Read “just the price ones, by plan”: one group of those shown, then a change of it."""
    found = of_group(body, earlier, lexicon)
    if found is None:
        return None
    made, rest = found
    return after(rest, [made, *earlier], lexicon, read) if rest else Followed(made)


def _altogether(
    body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, after: After
) -> Followed | None:
    """Read “how many late ones this year altogether” after figures by group: one figure, of no group."""
    found = signals.ALTOGETHER.match(body) if earlier[0].all_groups else None
    plain = best_of(read, found["what"]) if found else None
    if found is None or plain is None or plain.data("group"):
        return None
    made = after(found["what"], earlier, lexicon, read)
    if made is None and not (plain.unread() or plain.problems or plain.choices):
        return Followed(_of_same_rows(plain.meaning, earlier[0]), tuple(plain.notes))
    if made is None or made.meaning is None or not made.meaning.all_groups:
        return made
    return replace(made, meaning=totalled(replace(made.meaning, limit=None, order=())))


def _of_same_rows(figure: Meaning, before: Meaning) -> Meaning:
    """Return a figure without conditions of its own under those of the rows before."""
    if figure.root != before.root or figure.conditions or figure.presences or not figure.measures:
        return figure
    kept = totalled(replace(before, limit=None, order=(), havings=()))
    return replace(kept, measures=figure.measures) if kept else figure


def _over_whole(
    body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, after: After
) -> Followed | None:
    """Read “per month over the whole year”: first the time, then the rest."""
    found = signals.OVER_WHOLE.search(body)
    if found is None:
        return None
    rest = " ".join(body.replace(found[0], " ").split()).strip(" ,.?!")
    wide = stepped(f"the whole {found['unit']}", earlier) if rest else None
    return after(rest, [wide.meaning, *earlier], lexicon, read) if wide and wide.meaning else None
