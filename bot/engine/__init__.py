"""The durable engine: an accepted question is answered once, across crashes."""

from bot.engine.dispatch import Room
from bot.engine.engine import Engine, Hooks
from bot.engine.keeping.copying import SavedQueue, empty_queue, fill_queue, require_empty_queue, save_queue
from bot.engine.keeping.forgetting import forget_turns
from bot.engine.leases import FileLeases
from bot.engine.outage import despite_outage, is_outage
from bot.engine.queue import Pulse, TurnQueue
from bot.engine.workflow import CLAIM, Postponed

__all__ = [
    "CLAIM",
    "Engine",
    "FileLeases",
    "Hooks",
    "Postponed",
    "Pulse",
    "Room",
    "SavedQueue",
    "TurnQueue",
    "despite_outage",
    "empty_queue",
    "fill_queue",
    "forget_turns",
    "is_outage",
    "require_empty_queue",
    "save_queue",
]
