"""Rows without a state: “inactive”, “not paid”, “with no price”."""

from collections.abc import Sequence

from ai.answers.naming import a_or_an

DONE = frozenset("sold won lost begun bought built seen".split())
UNDONE = frozenset(
    "paid resolved assigned shipped delivered approved read answered verified published sold used".split()
)
OPPOSITES = {
    "active": "inactive", "paid": "unpaid", "approved": "unapproved", "available": "unavailable",
    "visible": "invisible", "complete": "incomplete", "valid": "invalid", "verified": "unverified",
    "published": "unpublished",
    "public": "private", "enabled": "disabled", "test": "non-test", "test flag": "non-test",
}  # fmt: skip


def opposite(state: str) -> str:
    """Return “inactive” for “active”, “not late” for “late”."""
    return OPPOSITES.get(state, f"not {state}")


def recorded(title: str, parts: Sequence[str], *, missing: bool) -> str:
    if len(parts) > 1 and parts[-1] in ("on", "at") and (parts[-2].endswith(("ed", "id", "nt")) or parts[-2] in DONE):
        done = " ".join(parts[:-1])
        return f"un{done}" if missing and done in UNDONE else f"not {done}" if missing else done
    return f"with no {title}" if missing else f"with {a_or_an(title)}"
