"""Sheets of an Excel workbook: Excel's own types where exact, text elsewhere.

Excel keeps fifteen digits, milliseconds, no time zones and no calendar before 1900.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal
from itertools import count
from typing import TYPE_CHECKING, Any

from ai.results.cells import Block
from ai.results.csv import plain

if TYPE_CHECKING:
    import xlsxwriter
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

SHEET_ROWS, SHEET_COLUMNS, SHEET_TEXT, EXACT_DIGITS = 1_048_576, 16_384, 32_767, 15
FIRST_SHEET_DAY = date(1900, 3, 1)  # before it, spreadsheets disagree about the calendar
NAME_LENGTH, NOT_IN_NAMES = 31, re.compile(r"[\[\]:*?/\\\x00-\x1f]")
DAY_FORMAT, MOMENT_FORMAT = "yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss.000"


class SheetNames:
    """Gives the sheets of a workbook names as Excel takes them: short, unlike each other, without its special signs."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def unused(self, title: str) -> str:
        plain = " ".join(NOT_IN_NAMES.sub(" ", title).split()).strip("'") or "Rows"
        numbers = (f" {number}" if number > 1 else "" for number in count(1))
        name = next(name for end in numbers if (name := self._short(plain, end)).lower() not in self._given)
        self._given.add(name.lower())
        return name

    @staticmethod
    def _short(title: str, end: str) -> str:
        return title[: NAME_LENGTH - len(end)].strip(" '") + end


class Sheets:
    """The sheets of one result."""

    def __init__(
        self, workbook: xlsxwriter.Workbook, names: Sequence[str], most: int, unused_name: Callable[[], str]
    ) -> None:
        self._workbook = workbook
        self._unused_name = unused_name
        self._names = names
        self._most = most
        self._cut = 0
        self._day: Format = workbook.add_format({"num_format": DAY_FORMAT})
        self._moment: Format = workbook.add_format({"num_format": MOMENT_FORMAT})
        self._count, self._row = 0, most
        self._sheet = self._another()

    def add(self, block: Block) -> None:
        for row in block.rows():
            if self._row == self._most:
                self._sheet = self._another()
            for place, value in enumerate(row):
                self._cell(place, value)
            self._row += 1

    def notes(self) -> tuple[str, ...]:
        """Say what the workbook could not hold."""
        several = f"Excel takes {self._most:,} rows per sheet, so the rows go on over {self._count} sheets."
        cut = f"Excel cut {self._cut:,} long texts to {SHEET_TEXT:,} characters; the CSV holds them whole."
        return (*([several] if self._count > 1 else []), *([cut] if self._cut else []))

    def _another(self) -> Worksheet:
        self._count += 1
        sheet: Worksheet = self._workbook.add_worksheet(self._unused_name())
        for place, name in enumerate(self._names):
            sheet.write_string(0, place, name[:SHEET_TEXT])
        sheet.freeze_panes(1, 0)
        self._row = 1
        return sheet

    def _cell(self, place: int, value: Any) -> None:
        if value is None:
            return
        if isinstance(value, bool):
            self._sheet.write_boolean(self._row, place, value)
        elif isinstance(value, int | float | Decimal) and _is_exact(value):
            self._sheet.write_number(self._row, place, value)
        elif type(value) is date and value >= FIRST_SHEET_DAY:
            self._sheet.write_datetime(self._row, place, value, self._day)
        elif isinstance(value, datetime) and _has_place(value):
            self._sheet.write_datetime(self._row, place, value, self._moment)
        else:
            text = plain(value)
            self._cut += len(text) > SHEET_TEXT
            self._sheet.write_string(self._row, place, text[:SHEET_TEXT])


def _is_exact(number: Any) -> bool:
    if isinstance(number, float):
        return math.isfinite(number)
    if isinstance(number, Decimal):
        return number.is_finite() and len(number.as_tuple().digits) <= EXACT_DIGITS
    return bool(abs(number) < 10**EXACT_DIGITS)


def _has_place(moment: datetime) -> bool:
    return moment.tzinfo is None and moment.date() >= FIRST_SHEET_DAY and moment.microsecond % 1000 == 0
