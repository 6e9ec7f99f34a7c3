"""The order of an explanation: is the data whole, is the change unusual, what moved it."""

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

from ai.analysis.case import Case
from ai.analysis.checks import DataGap, NewName, Outlier, gap, gaps, newcomers, outlier, renames
from ai.analysis.finding import Breakdown, Driver, Finding, PartRow
from ai.analysis.history import QUIET, History
from ai.analysis.quiet import crossed, quiet
from ai.analysis.ratios import why_ratio
from ai.analysis.study import ROWS, Daily, Days, Study, figure, over
from ai.analysis.sums import why_sum

MOSTLY = Fraction(1, 2)
ONE_DAY = Fraction(6, 10)  # of the change, for an outlier
SEASONAL = 0.05  # a change below it is no season's, if it is unusual at all
BESIDE = Fraction(8, 100)  # of the whole, for values that moved apart from the season of the others
NOTHING = Fraction(1, 100)  # of the whole: no change to look into
TELLING = Fraction(1, 20)  # of the whole, for a rename or a day worth telling


def explain(study: Study) -> Finding:
    """Return the first cause to hold."""
    daily = study.daily()
    case = Case(study, History(daily, study.is_ratio, study.is_mean))
    first = next((found for look in (_other_name, _unloaded, _seasonal) if (found := look(case))), None)
    if first and first.cause != "no change":
        return first
    case = case.with_renames({dimension: _renames(case, dimension) for dimension in study.dimensions})
    if first:
        return quiet(case)
    is_usual = not case.history.is_unusual(study.before, study.now)
    looks = (_gap, _newcomer) if study.is_mean else (_gap, _newcomer, _day)
    found = next((found for look in looks if (found := look(case))), None)
    if found is None:
        moved = why_ratio if study.is_ratio else why_sum
        cancels = is_usual and crossed(case) is not None
        found = (None if cancels else moved(case, is_usual=is_usual)) or quiet(case)
    return found if found.cause == "no change" else _with_rename(case, _with_season(case, found))


def _unloaded(case: Case) -> Finding | None:
    study, daily = case.study, case.history.daily
    first = min(daily, default=study.before.start)
    newest = max(daily, default=None)
    for days in (study.now, study.before):
        if not over(daily, days)[ROWS]:
            return Finding("data gap", case.before, case.now, gap=DataGap(None, days.days, Fraction(0)), newest=newest)
    for days in (study.now, study.before):
        missing = _per_day(case, gap(None, daily, days, first), days)
        if missing is None or not case.change:
            continue
        towards = -missing.loss if days == study.now else missing.loss
        if study.is_ratio or towards / case.change >= MOSTLY:
            breakdown = None if study.is_ratio else _missing_days(case, days, missing)
            return Finding("data gap", case.before, case.now, breakdown=breakdown, gap=missing)
    return None


def _seasonal(case: Case) -> Finding | None:
    study, before, now = case.study, case.before, case.now
    if abs(case.change) <= NOTHING * before:
        return Finding("no change", before, now)
    size = abs(float(now / before) - 1) if before > 0 else 1.0
    is_unusual = size >= QUIET and case.history.is_unusual(study.before, study.now)
    season = case.history.season(study.before, study.now) if size >= SEASONAL or is_unusual else None
    if season is None:
        return None
    moved = None if study.is_ratio else why_sum(case, is_usual=False)
    beside = _with_season(case, moved) if moved else None
    return beside if beside and beside.season else Finding("seasonality", before, now, season=season)


def _with_season(case: Case, found: Finding) -> Finding:
    """Tell the season of all other parts beside the values that moved apart from them."""
    parts = {row.name: row for row in found.breakdown.rows} if found.breakdown else {}
    own = [parts[driver.value] for driver in found.drivers if driver.value in parts]
    if found.cause not in ("segment", "two causes") or case.study.is_ratio or len(own) < len(found.drivers):
        return found
    before, now = (case.before - sum((r.before or 0) for r in own), case.now - sum((r.now or 0) for r in own))
    if before <= 0 or now <= 0 or abs(now / before - 1) < SEASONAL:
        return found
    apart = sum((abs((row.now or 0) - (row.before or 0) * now / before) for row in own), Fraction(0))
    season = case.history.season(case.study.before, case.study.now, (before, now))
    return replace(found, season=season) if season and apart >= BESIDE * case.before else found


def _other_name(case: Case) -> Finding | None:
    study = case.study
    for dimension in study.dimensions:
        asked = case.segments(dimension)
        if len(asked) != 1:
            continue
        everything = study.segments(dimension, unfiltered=True)
        for rename in renames(everything, study.before, study.now, study.since):
            if rename.old in asked:
                return Finding("renamed", case.before, case.now, rename=rename, rename_in=dimension)
    return None


def _renames(case: Case, dimension: str) -> tuple[NewName, ...]:
    study = case.study
    return renames(case.segments(dimension), study.before, study.now, study.since)


def _gap(case: Case) -> Finding | None:
    """Find a value without rows on days that always had some."""
    study, best = case.study, MOSTLY
    found: Finding | None = None
    for dimension in case.loaded:
        segments = case.segments(dimension)
        for days in (study.now, study.before):
            found_here = gaps(segments, days, case.first_day)
            for missing in filter(None, (_per_day(case, each, days) for each in found_here)):
                explained = case.explained_by(dimension, missing.value)
                own = case.contribution(dimension, missing.value) * case.change
                is_its = study.is_ratio or abs(missing.loss) >= MOSTLY * abs(own)
                if explained > best and is_its:
                    best = explained
                    table = None if study.is_ratio else case.breakdown(dimension)
                    found = Finding("data gap", case.before, case.now, breakdown=table, gap=missing, gap_in=dimension)
    return found


def _per_day(case: Case, missing: DataGap | None, days: Days) -> DataGap | None:
    """Return a gap whose loss is in the unit of the figure."""
    if missing is None or not case.study.is_mean:
        return missing
    return replace(missing, loss=missing.loss / days.length)


def _newcomer(case: Case) -> Finding | None:
    study, best = case.study, MOSTLY
    found: Finding | None = None
    for dimension in study.dimensions:
        for key in newcomers(case.segments(dimension), study.now, study.since):
            explained = case.explained_by(dimension, key)
            if explained > best:
                best, driver = explained, case.driver(dimension, key)
                table = None if study.is_ratio else case.breakdown(dimension)
                found = Finding("new segment", case.before, case.now, (driver,), breakdown=table)
    return found


def _day(case: Case) -> Finding | None:
    """Find the day that gives most of the change, in either period."""
    study, daily = case.study, case.history.daily
    values = {day: figure(parts, is_ratio=study.is_ratio) for day, parts in daily.items()}
    for days in (study.now, study.before):
        apart = outlier(values, days, min(daily, default=days.start))
        if apart is None:
            continue
        share = _share_of_day(case, daily, days, apart)
        if share >= ONE_DAY and abs(share * case.change) >= TELLING * case.before:
            driver = Driver("day", apart.day.isoformat(), share)
            breakdown = None if study.is_ratio else _one_day(case, days, apart)
            return Finding("outlier day", case.before, case.now, (driver,), breakdown=breakdown, outlier=apart)
    return None


def _share_of_day(case: Case, daily: Daily, days: Days, apart: Outlier) -> Fraction:
    sign = 1 if days == case.study.now else -1
    if case.study.is_ratio:
        rest = {day: parts for day, parts in daily.items() if day != apart.day}
        return sign * (case.history.of(days) - History(rest, is_ratio=True).of(days)) / case.change
    return sign * (apart.found - _twin(case, days, apart)) / case.change


def _twin(case: Case, days: Days, apart: Outlier) -> Fraction:
    """Return the same weekday of the other week, or what is usual."""
    study = case.study
    other = study.before if days == study.now else study.now
    if days.length != 7 or (days.start - other.start).days % 7:
        return apart.usual
    start = other.start + (apart.day - days.start)
    return case.history.of(Days(start, start + timedelta(1)))


def _one_day(case: Case, days: Days, apart: Outlier) -> Breakdown:
    """Set a day, beside its weekday of the other period, against all other days."""
    is_now, twin = days == case.study.now, _twin(case, days, apart)
    sides = (twin, apart.found) if is_now else (apart.found, twin)
    return _beside_others(case, apart.day.isoformat(), *sides)


def _missing_days(case: Case, days: Days, missing: DataGap) -> Breakdown:
    """Set the missing days, beside what they usually hold, against all others."""
    sides = (missing.loss, Fraction(0)) if days == case.study.now else (Fraction(0), missing.loss)
    return _beside_others(case, "days without data", *sides)


def _beside_others(case: Case, name: str, before: Fraction, now: Fraction) -> Breakdown:
    own = PartRow(name, before, now, now - before)
    rest = PartRow("all other days", case.before - before, case.now - now, case.change - own.effect)
    return Breakdown("day", (own, rest))


def _with_rename(case: Case, found: Finding) -> Finding:
    """Tell of the largest rename beside the cause."""
    largest: tuple[Fraction, str, NewName] | None = None
    for dimension, renamed in case.renamed.items():
        for rename in renamed:
            if not largest or rename.sizes[0] > largest[0]:
                largest = (rename.sizes[0], dimension, rename)
    if largest is None or case.study.is_ratio or largest[0] < TELLING * case.before:
        return found
    return replace(found, cause="renamed", rename=largest[2], rename_in=largest[1])
