"""Tell people how many questions are before theirs, once for each question."""

from collections.abc import Callable

from bot.engine.hands import Hands
from bot.engine.shares import ahead
from bot.engine.store import TurnStore

HANDFUL = 5
AT_ONCE = 20  # notes of one look: Slack takes no more of them
REMEMBERED = 10_000
Tell = Callable[[str, int], None]


class WaitingLines:
    """The lines of people who wait for a place."""

    def __init__(self, store: TurnStore, tell: Tell) -> None:
        self._store = store
        self._tell = tell
        self._told: dict[str, None] = {}
        self._hands = Hands("engine-line")

    def tell(self, *, is_full: bool) -> None:
        """Tell those who have more than a handful before them and have not heard it."""
        if not is_full:
            return
        new = [(turn_id, before) for turn_id, before in self._places() if turn_id not in self._told][:AT_ONCE]
        for turn_id, _ in new:
            self._told[turn_id] = None
        while len(self._told) > REMEMBERED:
            del self._told[next(iter(self._told))]
        if new:
            self._hands.do(lambda: self._say(new))

    def _places(self) -> list[tuple[str, int]]:
        lines = [turns for _, turns in self._store.lines()]
        counts = [len(turns) for turns in lines]
        places = [
            (turn_id, ahead(nth, counts[:line] + counts[line + 1 :]))
            for line, turns in enumerate(lines)
            for nth, turn_id in enumerate(turns, 1)
        ]
        return [(turn_id, before) for turn_id, before in places if before > HANDFUL]

    def _say(self, new: list[tuple[str, int]]) -> None:
        for turn_id, before in new:
            self._tell(turn_id, before)
