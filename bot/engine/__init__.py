"""The durable engine: a question that was accepted is answered once, whatever dies.

Owns the queue of turns (one at a time per thread, many threads at once), the record of the steps that a turn has done,
taking over the turns of a process that is gone, and forgetting what was recorded. Everything is stored by DBOS, which is
imported nowhere else, in SQLite or PostgreSQL. Knows neither Slack nor the turn: it is handed the turn, and the poster of
crash notes, as functions.
"""

from bot.engine.engine import Engine
from bot.engine.forgetting import forget_turns
from bot.engine.outage import is_outage
from bot.engine.workflow import Postponed

__all__ = ["Engine", "Postponed", "forget_turns", "is_outage"]
