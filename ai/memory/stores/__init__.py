"""A memory as a whole: brought to the newest step of its tables, saved to files, filled from them."""

from ai.memory.stores.filling import Migrated, fill, migrate, require_empty, require_step
from ai.memory.stores.saving import SavedStore, save, saved_results

__all__ = ["Migrated", "SavedStore", "fill", "migrate", "require_empty", "require_step", "save", "saved_results"]
