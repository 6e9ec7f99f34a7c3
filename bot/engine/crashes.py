"""Records of turns lost with their process, to find the one killing it.

Progress since the last loss clears a turn. Two losses at one step make a suspect; suspects resume one at a time. A
process dying with a single turn, or a single suspect, blames that one.
"""

from dataclasses import dataclass

from bot.engine.database import QueueDatabase, Transaction

SUSPECT_LOSSES = 2
GUILTY_BLAME = 3
TABLE = """CREATE TABLE IF NOT EXISTS turn_crashes (
    turn_id TEXT NOT NULL PRIMARY KEY, engine TEXT NOT NULL, steps INTEGER NOT NULL, losses INTEGER NOT NULL,
    blame INTEGER NOT NULL)"""


@dataclass(frozen=True)
class Record:
    """Losses of a turn at its current step, and losses that nothing else explains."""

    losses: int
    blame: int

    @property
    def guilty(self) -> bool:
        return self.blame >= GUILTY_BLAME

    @property
    def suspect(self) -> bool:
        return self.losses >= SUSPECT_LOSSES and not self.guilty


class Crashes:
    def __init__(self, database: QueueDatabase) -> None:
        self._database = database
        database.write(lambda tx: tx.do(TABLE), alone=True)

    def note(self, turn_id: str, engine: str, steps: int, *, alone: bool) -> Record:
        """Record the loss of a turn with `engine` after `steps` steps. Repeating it changes nothing."""

        def note(tx: Transaction) -> Record:
            known = tx.all("SELECT engine, steps, losses, blame FROM turn_crashes WHERE turn_id = ?", (turn_id,))
            last_engine, last_steps, *counts = known[0] if known else ("", None, 0, 0)
            if last_engine == engine:
                return Record(*counts)
            before = Record(*counts) if last_steps == steps else Record(0, 0)
            record = Record(before.losses + 1, before.blame + (alone or before.suspect))
            tx.do("DELETE FROM turn_crashes WHERE turn_id = ?", (turn_id,))
            values = (turn_id, engine, steps, record.losses, record.blame)
            tx.do("INSERT INTO turn_crashes (turn_id, engine, steps, losses, blame) VALUES (?, ?, ?, ?, ?)", values)
            return record

        return self._database.write(note)

    def suspects(self) -> list[str]:
        rows = self._database.read("SELECT turn_id FROM turn_crashes WHERE losses >= ?", (SUSPECT_LOSSES,))
        return [turn_id for (turn_id,) in rows]

    def forget(self, turn_ids: list[str]) -> None:
        rows = [(turn_id,) for turn_id in turn_ids]
        self._database.write(lambda tx: tx.each("DELETE FROM turn_crashes WHERE turn_id = ?", rows))
