"""Examine what is set up, and a real Slack: its block forms and limits, metadata, status, files and events."""

from bot.doctor.examination import Examination, examine
from bot.doctor.inspection import Check, checks, tell_owners
from bot.doctor.parts import running
from bot.doctor.readiness import Readiness

__all__ = ["Check", "Examination", "Readiness", "checks", "examine", "running", "tell_owners"]
