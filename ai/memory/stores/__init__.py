"""A memory as a whole store, as those who run it see it: brought to the newest step of its tables."""

from ai.memory.stores.migrating import Migrated, migrate

__all__ = ["Migrated", "migrate"]
