"""The sketch of a meaning: the constituents of one cover by kind, and the meaning as far as it is settled."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from ai.language.words import REQUESTING
from ai.nl2sql.chart.cover import Cover
from ai.nl2sql.chart.parts import LOUD, Flag, Part, PartKind, Wanted
from ai.nl2sql.echo import echo
from ai.nl2sql.grammar import kinds_of
from ai.nl2sql.lasting import idle_unit
from ai.nl2sql.lattice import Lattice
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Group, Meaning, Measure
from ai.nl2sql.schema import days, display, is_numeric
from ai.nl2sql.spans import DATED
from ai.nl2sql.wording import ACTORS

NOBODY = frozenset({"people", "those", "ones", "guys", "folks"})  # of whom only a verb tells who they are


@dataclass
class Sketch:
    """A meaning in the making. `used` are flags in use, `again` repeated words; each doubt adds to `cost`."""

    cover: Cover
    lattice: Lattice
    lexicon: Lexicon
    today: date
    meaning: Meaning = field(default_factory=lambda: Meaning(""))
    cost: float = 0.0
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    penalty: float = 0.0
    vague: str = ""
    choices: list[tuple[str, Meaning]] = field(default_factory=list)
    rival_days: tuple[Field, ...] = ()  # the days that a time may be about, the first of them taken
    used: set[int] = field(default_factory=set)
    again: set[int] = field(default_factory=set)
    target: Group | None = None
    shown: list[Field] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)  # tables whose names a list shows too
    wanted: list[Wanted] = field(default_factory=list)
    context: Meaning | None = None
    foreign: frozenset[str] = frozenset()  # words, in lower case, that a rewording put in
    _parts: dict[PartKind, list[Part]] = field(default_factory=dict, repr=False, compare=False)
    _flags: dict[str, list[Part]] = field(default_factory=dict, repr=False, compare=False)  # by sign

    def __post_init__(self) -> None:
        self.cost += self.cover.cost
        for part in self.cover.parts:
            self._parts.setdefault(part.kind, []).append(part)
            if part.kind == "flag" and isinstance(part.data, Flag):
                self._flags.setdefault(part.data.sign, []).append(part)

    def copy(self) -> "Sketch":
        """Return a sketch to work on: no change of it shows in this one."""
        twin = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list | set):
                setattr(twin, name, copy(value))
        return twin

    def parts(self, kind: PartKind) -> list[Part]:
        return [*self._parts.get(kind, ())]

    def data(self, kind: PartKind) -> list[Any]:
        return [part.data for part in self._parts.get(kind, ())]

    def flags(self, sign: str) -> list[Part]:
        return [*self._flags.get(sign, ())]

    def flag(self, sign: str) -> bool:
        """Whether a word of this sign stands alone; it counts as read from now on."""
        found = self.flags(sign)
        self.used |= {part.start for part in found}
        return bool(found)

    def edit(self, **changes: Any) -> None:
        if any(getattr(self.meaning, name) != value for name, value in changes.items()):
            self.meaning = self.meaning.changed(**changes)

    def assume(self, note: str) -> None:
        if note and note not in self.notes:
            self.notes.append(note)

    def doubt(self, problem: str, cost: float = 3.0) -> None:
        self.problems.append(problem)
        self.cost += cost
        self.penalty += cost

    def ask_back(self, question: str, meanings: Sequence[Meaning]) -> None:
        """Ask which of several meanings is meant, in place of what was doubted."""
        self.cost -= self.penalty
        self.penalty = 0.0
        self.problems.clear()
        self.vague = question
        labels = (echo(meaning, self.lexicon) for meaning in meanings)
        self.choices = [
            (f"{said[:1].upper()}{said[1:]}", meaning) for said, meaning in zip(labels, meanings, strict=True)
        ]

    @property
    def likely(self) -> float:
        """The cost of the reading apart from its problems."""
        return self.cost - self.penalty

    @property
    def spoken(self) -> frozenset[str]:
        """The tables of the meaning: a verb between two of them is their link."""
        return self.meaning.tables | {presence.table for presence in self.meaning.presences}

    def _tells_who(self, verb: Part) -> bool:
        """Whether only a verb says who is meant: “the people we placed”."""
        before = [word.key for word in self.lattice.words[: verb.start]][-2:]
        return len(before) == 2 and before[0] in NOBODY and before[1] in ACTORS

    def _says_no_more(self, verb: Part) -> bool:
        """Whether a verb adds nothing: “orders we placed”, “founded by James”, what every row had done to it."""
        ours = verb.start > 0 and self.lattice.words[verb.start - 1].key in ACTORS
        return ours or self._condition_after(verb) or self._always_done(verb)

    def _condition_after(self, verb: Part) -> bool:
        """Whether a verb only leads to a condition: “founded by James”."""
        following = next((part for part in self.cover.parts if part.start >= verb.end), None)
        near = following is not None and following.start - verb.end <= 2
        return near and following is not None and following.kind in ("filter", "having", "period", "rank")

    def _always_done(self, verb: Part) -> bool:
        """Whether a verb names a day that every row has: “how many dogs are registered”."""
        named = (item.sense.field for item in self.lattice.at(verb.start, "column") if item.sense)
        columns = [self.lexicon.column(field) for field in named if field.table in self.meaning.tables]
        return any(column.kind in DATED and not column.nullable for column in columns)

    def _says_state(self, part: Part) -> bool:
        """Whether a verb tells the state of things: “open queries”."""
        pending = isinstance(part.data, Flag) and part.data.sign == "verb" and "pending" in kinds_of(part.said.lower())
        after = any(other.start == part.end and other.kind in ("noun", "measure") for other in self.cover.parts)
        return pending and after

    def unread(self) -> list[str]:
        """The words left over: by the cover, or signs without effect."""
        return [self.lattice.words[at].text for at in sorted(self.unread_places())]

    def unreadable(self) -> str:
        """Name the words left over that tell something; all of them if none does."""
        left = tuple(word for word in dict.fromkeys(self.unread()) if word.lower() not in self.foreign)
        if not left:
            return "I cannot tell what this question asks for; please name the figure and the time."
        telling = tuple(word for word in left if word.lower() not in REQUESTING) or left
        words = ", ".join(f"“{word}”" for word in telling)
        return f"I cannot read {words} in this question as something that this data holds."

    def unread_places(self) -> set[int]:
        places = set(self.cover.unread)
        if idle := idle_unit(self.lattice.words, self.lattice.items, self.meaning, self.lexicon):
            places |= idle - {at for part in self.cover.parts for at in range(part.start, part.end)}
        for part in self.parts("flag"):
            lone = isinstance(part.data, Flag) and part.data.sign == "verb" and len(self.spoken) < 2
            lone = lone and (self._tells_who(part) or not self._says_no_more(part))
            lone = lone or self._says_state(part)
            if lone or (isinstance(part.data, Flag) and part.data.sign in LOUD and part.start not in self.used):
                places |= set(range(part.start, part.end))
        return places - self.again


def counts(lexicon: Lexicon, measure: Measure) -> bool:
    """Whether a figure counts rows, by itself or as its definition says."""
    metric = lexicon.metric_of(measure)
    return measure.function == "count" or (metric is not None and metric.expression.upper().startswith("COUNT("))


def is_fact(lexicon: Lexicon, table: str) -> bool:
    """Whether the rows of a table are events or measurements: with days and without a name."""
    if (known := lexicon.facts.get(table)) is None:
        timed = not display(lexicon, table) and bool(days(lexicon, table))
        fields = (Field(table, column.name) for column in lexicon.table(table).columns)
        known = lexicon.facts[table] = timed and any(is_numeric(lexicon, field) for field in fields)
    return known


def many_between(lexicon: Lexicon, source: str, target: str) -> bool:
    """Whether one row of the first table may meet several of the second."""
    return any(link.many for link in lexicon.links.path(source, target) or ())
