"""The durable engine: an accepted question is answered once, across crashes."""

from bot.engine.dispatch import Room
from bot.engine.engine import Engine, Hooks, TurnQueue
from bot.engine.forgetting import forget_turns
from bot.engine.outage import is_outage
from bot.engine.workflow import CLAIM, Postponed

__all__ = ["CLAIM", "Engine", "Hooks", "Postponed", "Room", "TurnQueue", "forget_turns", "is_outage"]
