"""How a reading was made: the words, the chosen sketch and its rivals, the answer it changes."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

from ai.nl2sql.chart.parts import Flag, Part
from ai.nl2sql.choose import core
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Filter, Meaning, Period
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.words import Word
from ai.results.table import ResultTable

PARTS = tuple(field.name for field in fields(Meaning))


@dataclass(frozen=True)
class Derivation:
    """A decided reading. `before` is the answer it changes, None for a question of its own.

    `found` are the readings of the message, the likeliest first, and `sketch` the chosen one, or in a thread the
    likeliest. `deep` counts the answers before, `lost` the questions since. `result` is what
    its SQL gave, None before it ran.
    """

    text: str
    meaning: Meaning
    lexicon: Lexicon
    sketch: Sketch | None = None
    found: Sequence[Sketch] = ()
    before: Meaning | None = None
    notes: tuple[str, ...] = ()
    deep: int = 0
    lost: int = 0
    result: ResultTable | None = None

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return self.sketch.lattice.words if self.sketch else ()

    @cached_property
    def keys(self) -> frozenset[str]:
        """The words of the message, in small letters."""
        said = "".join(letter if letter.isalnum() or letter == "'" else " " for letter in self.text.lower())
        return frozenset(said.split())

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The constituents apart from words of grammar."""
        cover = self.sketch.cover.parts if self.sketch else ()
        return tuple(part for part in cover if not isinstance(part.data, Flag))

    @cached_property
    def flags(self) -> tuple[Part, ...]:
        cover = self.sketch.cover.parts if self.sketch else ()
        return tuple(part for part in cover if isinstance(part.data, Flag))

    @cached_property
    def kinds(self) -> frozenset[str]:
        return frozenset(part.kind for part in self.parts)

    @cached_property
    def sound(self) -> tuple[Sketch, ...]:
        """The readings able to be answered."""
        return tuple(sketch for sketch in self.found if not sketch.problems and not sketch.unread())

    @cached_property
    def rivals(self) -> tuple[Sketch, ...]:
        """The sound readings of another meaning."""
        own = core(self.sketch.meaning) if self.sketch else None
        return tuple(sketch for sketch in self.sound if core(sketch.meaning) != own)

    @cached_property
    def changed(self) -> frozenset[str]:
        """The parts of the meaning made others by an edit."""
        before = self.before
        if before is None:
            return frozenset()
        return frozenset(name for name in PARTS if getattr(before, name) != getattr(self.meaning, name))

    @cached_property
    def tests(self) -> tuple[Filter | Period, ...]:
        """Every condition, wherever it stands."""
        meaning = self.meaning
        inside = [test for measure in meaning.all_measures for test in measure.where]
        inside += [test for presence in meaning.presences for test in presence.where]
        either = [test for tests in meaning.either for test in tests]
        return (*meaning.filters, *meaning.periods, *inside, *either)
