"""The definitions that hold now: what the semantics file of a source says, and the rules that owners approved over it."""

from collections.abc import Iterable, Mapping

from ai.memory.learned import LearnedRule
from ai.memory_store import MemoryStore
from ai.sql.semantics.change import Change, change_from, overlaid
from ai.sql.semantics.semantics import NO_SEMANTICS, Semantics


class Definitions:
    """Looks the definitions up. `files` are what the files of the sources say."""

    def __init__(self, memory: MemoryStore, files: Mapping[str, Semantics]) -> None:
        self._memory = memory
        self._files = files

    def of(self, source: str) -> Semantics:
        """The definitions of a source. Their version counts what was changed since the file was written."""
        book, written = self._memory.rules, self._files.get(source, NO_SEMANTICS)
        return overlaid(written, _changes(book.in_force(source)), book.version(source))

    def mark(self, source: str, with_rule: int | None = None) -> str:
        """A name for exactly these definitions; `with_rule` for those that the approval of a rule would make."""
        numbers = [rule.id for rule in self._memory.rules.in_force(source)]
        numbers += [with_rule] if with_rule is not None else []
        return "+".join(map(str, (self._files.get(source, NO_SEMANTICS).version, *sorted(numbers))))


def _changes(rules: Iterable[LearnedRule]) -> Iterable[Change]:
    return (change for rule in rules if (change := change_from(rule.change)) is not None)
