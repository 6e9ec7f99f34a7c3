"""Sentences about months, days and years: growth, declines, peaks, streaks, totals of periods."""

from datetime import date, timedelta
from random import Random
from statistics import mean

from tests.fuzz.writers.pieces import Form, Sentence, Words, either, figure, name, rough

_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")  # fmt: skip
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class _Months:
    """A random result: one row a month, signups, churned, and net revenue, which may be negative."""

    def __init__(self, chance: Random, size: int = 0) -> None:
        self.chance = chance
        size = size or chance.randint(5, 9)
        start = chance.randint(0, 12 - size)
        year = chance.randint(2019, 2025)
        style = chance.randrange(3)
        self.year = year
        self.months = [_MONTHS[start + n] for n in range(size)]
        cells = [
            (f"{year}-{start + n + 1:02}", f"{year}-{start + n + 1:02}-01", f"{self.months[n][:3]} {year}")[style]
            for n in range(size)
        ]
        self.signups = chance.sample(range(210, 8_900), size)
        self.churned = chance.sample(range(12, 199), size)
        self.columns = ["month", "signups", "churned_users"]
        self.rows = [list(row) for row in zip(cells, self.signups, self.churned, strict=True)]

    def said(self, form: str, *words: object) -> Sentence:
        """A sentence about it."""
        return Sentence(form, self.columns, self.rows, list(words))  # type: ignore[arg-type]

    def month(self, row: int) -> object:
        """A month as a piece."""
        return name(self.months[row], self.months)

    def figure(self, written: str) -> object:
        """A figure as a piece."""
        return figure(self.chance, written)


def _change(old: float, new: float) -> float:
    return 100 * (new - old) / old


def _one(chance: Random) -> Sentence:
    t = _Months(chance)
    row = chance.randrange(len(t.months))
    return t.said("one month", "In ", t.month(row), f" {t.year}, ", t.figure(f"{t.signups[row]:,}"), " users signed up and ", t.figure(str(t.churned[row])), " churned.")  # fmt: skip


def _growth(chance: Random) -> Sentence:
    t = _Months(chance)
    a = chance.randrange(len(t.months) - 1)
    change = _change(t.signups[a], t.signups[a + 1])
    if abs(change) < 2 or abs(change) > 300:
        return _growth(chance)
    up = change > 0
    return t.said("growth", "Signups ", either("grew" if up else "fell", "fell" if up else "grew"), " by ", t.figure(f"{abs(change):.1f}%"), " from ", t.months[a], " to ", t.months[a + 1], ".")  # fmt: skip


def _from_to(chance: Random) -> Sentence:
    t = _Months(chance)
    a, b = sorted(chance.sample(range(len(t.months)), 2))
    up = t.signups[b] > t.signups[a]
    return t.said("from to", "Monthly signups ", either("climbed" if up else "dropped", "dropped" if up else "climbed"), " from ", t.figure(f"{t.signups[a]:,}"), " in ", t.months[a], " to ", t.figure(f"{t.signups[b]:,}"), " in ", t.months[b], f" {t.year}.")  # fmt: skip


def _peak(chance: Random) -> Sentence:
    t = _Months(chance)
    best = max(range(len(t.months)), key=t.signups.__getitem__)
    return t.said("peak", "Signups peaked in ", t.month(best), " with ", t.figure(f"{t.signups[best]:,}"), " new users.")  # fmt: skip


def _low(chance: Random) -> Sentence:
    t = _Months(chance)
    low = min(range(len(t.months)), key=t.churned.__getitem__)
    return t.said("trough", "Churn hit its ", either("lowest", "highest"), " point in ", t.month(low), ", when just ", t.figure(str(t.churned[low])), " users left.")  # fmt: skip


def _total(chance: Random) -> Sentence:
    t = _Months(chance)
    return t.said("total", "A total of ", t.figure(f"{sum(t.signups):,}"), " users signed up between ", t.months[0], " and ", t.months[-1], f" {t.year}, an average of ", t.figure(f"{mean(t.signups):,.0f}"), " per month.")  # fmt: skip


def _first_half(chance: Random) -> Sentence:
    t = _Months(chance)
    n = chance.randint(2, 3)
    return t.said("first months", f"In the first {_WORDS[n]} months, ", t.figure(f"{sum(t.signups[:n]):,}"), " users signed up.")  # fmt: skip


def _above(chance: Random) -> Sentence:
    t = _Months(chance)
    limit = chance.choice((1000, 2000, 4000))
    beyond = sum(n > limit for n in t.signups)
    if not 2 <= beyond < len(t.months):
        return _above(chance)
    wrong = [_WORDS[n] for n in (beyond - 1, beyond + 1) if n > 0 and n != len(t.months)]
    return t.said("months above", "Signups exceeded ", f"{limit:,} in ", rough(_WORDS[beyond], *wrong), f" of the {_WORDS[len(t.months)]} months.")  # fmt: skip


def _mom(chance: Random) -> Sentence:
    t = _Months(chance)
    b = chance.randrange(1, len(t.months))
    gap = t.signups[b] - t.signups[b - 1]
    sign = "+" if gap > 0 else "-"
    flipped = "-" if gap > 0 else "+"
    return t.said("month over month", t.months[b], ": ", t.figure(f"{t.signups[b]:,}"), " (", either(sign, flipped), t.figure(f"{abs(gap):,}"), " vs. ", t.months[b - 1], ")")  # fmt: skip


def _overall(chance: Random) -> Sentence:
    t = _Months(chance)
    change = _change(t.signups[0], t.signups[-1])
    if abs(change) < 2 or abs(change) > 500:
        return _overall(chance)
    up = change > 0
    return t.said("overall", "Over the whole period signups are ", either("up" if up else "down", "down" if up else "up"), " ", t.figure(f"{abs(change):.0f}%"), ", from ", t.figure(f"{t.signups[0]:,}"), " to ", t.figure(f"{t.signups[-1]:,}"), ".")  # fmt: skip


def _net(chance: Random) -> Sentence:
    t = _Months(chance)
    row = chance.randrange(len(t.months))
    return t.said("net", "Net of churn, ", t.months[row], " added ", t.figure(f"{t.signups[row] - t.churned[row]:,}"), " users.")  # fmt: skip


def _ratio(chance: Random) -> Sentence:
    t = _Months(chance)
    row = chance.randrange(len(t.months))
    return t.said("ratio of columns", "In ", t.months[row], ", churned users amounted to ", t.figure(f"{100 * t.churned[row] / t.signups[row]:.1f}%"), " of signups.")  # fmt: skip


def _best_share(chance: Random) -> Sentence:
    t = _Months(chance)
    row = max(range(len(t.months)), key=t.signups.__getitem__)
    return t.said("month's share", t.month(row), " alone made up ", t.figure(f"{100 * t.signups[row] / sum(t.signups):.1f}%"), " of all signups in the period.")  # fmt: skip


def _days(chance: Random) -> Sentence:
    first = date(chance.randint(2019, 2025), chance.randint(1, 12), chance.randint(1, 28))
    days = [first + timedelta(days=n) for n in range(chance.randint(4, 10))]
    rows = [[str(day), chance.randint(100, 999)] for day in days]
    place = chance.randrange(len(days))
    row, day = rows[place], days[place]
    written = chance.choice((f"{_MONTHS[day.month - 1]} {day.day}", f"{day.day} {_MONTHS[day.month - 1][:3]} {day.year}", str(day), f"{_MONTHS[day.month - 1]} {day.day}{_suffix(day.day)}"))  # fmt: skip
    far = f"{_MONTHS[(day.month + 4) % 12]} {day.day}"
    return Sentence("day", ["day", "visits"], rows, ["On ", rough(written, far), " there were ", figure(chance, str(row[1])), " visits."])  # fmt: skip


def _suffix(day: int) -> str:
    return "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _since(chance: Random) -> Sentence:
    t = _Months(chance)
    a = chance.randrange(len(t.months) - 1)
    gap = t.signups[-1] - t.signups[a]
    return t.said("since", "Since ", t.months[a], ", monthly signups have ", either("increased" if gap > 0 else "decreased", "decreased" if gap > 0 else "increased"), " by ", t.figure(f"{abs(gap):,}"), ".")  # fmt: skip


def _second(chance: Random) -> Sentence:
    t = _Months(chance)
    order = sorted(range(len(t.months)), key=lambda row: -t.signups[row])
    return t.said("second month", "The strongest month was ", t.month(order[0]), " (", t.figure(f"{t.signups[order[0]]:,}"), "), ahead of ", t.months[order[1]], " (", t.figure(f"{t.signups[order[1]]:,}"), ") and ", t.months[order[2]], " (", t.figure(f"{t.signups[order[2]]:,}"), ").")  # fmt: skip


def _list(chance: Random) -> Sentence:
    t = _Months(chance, 5)
    words: Words = ["Signups per month:\n"]
    for n, month in enumerate(t.months):
        words += [f"{n + 1}. ", month, " – ", figure(chance, f"{t.signups[n]:,}"), "\n"]
    return Sentence("list", t.columns, t.rows, words)


def _yearly(chance: Random) -> Sentence:
    first = chance.randint(2012, 2019)
    rows = [[first + n, chance.randint(1_000_000, 90_000_000)] for n in range(chance.randint(4, 6))]
    a = chance.randrange(len(rows) - 1)
    change = _change(rows[a][1], rows[a + 1][1])
    if not 2 < abs(change) < 400:
        return _yearly(chance)
    up = change > 0
    return Sentence("yearly", ["fiscal_year", "sales_usd"], rows, ["Sales in ", f"{rows[a + 1][0]} were ", figure(chance, f"${rows[a + 1][1] / 1e6:.1f}M"), ", ", either("up" if up else "down", "down" if up else "up"), " ", figure(chance, f"{abs(change):.0f}%"), " year over year from ", figure(chance, f"${rows[a][1] / 1e6:.1f}M"), f" in {rows[a][0]}."])  # fmt: skip


def _every(chance: Random) -> Sentence:
    t = _Months(chance)
    low = min(t.signups) // 100 * 100
    return t.said("every month", "Every month saw at least ", rough(f"{low:,}", f"{low + 1200:,}"), " signups, and the total came to ", t.figure(f"{sum(t.signups):,}"), ".")  # fmt: skip


FORMS: tuple[Form, ...] = (_one, _growth, _from_to, _peak, _low, _total, _first_half, _above, _mom, _overall, _net, _ratio, _best_share, _days, _since, _second, _list, _yearly, _every)  # fmt: skip
