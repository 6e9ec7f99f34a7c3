"""Where a bot keeps things."""

from dataclasses import dataclass
from pathlib import Path

from ai.memory.seals import Chain
from ai.results.store import ResultStore

KEY = "receipt.key"


@dataclass(frozen=True, slots=True)
class BackupPlaces:
    """The stores of a bot.

    `own_key` is the file of the receipts' key, None where RECEIPT_KEY_FILE names another. With `in_memory` the results
    are rows of the memory's database, so there is room for them only after it.
    """

    state: str
    engine: str
    results: ResultStore
    files: Path
    chain: Chain
    own_key: Path | None
    in_memory: bool = False
