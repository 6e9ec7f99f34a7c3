"""The definitions in force: the semantics file of a source under the rules owners approved."""

from collections.abc import Iterable, Mapping

from ai.memory.learned import LearnedRule
from ai.memory_store import MemoryStore
from ai.sql.semantics import NO_SEMANTICS, Change, Semantics, change_from, overlaid


class Definitions:
    def __init__(self, memory: MemoryStore, files: Mapping[str, Semantics]) -> None:
        self._memory = memory
        self._files = files

    def of(self, source: str) -> Semantics:
        """Return the definitions of a source; the version counts rules."""
        book, written = self._memory.rules, self._files.get(source, NO_SEMANTICS)
        version = book.version(source)
        return overlaid(written, _changes(book.in_force(source)), version) if version else written

    def mark(self, source: str, with_rule: int | None = None) -> str:
        """Name exactly these definitions, `with_rule` as if approved."""
        numbers = [rule.id for rule in self._memory.rules.in_force(source)]
        numbers += [with_rule] if with_rule is not None else []
        return "+".join(map(str, (self._files.get(source, NO_SEMANTICS).version, *sorted(numbers))))


def _changes(rules: Iterable[LearnedRule]) -> Iterable[Change]:
    return (change for rule in rules if (change := change_from(rule.change)) is not None)
