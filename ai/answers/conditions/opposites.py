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


def done_to(parts: Sequence[str], *, missing: bool) -> str:
    """Return “escalated” for `escalated_to_id`, “unassigned” where nobody is in `assigned_to_id`, else ""."""
    if len(parts) < 3 or parts[1] not in ("to", "by") or parts[-1] != "id" or not parts[0].endswith("ed"):
        return ""
    return _not(parts[0]) if missing else parts[0]


def _not(done: str) -> str:
    return f"un{done}" if done in UNDONE else f"not {done}"


def recorded(title: str, parts: Sequence[str], *, missing: bool) -> str:
    if len(parts) > 1 and parts[-1] in ("on", "at") and (parts[-2].endswith(("ed", "id", "nt")) or parts[-2] in DONE):
        done = " ".join(parts[:-1])
        return _not(done) if missing else done
    return f"with no {title}" if missing else f"with {a_or_an(title)}"
