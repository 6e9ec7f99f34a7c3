"""Periods of a fiscal year: "this fiscal year", "FY26", "fiscal Q2", "Q2 FY26", "fiscal ytd".

A fiscal year bears the number of the calendar year in which it ends.
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from ai.language.moments import ORDINALS, Rule, read, shift_of
from ai.language.spans import STEPS, Span

_FISCAL = r"(?:fiscal|financial)"
_WHICH = r"(?P<which>this|current|last|previous|past|next)"
_NUMBER = r"'?(?:(?:19|20)?\d\d[/ -])?(?P<y>(?:19|20)\d\d|\d\d)"  # “25/26” ends in 26
_YEAR = rf"(?:(?:fy|{_FISCAL} year|{_FISCAL}) ?{_NUMBER}|(?:the )?{_WHICH} (?:fy|{_FISCAL} year))"
_PART = rf"(?:(?P<part>[qh])(?P<n>[1-4])|(?P<nth>{'|'.join(ORDINALS)}) (?:{_FISCAL} )?(?P<long>quarter|half))"
_TO_DATE = r"(?:so far|to date|to-date)"
_OF = r"[ -]?(?:,? ?(?:of|in) )?"
_BEGINS = re.compile(
    r"in|on|during|for|from|of|over|within|the|our|this|current|last|previous|past|next|since|between|until|through|by"
    rf"|fiscal|financial|fy.*|fytd|ytd|qtd|year-to-date|[qh][1-4].*|{'|'.join(ORDINALS)}"
)


@dataclass(frozen=True, slots=True)
class FiscalYear:
    """A year that starts with this month."""

    month: int

    def span(self, text: str, today: date) -> Span | None:
        """Return the period that a whole text names."""
        return read(text, today, self._rules) or self._range(text, today)

    def begins(self, word: str) -> bool:
        return _BEGINS.fullmatch(word) is not None

    @property
    def _rules(self) -> tuple[Rule, ...]:
        lead = r"(?:in |on |during |for |from |of |over |within )?(?:(?:the|our) )?"
        return (
            (lead + rf"{_YEAR} {_TO_DATE}", self._to_date),
            (lead + rf"(?:{_FISCAL} (?:(?P<unit>[yq])td|year[ -]to[ -]date)|fytd|(?:ytd|year[ -]to[ -]date) {_FISCAL}(?: year)?)",
             self._to_date),
            (lead + _YEAR, self._year),
            (lead + rf"(?P<new>(?:the|our) {_FISCAL} year)", self._year),
            (lead + rf"{_WHICH} {_FISCAL} (?P<unit>quarter|half)", self._near_part),
            (lead + rf"(?:{_FISCAL} )?{_PART}{_OF}(?:the )?{_YEAR}", self._part),
            (lead + rf"{_YEAR}[ -]?{_PART}", self._part),
            (lead + rf"{_FISCAL} {_PART}(?:{_OF}(?P<y>(?:19|20)\d\d))?", self._part),
            (lead + rf"(?P<nth>{'|'.join(ORDINALS)}) {_FISCAL} (?P<long>quarter|half)", self._part),
        )  # fmt: skip

    def _range(self, text: str, today: date) -> Span | None:
        if found := re.fullmatch(r"since (?:the )?(?:(?:start|beginning) of )?(?:the )?(.+)", text):
            span = self.span(found[1], today)
            return span and Span(span.start, None)
        if found := re.fullmatch(r"(?:between |from )?(.+) (?:and|to|until|through) (.+)", text):
            first, last = (self.span(side, today) for side in found.groups())
            ordered = first and last and first.start and last.end and first.start < last.end
            return Span(first.start, last.end) if first and last and ordered else None
        return None

    def _start(self, number: int) -> date:
        return date(number if self.month == 1 else number - 1, self.month, 1)

    def _number(self, day: date) -> int:
        return day.year + (self.month > 1 and day.month >= self.month)

    def _said(self, found: re.Match[str], today: date) -> int | None:
        """Return the number of the year that a phrase names."""
        said = found.groupdict()
        if number := said.get("y"):
            return int(number if len(number) == 4 else f"20{number}")
        if which := said.get("which"):
            return self._number(today) + shift_of(which)
        return None

    def _year(self, found: re.Match[str], today: date) -> Span:
        start = self._start(self._said(found, today) or self._number(today))
        return Span(start, start + STEPS["year"])

    def _to_date(self, found: re.Match[str], today: date) -> Span | None:
        whole = self._near(today, 3, 0) if found.groupdict().get("unit") == "q" else self._year(found, today)
        end = today + timedelta(days=1)
        return Span(whole.start, min(whole.end, end)) if whole.start and whole.end and whole.start < end else None

    def _near_part(self, found: re.Match[str], today: date) -> Span:
        return self._near(today, 3 if found["unit"] == "quarter" else 6, shift_of(found["which"]))

    def _near(self, today: date, months: int, shift: int) -> Span:
        """Return the part of this length around a day, or so many parts later."""
        since = (today.month - self.month) % 12 // months * months
        start = self._start(self._number(today)) + relativedelta(months=since + shift * months)
        return Span(start, start + relativedelta(months=months))

    def _part(self, found: re.Match[str], today: date) -> Span | None:
        said = found.groupdict()
        months = 3 if said.get("part") == "q" or said["long"] == "quarter" else 6
        place = int(said.get("n") or ORDINALS[said["nth"]]) - 1
        if place * months >= 12:
            return None
        year = self._said(found, today)
        start = self._start(year or self._number(today)) + relativedelta(months=place * months)
        if year is None and start > today:
            start -= STEPS["year"]
        return Span(start, start + relativedelta(months=months))
