"""Turns: workflows of one question or one retraction."""

from bot.turn.retraction import Retract, Retractions
from bot.turn.runner import FAILED, GAVE_UP, TurnRunner, Unpack, surfaces

__all__ = ["FAILED", "GAVE_UP", "Retract", "Retractions", "TurnRunner", "Unpack", "surfaces"]
