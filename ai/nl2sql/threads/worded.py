"""Take steps known by their wording alone: a share of all rows, a condition taken back, what the rows are worth."""

from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.change import edited
from ai.nl2sql.threads.ellipsis import numbered, renumbered
from ai.nl2sql.threads.figures.again import extreme_of, mean_beside, mean_instead, mean_per, median_of_mean
from ai.nl2sql.threads.figures.compared import along_time, between_times
from ai.nl2sql.threads.figures.grew import changed_most
from ai.nl2sql.threads.figures.widen import beside_others, lifted, part_of, share_of, share_of_each
from ai.nl2sql.threads.figures.worth import total_of_rows, worth
from ai.nl2sql.threads.fragments import Sketches, best_of
from ai.nl2sql.threads.rows.others import everyone_else, of_shown_value
from ai.nl2sql.threads.rows.turned import turned
from ai.nl2sql.threads.rows.who import behind_it, by_speed, longest, owned, sized
from ai.nl2sql.threads.rows.without import of_none, without_any
from ai.nl2sql.threads.steps import Followed, stepped
from ai.nl2sql.threads.unsaid import unsaid
from ai.nl2sql.totals import rows_shown


def by_wording(body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches) -> Followed | None:
    if two := _two_of(body, earlier, read):
        body, earlier = "what's the difference", two
    return (
        of_shown_value(body, earlier[0], lexicon)
        or total_of_rows(body, earlier[0], lexicon)
        or median_of_mean(body, earlier[0], lexicon)
        or mean_beside(body, earlier[0])
        or _sound(stepped(body, earlier), lexicon)
        or turned(body, earlier)
        or renumbered(body, earlier)
        or numbered(body, earlier[0], lexicon)
        or unsaid(body, earlier[0], lexicon)
        or (owned(earlier[0], lexicon, body) if signals.OWNED.match(body) else None)
        or behind_it(body, earlier[0], lexicon, next(iter(read(body)), None))
        or (everyone_else(earlier, lexicon) if signals.ELSE.match(body) and not earlier[0].limit else None)
        or (Followed(rows_shown(earlier[0])) if signals.ROWS_SHOWN.match(body) else None)
        or (mean_instead(earlier[0]) if signals.MEAN_INSTEAD.match(body) else None)
        or extreme_of(body, earlier[0])
        or without_any(body, earlier, lexicon, read)
        or of_none(body, earlier, lexicon, read)
        or _special(body, earlier, lexicon, read)
    )


def _two_of(body: str, earlier: Sequence[Meaning], read: Sketches) -> Sequence[Meaning]:
    """Return the last two answers, with the figure that “which of the two had more installs” names; () without two."""
    found, two = signals.WHICH_MORE.match(body), earlier[:2]
    if found is None or len(two) < 2 or not all(each.measures for each in two):
        return ()
    if found["two"]:  # not the months of one of them
        two = [replace(each, groups=(), order=()) if all(g.unit for g in each.groups) else each for each in two]
    if found["what"]:
        sketch = best_of(read, found["what"])
        figures = [wanted.measure for wanted in sketch.wanted] if sketch and not sketch.unread() else []
        two = [replace(each, measures=(figures[0],)) for each in two] if len(figures) == 1 else []
    if found["when"] and (said := best_of(read, found["when"].strip())):
        made = [edited(said, each, said.lexicon, found["when"], add=False).meaning for each in two]
        two = [each for each in made if each]
    return () if len(two) < 2 or any(each.groups for each in two) else two


def _sound(made: Followed | None, lexicon: Lexicon) -> Followed | None:
    """Refuse the share of groups that a row counts in several times."""
    why = complaint(made.meaning, lexicon) if made and made.meaning and made.meaning.share else None
    return Followed(None, problem=why) if why else made


def _special(body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Read steps of their own wording: a share of all rows, who came first, a condition taken back."""
    before = earlier[0]
    if (amount := worth(body, before, lexicon)) is not None:
        return amount
    if (part := _share(body, before, lexicon, read)) is not None:
        return part
    if (found := signals.OTHERS.match(body)) and (beside := beside_others(found["what"], before, lexicon, read)):
        return beside
    if (found := signals.AVERAGE_PER.match(body)) and (mean := _mean(found["how"], found["what"], earlier, read)):
        return mean
    if (made := _by_size(body, before, lexicon, read)) is not None:
        return made
    if (most := changed_most(body, earlier, lexicon, read)) is not None:
        return most
    if said := next(iter(read(body)), None):
        change = between_times(earlier, said.today, lexicon) if signals.CHANGE.match(body) else None
        if timed := change or along_time(body, before, said.today, lexicon):
            return timed
    if (lift := signals.LIFT.match(body)) is not None:
        return lifted(lift["what"], before)
    return None


def _by_size(body: str, before: Meaning, lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Read who was first, which one is the smallest, and “slowest first”."""
    if (found := signals.LONGEST.match(body)) and (made := longest(found, before, lexicon)):
        return made
    if (found := signals.SIZED.match(body)) and (made := sized(found, before, lexicon, read)):
        return made
    return by_speed(found, before, lexicon) if (found := signals.SPEED.match(body)) else None


def _mean(how: str, what: str, earlier: Sequence[Meaning], read: Sketches) -> Followed | None:
    """Read “average per month” after a figure by month, “average per visit” after one of visits."""
    groups = earlier[0].fold.grain if earlier[0].fold else earlier[0].groups
    found = best_of(read, f"by {what}")
    named = {group for data in found.data("group") for group in data} if found and not found.unread() else set()
    split = any(group.unit == what.lower() for group in groups) or (bool(groups) and named == {*groups})
    return stepped(how, earlier) if split else mean_per(how, what, earlier[0], read)


def _share(body: str, before: Meaning, lexicon: Lexicon, read: Sketches) -> Followed | None:
    if (each := signals.SHARE_OF_EACH.match(body)) and (part := share_of_each(each, before, lexicon, read)):
        return part
    if (share := signals.SHARE_OF.match(body)) and (part := share_of(share["what"], before, lexicon, read)):
        return part
    if (named := signals.PART.match(body)) and (
        part := part_of(named["what"] or named["whose"], before, lexicon, read)
    ):
        return part
    return None
