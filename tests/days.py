"""The days that tests ask about: the demo ends yesterday, so what was last month changes with the day."""

from datetime import UTC, datetime, timedelta


def last_month(form: str) -> str:
    """Return the last whole month as `strftime` writes it: "%B %Y" for “October 2026”."""
    return (datetime.now(UTC).replace(day=1) - timedelta(days=1)).strftime(form)
