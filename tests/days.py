"""The days that tests ask about: the demo ends yesterday, so what was last month changes with the day."""

from datetime import UTC, datetime

from dateutil.relativedelta import relativedelta


def last_month(form: str, *, before: int = 0) -> str:
    """Return the last whole month, or one so many before it, as `strftime` writes it: "%B %Y" for “October 2026”."""
    return (datetime.now(UTC) - relativedelta(months=1 + before)).strftime(form)
