"""Examine a real Slack: its block forms and limits, metadata, status, files and events. Door: `examine`."""

from bot.doctor.examination import Examination, examine
from bot.doctor.probes import SCOPES

__all__ = ["SCOPES", "Examination", "examine"]
