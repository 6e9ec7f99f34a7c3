"""The two periods of a change: said in the question, shown in the thread, or the last whole week."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from ai.agents.wishes.why import ONE_BEFORE, SAME_LAST_YEAR
from ai.analysis.study import Days
from ai.language.date_phrases import date_phrase
from ai.language.moments import MONTHS, NEAR, WEEKDAYS
from ai.language.questions import Word, split
from ai.language.spans import Span, unit_of
from ai.nl2sql.meaning import Meaning, Measure, Period, Unit

DAY = timedelta(days=1)
LONGEST_UNIT, WHOLE_WEEK = 6, 7  # words, days
BESIDE = frozenset({"vs", "vs.", "versus", "than", "against", "from", "to", "with"})  # “than in September”
LINKS = frozenset({"in", "the", "during", "of", "for"})
ALONE = (frozenset(MONTHS) | frozenset(WEEKDAYS) | frozenset(NEAR)) - {"may", "march", "mar", "sun", "sat"}


@dataclass(frozen=True, slots=True)
class SaidPeriods:
    """The periods of a text, latest last, and its other words. `when` is the first one as said.

    `is_base` tells that the first one is what another is compared with: “lower than in September”.
    """

    spans: tuple[Span, ...]
    rest: str
    when: str = ""
    year_before: bool = False
    is_base: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    """`cut` tells a period shortened to its days so far."""

    before: Days
    now: Days
    is_assumed: bool = False
    is_cut: bool = False


def said_periods(text: str, today: date, fiscal_month: int = 0) -> SaidPeriods:
    year_before = SAME_LAST_YEAR.search(text) is not None
    words = split(ONE_BEFORE.sub(" ", SAME_LAST_YEAR.sub(" ", text)))
    spans: list[Span] = []
    rest: list[str] = []
    when, place, is_base = "", 0, False
    while place < len(words):
        if two := _two_units(words[place:], today, fiscal_month):
            spans += two[:2]
            when = when or " ".join(word.text for word in words[place : place + two[2]])
            place += two[2]
            continue
        found = date_phrase(words[place:], today, fiscal_month)
        if found and found.span.start and _is_sure(words[place : place + found.length]):
            spans.append(found.span)
            is_base = is_base or (not when and _is_beside(words[:place]))
            when = when or " ".join(word.text for word in words[place : place + found.length])
            place += found.length
        else:
            rest.append(f'"{words[place].text}"' if words[place].quoted else words[place].text)
            place += 1
    spans.sort(key=lambda span: span.start or today)
    return SaidPeriods(tuple(spans), " ".join(rest), when, year_before, is_base)


def _is_beside(before: Sequence[Word]) -> bool:
    said = next((word.key for word in reversed(before) if word.key not in LINKS), "")
    return said in BESIDE


def _two_units(words: Sequence[Word], today: date, fiscal_month: int) -> tuple[Span, Span, int] | None:
    """Read “between August and September” as two units to compare; days make a range."""
    if words[0].key not in ("between", "from"):
        return None
    joint = next((at for at, word in enumerate(words[:LONGEST_UNIT]) if word.key in ("and", "to")), 0)
    one, other = (date_phrase(part, today, fiscal_month) for part in (words[1:joint], words[joint + 1 :]))
    if not joint or one is None or other is None or one.length != joint - 1:
        return None
    first, last = _days(one.span, today), _days(other.span, today)
    is_unit = first and last and first.start < last.start and min(first.length, last.length) >= WHOLE_WEEK
    return (one.span, other.span, joint + 1 + other.length) if is_unit else None


def _is_sure(words: Sequence[Word]) -> bool:
    """Whether words name a time; “the fall” is rather a decline."""
    if words[-1].key in ("fall", "spring") and not {"last", "this"} & {word.key for word in words}:
        return False
    return (
        len(words) > 1
        or words[0].key in ALONE
        or words[0].key.startswith("fy")
        or (not words[0].key.isalpha() and "-" in words[0].key)
    )


def compared(said: SaidPeriods, previous: Meaning | None, today: date) -> Compared:
    """Return the periods of a question, those of the thread where it says none."""
    days = [found for span in said.spans if (found := _days(span, today))]
    days = list(dict.fromkeys(days))
    if len(days) == 1 and previous and said.when.lower().removeprefix("on ") in WEEKDAYS:
        days = [_in_week_shown(days[0], previous)]
    if len(days) >= 2 and not said.year_before:
        return Compared(days[-2], days[-1])
    shown = _shown(previous, today) if previous else None
    if days and said.is_base and not said.year_before:
        return _with_base(days[-1], shown, today)
    if days:
        return beside(days[-1], today, year_before=said.year_before)
    return shown or _assumed(today)


def _in_week_shown(day: Days, previous: Meaning) -> Days:
    """Return the same weekday of the one week shown: “on wednesday” after last week's days."""
    weeks = [Days(period.start, period.end) for period in previous.periods if period.start and period.end]
    if len(weeks) != 1 or weeks[0].length > WHOLE_WEEK:
        return day
    alike = (each for each in weeks[0].days if each.weekday() == day.start.weekday())
    return next((Days(each, each + DAY) for each in alike), day)


def _with_base(base: Days, shown: Compared | None, today: date) -> Compared:
    """Set a period said as the base beside that of the thread, else beside the one that follows it."""
    if shown and shown.now != base:
        before, now = sorted((base, shown.now), key=lambda days: days.start)
        return beside(now, today, base=before)
    following = _after(base)
    return beside(following if following.start < today else base, today)


def _days(span: Span, today: date) -> Days | None:
    """Return the whole days of a span; an open one is its last whole month or week."""
    if span.start is None:
        return None
    if span.end is None:
        unit = "month" if (today - span.start).days >= 60 else "week"
        last = unit_of(unit, (unit_of(unit, today).start or today) - DAY)
        return Days(last.start, last.end) if last.start and last.end and last.start >= span.start else None
    return Days(span.start, span.end)


def beside(now: Days, today: date, *, year_before: bool = False, base: Days | None = None) -> Compared:
    """Set a period beside a base or the one before; if it is not over, cut both to its whole days."""
    before = base or (_year(now) if year_before else _before(now))
    if now.end <= today or now.start >= today:
        return Compared(before, now)
    whole = max((today - now.start).days, 1)
    return Compared(
        Days(before.start, min(before.start + timedelta(whole), before.end)),
        Days(now.start, now.start + timedelta(whole)),
        is_cut=True,
    )


def _before(now: Days) -> Days:
    if months := now.months:
        return Days(now.start - relativedelta(months=months), now.start)
    if now.length == 1:
        return now.shifted(-7)
    return now.shifted(-now.length)


def _after(days: Days) -> Days:
    if months := days.months:
        return Days(days.end, days.end + relativedelta(months=months))
    return days.shifted(days.length)


def _year(now: Days) -> Days:
    if now.start.day == now.end.day == 1:
        year = relativedelta(years=1)
        return Days(now.start - year, now.end - year)
    return now.shifted(-364)


def _shown(previous: Meaning, today: date) -> Compared | None:
    inside = [test for measure in _all(previous) for test in measure.where if isinstance(test, Period)]
    spans = sorted({(test.start, test.end) for test in inside if test.start and test.end})
    if len(spans) >= 2:
        return _pair([Days(start, end) for start, end in spans])
    units = [group.unit for group in previous.groups if group.unit and group.unit != "weekday"]
    bounds = [(p.start, p.end) for p in previous.periods]
    if units:
        return _last_two(units[0], max((end for _, end in bounds if end), default=today), today)
    for start, end in (*bounds, *spans):
        if start:
            days = _days(Span(start, end), today)
            return beside(days, today, year_before=False) if days else None
    return None


def of_two(shown: Sequence[Meaning]) -> Compared | None:
    """Return the periods of two answers alike in all else: “why the difference?”."""
    alike = len({replace(meaning, periods=()) for meaning in shown}) == 1
    bounds = sorted((p.start, p.end) for meaning in shown for p in meaning.periods if p.start and p.end)
    if not alike or len(shown) != len(bounds) or len(bounds) == 1 or bounds[0][1] > bounds[1][0]:
        return None
    return _pair([Days(start, end) for start, end in bounds])


def _pair(shown: Sequence[Days]) -> Compared:
    """Return the last period and the one before, of those that begin together the one as long as it is."""
    now = shown[-1]
    earlier = [days for days in shown if days.start < now.start] or [shown[-2]]
    last = [days for days in earlier if days.start == earlier[-1].start]
    alike = [days for days in last if days.length == now.length]
    return Compared((alike or last)[-1], now, is_cut=bool(alike) and len(last) > 1)


def _all(meaning: Meaning) -> list[Measure]:
    found = []
    for measure in meaning.all_measures:
        found += [each for each in (measure, measure.less, measure.per) if each]
    return found


def _last_two(unit: Unit, until: date, today: date) -> Compared | None:
    last = unit_of(unit, min(until, today) - DAY)
    if last.start is None or last.end is None:
        return None
    if last.end > min(until, today):
        last = unit_of(unit, last.start - DAY)
    if last.start is None or last.end is None:
        return None
    now = Days(last.start, last.end)
    return Compared(now.shifted(-1) if unit == "day" else _before(now), now)


def _assumed(today: date) -> Compared:
    start = today - timedelta(today.weekday() + 7)
    now = Days(start, start + timedelta(7))
    return Compared(now.shifted(-7), now, is_assumed=True)
