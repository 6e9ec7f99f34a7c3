"""Figures along time: the change since the time before, the running total, the moving average."""

from datetime import timedelta

from ai.nl2sql.chart.figures import additive
from ai.nl2sql.comparison import UNITS
from ai.nl2sql.meaning import Group, Measure, Period, Series, Unit
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import figure_days

NO_SUM = "A running total needs a figure that adds up, and this one does not."
NO_DATE = "I find no date here to follow over time."
FEW_DAYS = timedelta(days=62)  # a running total of a longer time goes by month
USUAL = {"day": 7, "week": 4, "month": 3, "quarter": 4, "year": 3}  # rows of a moving average without a number


def kinds_of_growth(sketch: Sketch) -> set[str]:
    return {part.data.value for part in sketch.flags("growth")}


def along(sketch: Sketch) -> None:
    """Add the series asked for, by the unit said, else one to fit the time."""
    series = _asked(sketch)
    if series and sketch.target and sketch.meaning.groups and not sketch.meaning.all_measures and not sketch.shown:
        sketch.edit(measures=(Measure("count", sketch.target.table),))
    if not series or not sketch.meaning.measures:
        return
    kinds = kinds_of_growth(sketch)
    if "gap" in kinds and series == "change":
        return
    if series == "running" and not additive(sketch.lexicon, sketch.meaning.measures[0]):
        sketch.doubt(NO_SUM)
    window = next((part.data.value.split() for part in sketch.flags("moving") if part.data.value), None)
    for sign in ("running", "moving", "growth"):
        sketch.flag(sign)
    if not _timed(sketch, series, kinds, window):
        return
    if series == "moving":
        unit = next(group.unit for group in sketch.meaning.groups if group.unit)
        rows = int(window[0]) if window else USUAL.get(unit, 7)
        sketch.edit(rows=rows)
        sketch.assume(f"the first {rows - 1} {unit}s average fewer" if window else f"over {rows} {unit}s")
    sketch.edit(series="" if "trend" in kinds else series, order=())


def _asked(sketch: Sketch) -> Series:
    if sketch.flags("running"):
        return "running"
    return "moving" if sketch.flags("moving") else "change" if sketch.flags("growth") else ""


def _timed(sketch: Sketch, series: Series, kinds: set[str], window: list[str] | None) -> bool:
    """Whether there is a group of time to go along; one is added where none was said."""
    groups = sketch.meaning.groups
    if any(group.unit for group in groups):
        return True
    fields = figure_days(sketch.lexicon, sketch.meaning.measures[0])
    if not fields:
        sketch.doubt(NO_DATE)
        return False
    unit = _unit(sketch, series, kinds, window)
    sketch.edit(groups=(*groups, Group(fields[0].table, fields[0].column, unit)))
    if len(sketch.parts("period")) == 1 and unit == "month" and series == "change" and not kinds & {"trend", "month"}:
        sketch.doubt("Say which two times to compare.", 2.0)
    return True


def _unit(sketch: Sketch, series: Series, kinds: set[str], window: list[str] | None) -> Unit:
    """Choose the unit said; else days for a short time, then months."""
    timed = {at for part in sketch.parts("period") for at in range(part.start, part.end)}
    words = {word.key for at, word in enumerate(sketch.lattice.words) if at not in timed}
    said: list[Unit] = [unit for unit in UNITS if unit in kinds or (window and unit in window[1:])]
    said += [unit for unit in ("week", "day") if unit in words and series == "change"]
    if said:
        return said[0]
    short = (series == "running" or "trend" in kinds) and is_short(sketch.meaning.periods)
    return "day" if series == "moving" or short else "month"


def is_short(periods: tuple[Period, ...]) -> bool:
    """Return whether a series over these times goes by day."""
    return any(p.start and p.end and p.end - p.start <= FEW_DAYS for p in periods)
