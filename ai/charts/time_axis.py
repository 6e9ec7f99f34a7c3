"""Which places along the foot of a chart are named, so that no two names touch."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Protocol

from ai.charts.design import Grain
from ai.charts.measure import cut, width
from ai.charts.plot import Plot
from ai.charts.times import short
from ai.language import formats as written

Label = list[str]
GAP, WIDEST = 18, 300
CALENDAR: tuple[Callable[[date], bool], ...] = (
    lambda day: day.weekday() == 0,
    lambda day: day.day == 1,
    lambda day: day.day == 1 and day.month % 2 == 1,
    lambda day: day.day == 1 and day.month in (1, 4, 7, 10),
    lambda day: day.day == 1 and day.month in (1, 7),
    lambda day: day.day == 1 and day.month == 1,
    lambda day: day.day == 1 and day.month == 1 and day.year % 2 == 0,
    lambda day: day.day == 1 and day.month == 1 and day.year % 5 == 0,
    lambda day: day.day == 1 and day.month == 1 and day.year % 10 == 0,
)


class Placed(Protocol):
    """Places with their positions."""

    @property
    def plot(self) -> Plot: ...

    @property
    def at(self) -> list[float]: ...

    @property
    def across(self) -> float: ...

    @property
    def room(self) -> float:
        """Pixels that names may take on both sides of the places."""

    def px(self, at: float) -> float: ...


def time_ticks(frame: Placed, size: float) -> tuple[list[float], list[Label]]:
    """Return positions and their labels: every place if there is room, else round ones among them."""
    plot, positions = frame.plot, frame.at
    for chosen in _levels(plot):
        labels = _labels(plot, chosen)
        if _fit(frame, [positions[at] for at in chosen], labels, size):
            return [positions[at] for at in chosen], labels
    most = 2 * min(frame.px(positions[0]) + frame.room, WIDEST) - GAP
    return [positions[0]], [[cut(line, most, size) for line in _labels(plot, [0])[0]]]


def _levels(plot: Plot) -> list[list[int]]:
    """Return ever fewer places: by the calendar for periods, else each n-th."""
    every = list(range(len(plot.places)))
    days = [place.day for place in plot.places]
    levels = [every]
    if plot.is_dated and plot.grain != "week":  # few weeks begin with a month
        found = (
            [at for at, day in zip(every, days, strict=True) if day and keep(day)]
            for keep in CALENDAR[plot.grain != "day" :]
        )
        levels += [level for level in found if 1 < len(level) < len(every)]
    steps = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 50, 100, 200)
    return [*levels, *(every[::step] for step in steps if step < len(every))]


def _labels(plot: Plot, chosen: Sequence[int]) -> list[Label]:
    """Name places; a year stands below the first of its names."""
    days = [plot.places[at].day for at in chosen]
    known = [day for day in days if day is not None]
    if not plot.is_dated or len(known) < len(days):
        return [[plot.places[at].short or plot.places[at].label] for at in chosen]
    grain, locale, year = _named_grain(known, plot.grain), plot.view.names.locale, 0
    found = list[Label]()
    for day in known:
        text = written.month(day, locale, short=True, year=False) if grain == "month" else short(day, grain, locale)
        found.append([text] if day.year == year or grain == "year" else [text, str(day.year)])
        year = day.year
    return found


def _named_grain(days: Sequence[date], grain: Grain) -> Grain:
    """Name months where all days begin one, and years likewise."""
    if grain in ("day", "week", "month") and len(days) > 1 and all((day.month, day.day) == (1, 1) for day in days):
        return "year"
    return "month" if grain in ("day", "week") and len(days) > 1 and all(day.day == 1 for day in days) else grain


def _fit(frame: Placed, positions: Sequence[float], labels: Sequence[Label], size: float) -> bool:
    end = -frame.room - GAP
    for x, label in zip(map(frame.px, positions), labels, strict=True):
        half = max(width(line, size) for line in label) / 2
        if x - half < end + GAP or half > WIDEST:
            return False
        end = x + half
    return end <= frame.across + frame.room
