"""Keep the turns: one row each, from its arrival until a week after its end.

A turn waits, runs in one engine, and ends. Its row holds the outputs of its steps while it runs, and drops them at the
end.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ai.types import ThreadKey
from bot.engine.database import QueueDatabase, Transaction
from bot.engine.shares import Party, Places, WaitingTurn
from bot.inbound import NewTurn, revised, said_at

Choose = Callable[[Sequence[WaitingTurn], Sequence[Party]], Sequence[WaitingTurn]]  # whose turns run in other engines

SEEN = 500  # of those who could begin: the first of each person, then the second
RESUMED = 0  # the place of a turn that was begun: before all others of its thread
TABLES = (
    """CREATE TABLE IF NOT EXISTS engine_turns (
        turn_id TEXT PRIMARY KEY, thread TEXT NOT NULL, team TEXT NOT NULL, channel TEXT NOT NULL, person TEXT NOT NULL,
        place BIGINT NOT NULL, arrived DOUBLE PRECISION NOT NULL, due DOUBLE PRECISION NOT NULL DEFAULT 0,
        state TEXT NOT NULL, engine TEXT, runs INTEGER NOT NULL DEFAULT 0, stopped INTEGER NOT NULL DEFAULT 0,
        steps TEXT, outcome TEXT, ended DOUBLE PRECISION, quick INTEGER NOT NULL DEFAULT 0)""",
    """CREATE INDEX IF NOT EXISTS engine_turns_waiting ON engine_turns (thread, place, turn_id)
        WHERE state = 'waiting'""",
    "CREATE INDEX IF NOT EXISTS engine_turns_running ON engine_turns (thread) WHERE state = 'running'",
    "CREATE INDEX IF NOT EXISTS engine_turns_ended ON engine_turns (ended) WHERE state = 'ended'",
)
QUICK = "ALTER TABLE engine_turns ADD COLUMN quick INTEGER NOT NULL DEFAULT 0"  # what older releases made has none
HEADS = """
    SELECT turn_id, team, channel, person, arrived, quick,
        row_number() OVER (PARTITION BY team, channel, person, quick ORDER BY arrived, turn_id) AS nth
    FROM engine_turns AS head WHERE state = 'waiting' AND due <= ?
        AND NOT EXISTS (SELECT 1 FROM engine_turns AS other WHERE other.state = 'running' AND other.thread = head.thread)
        AND NOT EXISTS (SELECT 1 FROM engine_turns AS other WHERE other.state = 'waiting' AND other.thread = head.thread
            AND (other.place < head.place OR (other.place = head.place AND other.turn_id < head.turn_id)))"""
ELSEWHERE = "SELECT team, channel, person FROM engine_turns WHERE state = 'running' AND engine <> ?"
BEGIN = "UPDATE engine_turns SET state = 'running', engine = ?, runs = runs + 1, place = 0 WHERE turn_id = ?"
OURS = "turn_id = ? AND engine = ? AND runs = ? AND state = 'running'"
END = f"UPDATE engine_turns SET state = 'ended', outcome = ?, ended = ?, steps = NULL WHERE {OURS}"
PUT_OFF = f"UPDATE engine_turns SET state = 'waiting', engine = NULL, due = ? WHERE {OURS}"
RECORD = f"UPDATE engine_turns SET steps = ? WHERE {OURS}"


class TurnRun(NamedTuple):
    """One run of a turn, by the number of its beginnings."""

    turn_id: str
    number: int


class Begun(NamedTuple):
    run: TurnRun
    party: Party
    steps: Mapping[str, str]
    is_stopped: bool
    is_quick: bool = False


class Lost(NamedTuple):
    """A turn marked as running in an engine."""

    turn_id: str
    engine: str
    steps: int


@dataclass(frozen=True, slots=True)
class News:
    """What happened to the turns of an engine since it last wrote."""

    steps: Mapping[TurnRun, Mapping[str, str]]
    ended: Mapping[TurnRun, str]
    put_off: Mapping[TurnRun, float]

    def __bool__(self) -> bool:
        return bool(self.steps or self.ended or self.put_off)


class TurnStore:
    """The rows of all turns, for the engine of this name."""

    def __init__(self, database: QueueDatabase, engine: str, clock: Callable[[], float]) -> None:
        self._database = database
        self._engine = engine
        self._clock = clock

    def create(self) -> None:
        def create(tx: Transaction) -> None:
            for statement in TABLES:
                tx.do(statement)
            if not tx.has_column("engine_turns", "quick"):
                tx.do(QUICK)

        self._database.write(create, alone=True)

    def add(self, turns: Sequence[NewTurn]) -> None:
        """Add waiting turns; known ones stay as they are."""
        now = self._clock()
        rows = [
            (turn_id, str(thread), thread.team, thread.channel, person, place_of(turn_id), now, int(is_quick))
            for turn_id, thread, person, is_quick in turns
        ]
        sql = (
            "INSERT INTO engine_turns (turn_id, thread, team, channel, person, place, arrived, quick, state)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting') ON CONFLICT (turn_id) DO NOTHING"
        )
        self._database.write(lambda tx: tx.each(sql, rows))

    def advance(self, news: News, free: Places, choose: Choose) -> list[Begun]:
        """Write the news down and begin turns, in one transaction."""
        return self._database.write(lambda tx: self._advance(tx, news, free, choose), alone=bool(free))

    def wanted(self, turn_ids: Sequence[str]) -> list[str]:
        """Return which of these turns people want stopped."""
        sql = f"SELECT turn_id FROM engine_turns WHERE stopped = 1 AND turn_id IN ({_marks(turn_ids)})"
        return [turn_id for (turn_id,) in self._database.read(sql, turn_ids)] if turn_ids else []

    def stop(self, turn_ids: Sequence[str]) -> None:
        rows = [(turn_id,) for turn_id in turn_ids]
        sql = "UPDATE engine_turns SET stopped = 1 WHERE turn_id = ? AND state <> 'ended'"
        self._database.write(lambda tx: tx.each(sql, rows))

    def unfinished(self, thread: ThreadKey | None = None) -> list[str]:
        where, values = ("AND thread = ?", (str(thread),)) if thread else ("", ())
        each = [f"SELECT turn_id FROM engine_turns WHERE state = '{state}' {where}" for state in ("waiting", "running")]
        sql = " UNION ALL ".join(each)  # each has an index
        return [turn_id for (turn_id,) in self._database.read(sql, values * 2)]

    def backlog(self) -> tuple[int, float]:
        """Count the questions that nobody has begun though they are due; return the wait of the oldest in seconds."""
        now = self._clock()
        sql = "SELECT count(*), min(arrived) FROM engine_turns WHERE state = 'waiting' AND due <= ?"
        [(waiting, oldest)] = self._database.read(sql, (now,))
        return waiting, now - oldest if waiting else 0.0

    def wordings(self, question: str) -> list[str]:
        """Return the unfinished turns of a question, edited ones among them."""
        marked = revised(question, "")
        sql = (
            "SELECT turn_id FROM engine_turns WHERE state IN ('waiting', 'running')"
            " AND (turn_id = ? OR substr(turn_id, 1, ?) = ?)"
        )
        return [turn_id for (turn_id,) in self._database.read(sql, (question, len(marked), marked))]

    def look(self) -> tuple[bool, list[Lost], list[str]]:
        """Return in one look whether a turn may be due, the running turns, and those of them to stop."""
        sql = (
            "SELECT turn_id, engine, steps, stopped FROM engine_turns WHERE state = 'running'"
            " UNION ALL SELECT '', '', NULL, 0 WHERE EXISTS"
            " (SELECT 1 FROM engine_turns WHERE state = 'waiting' AND due <= ?)"
        )
        rows = self._database.read(sql, (self._clock(),))
        running = [Lost(turn_id, engine, len(_steps(steps))) for turn_id, engine, steps, _ in rows if turn_id]
        return len(running) < len(rows), running, [turn_id for turn_id, *_, stopped in rows if stopped]

    def give_back(self, lost: Sequence[Lost]) -> None:
        """Let lost turns wait again, first in their threads."""
        sql = (
            "UPDATE engine_turns SET state = 'waiting', engine = NULL, due = 0"
            " WHERE turn_id = ? AND engine = ? AND state = 'running'"
        )
        self._database.write(lambda tx: tx.each(sql, [(turn.turn_id, turn.engine) for turn in lost]))

    def give_up(self, turn_id: str) -> None:
        sql = "UPDATE engine_turns SET state = 'ended', outcome = 'crashed', ended = ?, steps = NULL WHERE turn_id = ?"
        self._database.write(lambda tx: tx.do(sql, (self._clock(), turn_id)))

    def is_unfinished(self, turn_ids: Sequence[str]) -> bool:
        sql = f"SELECT 1 FROM engine_turns WHERE state <> 'ended' AND turn_id IN ({_marks(turn_ids)}) LIMIT 1"
        return bool(turn_ids and self._database.read(sql, turn_ids))

    def prune(self, before: float, most: int) -> list[str]:
        """Delete up to `most` turns that ended before this time; return their ids."""
        sql = f"SELECT turn_id FROM engine_turns WHERE state = 'ended' AND ended < ? LIMIT {most}"
        old = self._database.read(sql, (before,))
        self._database.write(lambda tx: tx.each("DELETE FROM engine_turns WHERE turn_id = ?", old))
        return [turn_id for (turn_id,) in old]

    def lines(self) -> list[tuple[Party, list[str]]]:
        """Return the waiting turns of each person, oldest first."""
        sql = (
            "SELECT team, channel, person, turn_id FROM engine_turns WHERE state = 'waiting' AND due <= ?"
            " ORDER BY arrived, turn_id"
        )
        found: dict[Party, list[str]] = {}
        for team, channel, person, turn_id in self._database.read(sql, (self._clock(),)):
            found.setdefault((team, channel, person), []).append(turn_id)
        return list(found.items())

    def _advance(self, tx: Transaction, news: News, free: Places, choose: Choose) -> list[Begun]:
        tx.each(RECORD, [(json.dumps(steps), *self._ours(run)) for run, steps in news.steps.items()])
        tx.each(PUT_OFF, [(due, *self._ours(run)) for run, due in news.put_off.items()])
        now = self._clock()
        tx.each(END, [(outcome, now, *self._ours(run)) for run, outcome in news.ended.items()])
        if not free:
            return []
        sql = f"SELECT turn_id, team, channel, person, nth, arrived, quick FROM ({HEADS}) AS heads WHERE nth <= ?"
        sql += f" ORDER BY nth, arrived LIMIT {SEEN}"
        heads = tx.all(sql, (now, free.any + free.quick))
        waiting = [WaitingTurn(row[0], row[1:4], row[4], row[5], bool(row[6])) for row in heads]
        picked = choose(waiting, tx.all(ELSEWHERE, (self._engine,))) if waiting else ()
        tx.each(BEGIN, [(self._engine, turn.turn_id) for turn in picked])
        return [self._begun(tx, turn) for turn in picked]

    def _begun(self, tx: Transaction, turn: WaitingTurn) -> Begun:
        ((runs, steps, stopped),) = tx.all(
            "SELECT runs, steps, stopped FROM engine_turns WHERE turn_id = ?", (turn.turn_id,)
        )
        return Begun(TurnRun(turn.turn_id, runs), turn.party, _steps(steps), bool(stopped), turn.is_quick)

    def _ours(self, run: TurnRun) -> tuple[Any, ...]:
        return run.turn_id, self._engine, run.number


def _steps(stored: str | None) -> dict[str, str]:
    return json.loads(stored) if stored else {}


def place_of(turn_id: str) -> int:
    """Return the place of a turn in its thread: Slack's time of its wording in microseconds, never RESUMED."""
    return int(said_at(turn_id) * 1_000_000) + 1


def _marks(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))
