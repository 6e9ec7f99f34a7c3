"""A model's words with slots, which code fills with figures of the result."""

from ai.answers.filled.figures import written
from ai.answers.filled.sheet import ResultSheet, SlotError, sheet_of_rows
from ai.answers.filled.slots import token_of

__all__ = ["ResultSheet", "SlotError", "sheet_of_rows", "token_of", "written"]
