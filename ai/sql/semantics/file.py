"""Reading the semantics file: YAML to `Semantics`, each wrong place named by its file, line and field.

The YAML is walked as composed nodes, because plain values have lost their lines. What the file says is compared with a
catalogue in `ai.sql.semantics.check`; what the definitions mean to a question is up to the analysts.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from yaml.representer import SafeRepresenter

from ai.errors import ConfigError
from ai.language.spelling import nearest
from ai.sql.catalog.catalog import Catalog
from ai.sql.semantics.check import NEAR, problems_of
from ai.sql.semantics.semantics import Metric, Semantics, Synonym, Wording

SECTIONS = ("version", "metrics", "synonyms", "display", "dates", "values", "hidden", "rules")
METRIC_FIELDS = ("table", "expression", "condition", "description", "synonyms", "unit")
TEXT_TAGS = frozenset({"str", "int", "float", "bool", "timestamp"})


@dataclass(frozen=True, slots=True)
class SemanticsFile:
    """What a file says, and where: `lines` gives the line of each field, and is empty for definitions written inline."""

    name: str
    semantics: Semantics
    lines: dict[str, int] = field(default_factory=dict, repr=False)

    def problems(self, catalog: Catalog) -> Iterator[str]:
        """One sentence for each definition that does not fit the catalogue."""
        for problem in problems_of(self.semantics, catalog):
            line = self.lines.get(problem.field) or self.lines.get(problem.field.rpartition(".")[0])
            end = "" if problem.reason.endswith("?") else "."
            yield f"{_place(self.name, line, problem.field)}: {problem.reason}{end}"


def read_semantics(path: Path) -> SemanticsFile:
    """The definitions in a YAML file; `ConfigError` names the file, the line, the field and what is allowed."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise ConfigError(f"The semantics file {path} cannot be read; give a YAML file in UTF-8.") from None
    return parse_semantics(text, str(path))


def parse_semantics(text: str, name: str) -> SemanticsFile:
    """As `read_semantics`, for the text of a file called `name`."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ConfigError(f"{name}, line {line}: this is not YAML ({error.problem}); see docs/semantics.md.") from None
    except yaml.YAMLError:
        raise ConfigError(f"{name} holds characters that YAML does not allow; write it in plain text.") from None
    return _Reader(name).read(node)


def inline_semantics(written: dict[str, Any], name: str) -> SemanticsFile:
    """As `read_semantics`, for definitions that stand in another YAML file; `name` says where."""
    return _Reader(name).read(SafeRepresenter().represent_data(written))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Walks the nodes of one file. `lines` fills while it walks."""

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
        """The (key, field, node) triples of a section; one that is absent or empty has none."""
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
        """`table.column: {value: word or words}`."""
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

    # --- nodes -------------------------------------------------------------------------------------------------------

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
        """A list of texts; a single one may stand alone."""
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
                near = nearest(key, allowed, NEAR)
                hint = f"did you mean {near}?" if near else f"use {', '.join(allowed)}."
                raise ConfigError(f"{_place(self.name, self.lines.get(name), name)}: there is no such field; {hint}")

    def _note(self, at: str, node: yaml.Node) -> None:
        if node.start_mark is not None:
            self.lines.setdefault(at, node.start_mark.line + 1)

    def _wrong(self, at: str, node: yaml.Node, reason: str) -> ConfigError:
        line = node.start_mark.line + 1 if node.start_mark is not None else None
        return ConfigError(f"{_place(self.name, line, at)}: {reason}.")


def _place(file: str, line: int | None, at: str) -> str:
    """“semantics.yaml, line 7, metrics.revenue.table”; what is not known is left out."""
    return ", ".join(part for part in (file, f"line {line}" if line else "", at) if part)


def _tag(node: yaml.Node) -> str:
    return str(node.tag).rpartition(":")[2]
