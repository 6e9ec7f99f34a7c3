"""Bring a store to the newest step of its tables, and tell the one before."""

from dataclasses import dataclass

from ai.memory.migrations import REVISION
from ai.memory.opening import open_engine, opening, revision_of, unopened
from ai.memory.seals import Chain


@dataclass(frozen=True, slots=True)
class Migrated:
    """The steps of a store's tables; `before` is None where there were none."""

    before: str | None
    after: str = REVISION


def migrate(state_url: str, chain: Chain) -> Migrated:
    """Migrate the store at a URL. ConfigError, SourceUnavailable or Corrupt."""
    engine = unopened(state_url)
    with opening(engine):
        before = revision_of(engine)
    engine.dispose()
    open_engine(state_url, chain).dispose()
    return Migrated(before)
