"""The guard: which SQL may run, and its text as it runs."""

from ai.sql.guard.checks import Checked, KeptChecks, check, check_condition, permitted_rows

__all__ = ["Checked", "KeptChecks", "check", "check_condition", "permitted_rows"]
