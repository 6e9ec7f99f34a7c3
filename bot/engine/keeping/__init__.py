"""The queue as files: saved, filled in elsewhere, and begun anew where its own file is damaged."""

from bot.engine.keeping.copying import SavedQueue, empty_queue, fill_queue, require_empty_queue, save_queue
from bot.engine.keeping.damage import mend

__all__ = ["SavedQueue", "empty_queue", "fill_queue", "mend", "require_empty_queue", "save_queue"]
