"""Facts of a checked query: its figures, rows, days, groups and order."""

from ai.sql.facts.describe import facts_of
from ai.sql.facts.metrics import unqualified
from ai.sql.facts.model import (
    Facts,
    Having,
    Operator,
    OrderKey,
    Origin,
    Output,
    Period,
    Scalar,
    Test,
    Window,
    alike,
    between_days,
    is_change,
)
from ai.sql.facts.proof import unproven
from ai.sql.facts.times import bare, day_of, moved, part_of, unit_of

__all__ = [
    "Facts",
    "Having",
    "Operator",
    "OrderKey",
    "Origin",
    "Output",
    "Period",
    "Scalar",
    "Test",
    "Window",
    "alike",
    "bare",
    "between_days",
    "day_of",
    "facts_of",
    "is_change",
    "moved",
    "part_of",
    "unit_of",
    "unproven",
    "unqualified",
]
