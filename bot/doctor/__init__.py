"""Examine a real Slack: its block forms and limits, metadata, status, files and events. Door: `examine`."""

from bot.doctor.examination import Examination, examine

__all__ = ["Examination", "examine"]
