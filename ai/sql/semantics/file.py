"""The semantics file: YAML to `Semantics` and back. Errors name file, line and field.

The YAML is walked as composed nodes, because plain values have lost their lines.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from rapidfuzz import fuzz, process
from yaml.representer import SafeRepresenter

from ai.errors import ConfigError
from ai.sql.catalog import Catalog
from ai.sql.semantics.check import NEAR, misfits_of
from ai.sql.semantics.vocabulary import Metric, Semantics, Synonym, Wording

SECTIONS = ("version", "metrics", "synonyms", "display", "dates", "values", "hidden", "rules")
METRIC_FIELDS = ("table", "expression", "condition", "description", "synonyms", "unit")
TEXT_TAGS = frozenset({"str", "int", "float", "bool", "timestamp"})


@dataclass(frozen=True, slots=True)
class SemanticsFile:
    """Definitions with the line of each field; `lines` is empty for definitions written inline."""

    name: str
    semantics: Semantics
    lines: dict[str, int] = field(default_factory=dict, repr=False)

    def problems(self, catalog: Catalog) -> Iterator[str]:
        """Yield one sentence for each misfit with the catalogue."""
        for misfit in misfits_of(self.semantics, catalog):
            line = self.lines.get(misfit.field) or self.lines.get(misfit.field.rpartition(".")[0])
            end = "" if misfit.reason.endswith("?") else "."
            yield f"{_place(self.name, line, misfit.field)}: {misfit.reason}{end}"


def read_semantics(path: Path) -> SemanticsFile:
    """Read a YAML file; `ConfigError` names file, line, field and what is allowed."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise ConfigError(f"The semantics file {path} cannot be read; give a YAML file in UTF-8.") from None
    return parse_semantics(text, str(path))


def parse_semantics(text: str, name: str) -> SemanticsFile:
    """Read the text of a file called `name`, as `read_semantics` does."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ConfigError(f"{name}, line {line}: this is not YAML ({error.problem}); see docs/semantics.md.") from None
    except yaml.YAMLError:
        raise ConfigError(f"{name} holds characters that YAML does not allow; write it in plain text.") from None
    return _YamlWalk(name).read(node)


def inline_semantics(written: dict[str, Any], name: str) -> SemanticsFile:
    """Read definitions inside another YAML file; `name` says where they stand."""
    return _YamlWalk(name).read(SafeRepresenter().represent_data(written))


def to_yaml(semantics: Semantics) -> str:
    """Write definitions as the text of a semantics file, without empty sections."""
    values: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for wording in semantics.wordings:
        values[f"{wording.table}.{wording.column}"][wording.value].append(wording.word)
    sections: dict[str, Any] = {
        "version": semantics.version,
        "metrics": {metric.name: _fields_of(metric) for metric in semantics.metrics},
        "synonyms": {synonym.word: synonym.target for synonym in semantics.synonyms},
        "display": dict(semantics.display),
        "dates": dict(semantics.dates),
        "values": {target: dict(words) for target, words in values.items()},
        "hidden": sorted(semantics.hidden),
        "rules": list(semantics.rules),
    }
    kept = {name: section for name, section in sections.items() if section or name == "version"}
    return str(yaml.safe_dump(kept, sort_keys=False, allow_unicode=True, width=120))


@dataclass(frozen=True, slots=True)
class _YamlWalk:
    """The walk over the nodes of one file; `lines` fills on the way."""

    name: str
    lines: dict[str, int] = field(default_factory=dict)

    def read(self, node: yaml.Node | None) -> SemanticsFile:
        sections = self._sections(node)
        semantics = Semantics(
            metrics=tuple(self._metric(*entry) for entry in self._entries(sections, "metrics")),
            synonyms=tuple(Synonym(key, self._text(at, node)) for key, at, node in self._entries(sections, "synonyms")),
            display={key: self._text(at, node) for key, at, node in self._entries(sections, "display")},
            dates={key: self._text(at, node) for key, at, node in self._entries(sections, "dates")},
            wordings=tuple(w for entry in self._entries(sections, "values") for w in self._wordings(*entry)),
            hidden=frozenset(self._texts("hidden", sections.get("hidden"))),
            rules=self._texts("rules", sections.get("rules")),
            version=self._version(sections.get("version")),
        )
        return SemanticsFile(self.name, semantics, self.lines)

    def _sections(self, node: yaml.Node | None) -> dict[str, yaml.Node]:
        if node is None or _tag(node) == "null":
            return {}
        found = {key: value for key, _, value in self._mapping("", node, f"sections: {', '.join(SECTIONS)}")}
        self._allow("", found, SECTIONS)
        return found

    def _entries(self, sections: dict[str, yaml.Node], section: str) -> Iterator[tuple[str, str, yaml.Node]]:
        """Yield the (key, field, node) triples of a section."""
        node = sections.get(section)
        if node is not None and _tag(node) != "null":
            yield from self._mapping(section, node, "names, each with what it stands for")

    def _metric(self, name: str, at: str, node: yaml.Node) -> Metric:
        parts = {key: (field, value) for key, field, value in self._mapping(at, node, "table and expression")}
        self._allow(at, parts, METRIC_FIELDS)

        def text(key: str) -> str:
            return self._text(*parts[key]) if key in parts else ""

        for key in ("table", "expression"):
            if key not in parts:
                raise self._wrong(at, node, f"{key} is missing; a metric has a table and an expression")
        synonyms = self._texts(*parts["synonyms"]) if "synonyms" in parts else ()
        return Metric(
            name, text("table"), text("expression"), text("condition"), text("description"), synonyms, text("unit")
        )

    def _wordings(self, target: str, at: str, node: yaml.Node) -> Iterator[Wording]:
        """Read `table.column: {value: word or words}`."""
        table, _, column = target.rpartition(".")
        if not table:
            raise self._wrong(at, node, "name the column as table.column")
        for value, field_name, words in self._mapping(at, node, "values, each with the words that people say"):
            yield from (Wording(word, table, column, value) for word in self._texts(field_name, words))

    def _version(self, node: yaml.Node | None) -> int:
        if node is None:
            return 0
        if _tag(node) != "int" or not node.value.isdigit():
            raise self._wrong("version", node, "write a whole number from 0 on")
        return int(node.value)

    def _mapping(self, at: str, node: yaml.Node, wanted: str) -> Iterator[tuple[str, str, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode):
            raise self._wrong(at, node, f"write a mapping of {wanted}")
        seen: set[str] = set()
        for key_node, value in node.value:
            key = self._text(at, key_node)
            name = f"{at}.{key}" if at else key
            self._note(name, key_node)
            if key in seen:
                raise self._wrong(name, key_node, "this name stands here twice; keep one of them")
            seen.add(key)
            yield key, name, value

    def _texts(self, at: str, node: yaml.Node | None) -> tuple[str, ...]:
        """Read a list of texts, or a text standing alone."""
        if node is None or _tag(node) == "null":
            return ()
        if isinstance(node, yaml.SequenceNode):
            return tuple(self._text(at, item) for item in node.value)
        return (self._text(at, node),)

    def _text(self, at: str, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode) or _tag(node) not in TEXT_TAGS or not node.value.strip():
            raise self._wrong(at, node, "write a text here")
        self._note(at, node)
        text: str = node.value
        return text.strip()

    def _allow(self, at: str, found: dict[str, Any], allowed: tuple[str, ...]) -> None:
        for key in found:
            if key not in allowed:
                name = f"{at}.{key}" if at else key
                near = process.extractOne(key, allowed, scorer=fuzz.ratio, score_cutoff=NEAR)
                hint = f"did you mean {near[0]}?" if near else f"use {', '.join(allowed)}."
                raise ConfigError(f"{_place(self.name, self.lines.get(name), name)}: there is no such field; {hint}")

    def _note(self, at: str, node: yaml.Node) -> None:
        if node.start_mark is not None:
            self.lines.setdefault(at, node.start_mark.line + 1)

    def _wrong(self, at: str, node: yaml.Node, reason: str) -> ConfigError:
        line = node.start_mark.line + 1 if node.start_mark is not None else None
        return ConfigError(f"{_place(self.name, line, at)}: {reason}.")


def _place(file: str, line: int | None, at: str) -> str:
    """Return “semantics.yaml, line 7, metrics.revenue.table” as far as it is known."""
    return ", ".join(part for part in (file, f"line {line}" if line else "", at) if part)


def _tag(node: yaml.Node) -> str:
    return str(node.tag).rpartition(":")[2]


def _fields_of(metric: Metric) -> dict[str, Any]:
    fields = {name: getattr(metric, name) for name in METRIC_FIELDS}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items() if value}
