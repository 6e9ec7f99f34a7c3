"""Turns: workflows of one question or one retraction."""

from bot.turn.retraction import Retract, Retractions
from bot.turn.runner import GAVE_UP, TurnRunner, Unpack, surfaces

__all__ = ["GAVE_UP", "Retract", "Retractions", "TurnRunner", "Unpack", "surfaces"]
