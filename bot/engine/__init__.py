"""The durable engine: an accepted question is answered once, across crashes. The only importer of DBOS."""

from bot.engine.engine import Engine
from bot.engine.forgetting import forget_turns
from bot.engine.lease import FileLeases
from bot.engine.outage import despite_outage, is_outage
from bot.engine.workflow import Postponed

__all__ = [
    "Engine",
    "FileLeases",
    "Postponed",
    "despite_outage",
    "forget_turns",
    "is_outage",
]
