"""Read YAML files within bounds: a regular file, no name twice in a mapping, no text that grows when it is read."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ai.errors import ConfigError

MOST_BYTES = 2**20
MOST_NODES = 100_000  # with each alias counted as what it stands for
DEEPEST = 60


@dataclass(frozen=True, slots=True)
class YamlFile:
    """The values of a file, and the line of each by its dotted name."""

    value: Any
    lines: dict[str, int]


def text_of(path: Path, said: str) -> str:
    """Read the text of a regular file in UTF-8; `said` begins the sentence of `ConfigError`."""
    try:
        if not path.is_file():
            raise ConfigError(f"{said} cannot be read; give a YAML file in UTF-8.")
        if path.stat().st_size > MOST_BYTES:
            raise ConfigError(f"{said} is longer than {MOST_BYTES // 2**20} MB; leave out what is not needed.")
        return path.read_text("utf-8")
    except OSError as error:
        raise ConfigError(f"{said} cannot be read ({error.strerror}); give a YAML file in UTF-8.") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{said} cannot be read; give a YAML file in UTF-8.") from None


def compose(text: str, name: str) -> yaml.Node | None:
    """Compose one document within the bounds, or raise `ConfigError` with the line."""
    try:
        if any(depth > DEEPEST for depth in _depths(text)):
            raise ConfigError(f"{name} is nested too deeply; write it flatter.")
        node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ConfigError(f"{name}, line {line}: this is not YAML ({error.problem}).") from None
    except yaml.YAMLError:
        raise ConfigError(f"{name} holds characters that YAML does not allow; write it in plain text.") from None
    if node is not None and sum(1 for _ in _walk(node, "", name, 0)) > MOST_NODES:
        raise ConfigError(f"{name} holds more than {MOST_NODES:,} values; leave out what is not needed.")
    return node


def read(path: Path, said: str) -> YamlFile:
    """Read a file of plain values, or raise `ConfigError` with the line."""
    node = compose(text_of(path, said), str(path))
    if node is None:
        return YamlFile(None, {})
    lines = {at: one.start_mark.line + 1 for at, one in _walk(node, "", str(path), 0)}
    try:
        return YamlFile(yaml.SafeLoader("").construct_document(node), lines)
    except (yaml.YAMLError, ValueError, TypeError) as error:
        raise ConfigError(f"{path} is not YAML: {' '.join(str(error).split())}.") from None


def _depths(text: str) -> Iterator[int]:
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        yield depth


def _walk(node: yaml.Node, at: str, name: str, depth: int) -> Iterator[tuple[str, yaml.Node]]:
    """Yield the nodes by dotted name, a few more than are allowed at most."""
    if depth > DEEPEST:
        raise ConfigError(f"{name} is nested too deeply; write it flatter.")
    yield at, node
    count = 1
    for part, inside in _parts(node, at, name):
        for found in _walk(inside, part, name, depth + 1):
            yield found
            count += 1
            if count > MOST_NODES:
                return


def _parts(node: yaml.Node, at: str, name: str) -> Iterator[tuple[str, yaml.Node]]:
    if isinstance(node, yaml.SequenceNode):
        yield from ((f"{at}.{n}", item) for n, item in enumerate(node.value))
    if not isinstance(node, yaml.MappingNode):
        return
    seen: set[str] = set()
    for key, value in node.value:
        part = f"{at}.{key.value}" if at else str(key.value)
        if part in seen:
            raise ConfigError(
                f"{name}, line {key.start_mark.line + 1}, {part}: this name stands here twice; keep one of them."
            )
        seen.add(part)
        yield part, value
