"""Walk composed YAML: mappings, lists and texts, with a sentence for anything else.

Composed nodes keep their lines, which plain values have lost.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from ai.errors import ConfigError
from ai.language.spelling import nearest

NEAR = 60.0  # likeness from which a name is worth proposing for another
TEXT_TAGS = frozenset({"str", "int", "float", "bool", "timestamp"})


@dataclass(frozen=True, slots=True)
class YamlWalk:
    """The walk over the nodes of one file; `lines` fills on the way."""

    name: str
    lines: dict[str, int] = field(default_factory=dict)

    def mapping(self, at: str, node: yaml.Node, wanted: str) -> Iterator[tuple[str, str, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode):
            raise self.wrong(at, node, f"write a mapping of {wanted}")
        seen: set[str] = set()
        for key_node, value in node.value:
            key = self.text(at, key_node)
            name = f"{at}.{key}" if at else key
            self._note(name, key_node)
            if key in seen:
                raise self.wrong(name, key_node, "this name stands here twice; keep one of them")
            seen.add(key)
            yield key, name, value

    def texts(self, at: str, node: yaml.Node | None) -> tuple[str, ...]:
        """Read a list of texts, or a text standing alone."""
        if node is None or tag(node) == "null":
            return ()
        if isinstance(node, yaml.SequenceNode):
            return tuple(self.text(at, item) for item in node.value)
        return (self.text(at, node),)

    def text(self, at: str, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode) or tag(node) not in TEXT_TAGS or not node.value.strip():
            raise self.wrong(at, node, "write a text here")
        self._note(at, node)
        text: str = node.value
        return text.strip()

    def allow(self, at: str, found: dict[str, Any], allowed: tuple[str, ...]) -> None:
        for key in found:
            if key not in allowed:
                name = f"{at}.{key}" if at else key
                near = nearest(key, allowed, NEAR)
                hint = f"did you mean {near}?" if near else f"use {', '.join(allowed)}."
                raise ConfigError(f"{place(self.name, self.lines.get(name), name)}: there is no such field; {hint}")

    def fields(
        self, at: str, node: yaml.Node, wanted: str, allowed: tuple[str, ...]
    ) -> dict[str, tuple[str, yaml.Node]]:
        """Read a mapping with known keys: the name and node of each."""
        parts = {key: (name, value) for key, name, value in self.mapping(at, node, wanted)}
        self.allow(at, parts, allowed)
        return parts

    def choice(self, at: str, node: yaml.Node, allowed: tuple[str, ...]) -> str:
        """Read one of a few words."""
        if (word := self.text(at, node)) not in allowed:
            raise self.wrong(at, node, f"write {', '.join(allowed[:-1])} or {allowed[-1]}")
        return word

    def _note(self, at: str, node: yaml.Node) -> None:
        if node.start_mark is not None:
            self.lines.setdefault(at, node.start_mark.line + 1)

    def wrong(self, at: str, node: yaml.Node, reason: str) -> ConfigError:
        line = node.start_mark.line + 1 if node.start_mark is not None else None
        return ConfigError(f"{place(self.name, line, at)}: {reason}.")


def place(file: str, line: int | None, at: str) -> str:
    """Return “semantics.yaml, line 7, metrics.revenue.table” as far as it is known."""
    return ", ".join(part for part in (file, f"line {line}" if line else "", at) if part)


def tag(node: yaml.Node) -> str:
    return str(node.tag).rpartition(":")[2]
