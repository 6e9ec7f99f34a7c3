"""The semantics file: YAML to `Semantics` and back. Errors name file, line and field.

The YAML is walked as composed nodes, because plain values have lost their lines.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from math import inf
from pathlib import Path
from typing import Any, cast, get_args

import yaml
from yaml.representer import SafeRepresenter

from ai.files.yaml_file import compose, text_of
from ai.language.moments import MONTHS
from ai.sql.catalog import Catalog
from ai.sql.semantics.check import misfits_of
from ai.sql.semantics.nodes import YamlWalk, place, tag
from ai.sql.semantics.vocabulary import (
    Grain,
    Join,
    Metric,
    NonAdditive,
    Semantics,
    Synonym,
    Take,
    Term,
    Unit,
    Wording,
)

SECTIONS = (
    "version", "metrics", "terms", "joins", "units", "non_additive", "synonyms", "display", "dates", "values", "hidden",
    "rules", "fiscal_year_start",
)  # fmt: skip
METRIC_FIELDS = ("table", "expression", "condition", "description", "synonyms", "unit", "date", "non_additive")
TERM_FIELDS = ("table", "condition", "synonyms", "description")
GRAINS, TAKES = get_args(Grain), get_args(Take)
Parts = dict[str, tuple[str, yaml.Node]]


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
            yield f"{place(self.name, line, misfit.field)}: {misfit.reason}{end}"


def read_semantics(path: Path) -> SemanticsFile:
    """Read a YAML file; `ConfigError` names file, line, field and what is allowed."""
    return parse_semantics(text_of(path, f"The semantics file {path}"), str(path))


def parse_semantics(text: str, name: str) -> SemanticsFile:
    """Read the text of a file called `name`, as `read_semantics` does."""
    return _Sections(name).read(compose(text, name))


def inline_semantics(written: dict[str, Any], name: str) -> SemanticsFile:
    """Read definitions inside another YAML file; `name` says where they stand."""
    return _Sections(name).read(SafeRepresenter().represent_data(written))


def to_yaml(semantics: Semantics) -> str:
    """Write definitions as the text of a semantics file, without empty sections."""
    values: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for wording in semantics.wordings:
        values[f"{wording.table}.{wording.column}"][wording.value].append(wording.word)
    sections: dict[str, Any] = {
        "version": semantics.version,
        "metrics": {metric.name: _fields_of(metric) for metric in semantics.metrics},
        "terms": {term.name: _fields_of(term) for term in semantics.terms},
        "joins": [f"{join.child} = {join.parent}" for join in semantics.joins],
        "units": {target: asdict(unit) for target, unit in semantics.units.items()},
        "non_additive": {target: asdict(grain) for target, grain in semantics.non_additive.items()},
        "synonyms": {synonym.word: synonym.target for synonym in semantics.synonyms},
        "display": dict(semantics.display),
        "dates": dict(semantics.dates),
        "values": {target: dict(words) for target, words in values.items()},
        "hidden": sorted(semantics.hidden),
        "rules": list(semantics.rules),
        "fiscal_year_start": semantics.fiscal_month,
    }
    kept = {name: section for name, section in sections.items() if section or name == "version"}
    return str(yaml.safe_dump(kept, sort_keys=False, allow_unicode=True, width=120))


@dataclass(frozen=True, slots=True)
class _Sections(YamlWalk):
    """The sections of a semantics file, as values."""

    def read(self, node: yaml.Node | None) -> SemanticsFile:
        sections = self._sections(node)
        semantics = Semantics(
            metrics=tuple(self._metric(*entry) for entry in self._entries(sections, "metrics")),
            terms=tuple(self._term(*entry) for entry in self._entries(sections, "terms")),
            joins=tuple(self._joins(sections.get("joins"))),
            units={key: self._unit(at, node) for key, at, node in self._entries(sections, "units")},
            non_additive={key: self._grain(at, node) for key, at, node in self._entries(sections, "non_additive")},
            synonyms=tuple(Synonym(key, self.text(at, node)) for key, at, node in self._entries(sections, "synonyms")),
            display={key: self.text(at, node) for key, at, node in self._entries(sections, "display")},
            dates={key: self.text(at, node) for key, at, node in self._entries(sections, "dates")},
            wordings=tuple(w for entry in self._entries(sections, "values") for w in self._wordings(*entry)),
            hidden=frozenset(self.texts("hidden", sections.get("hidden"))),
            rules=self.texts("rules", sections.get("rules")),
            version=self._version(sections.get("version")),
            fiscal_month=self._month(sections.get("fiscal_year_start")),
        )
        return SemanticsFile(self.name, semantics, self.lines)

    def _sections(self, node: yaml.Node | None) -> dict[str, yaml.Node]:
        if node is None or tag(node) == "null":
            return {}
        parts = self.fields("", node, f"sections: {', '.join(SECTIONS)}", SECTIONS)
        return {key: value for key, (_, value) in parts.items()}

    def _entries(self, sections: dict[str, yaml.Node], section: str) -> Iterator[tuple[str, str, yaml.Node]]:
        """Yield the (key, field, node) triples of a section."""
        node = sections.get(section)
        if node is not None and tag(node) != "null":
            yield from self.mapping(section, node, "names, each with what it stands for")

    def _metric(self, name: str, at: str, node: yaml.Node) -> Metric:
        parts = self.fields(at, node, "table and expression", METRIC_FIELDS)
        self._require(at, node, parts, ("table", "expression"), "a metric has a table and an expression")
        return Metric(
            name,
            self.text(*parts["table"]),
            self.text(*parts["expression"]),
            self._optional(parts, "condition"),
            self._optional(parts, "description"),
            self.texts(*parts["synonyms"]) if "synonyms" in parts else (),
            self._optional(parts, "unit"),
            self._optional(parts, "date"),
            self._grain(*parts["non_additive"]) if "non_additive" in parts else None,
        )

    def _term(self, name: str, at: str, node: yaml.Node) -> Term:
        parts = self.fields(at, node, "table and condition", TERM_FIELDS)
        self._require(at, node, parts, ("table", "condition"), "a term has a table and a condition")
        synonyms = self.texts(*parts["synonyms"]) if "synonyms" in parts else ()
        return Term(
            name,
            self.text(*parts["table"]),
            self.text(*parts["condition"]),
            synonyms,
            self._optional(parts, "description"),
        )

    def _joins(self, node: yaml.Node | None) -> Iterator[Join]:
        """Read `child.column = parent.column`, a text each."""
        for written in self.texts("joins", node):
            child, equal, parent = (side.strip() for side in written.partition("="))
            if node is not None and not (equal and "." in child and "." in parent):
                raise self.wrong("joins", node, f"{written!r} is not a join; write child.column = parent.column")
            yield Join(child, parent)

    def _unit(self, at: str, node: yaml.Node) -> Unit:
        parts = self.fields(at, node, "unit and scale", ("unit", "scale"))
        scale = self._optional(parts, "scale") or "1"
        try:
            factor = float(scale)
        except ValueError:
            factor = 0.0
        if not 0 < factor < inf:
            raise self.wrong(f"{at}.scale", parts["scale"][1], "write a number above 0, such as 0.01")
        return Unit(self._optional(parts, "unit"), factor)

    def _grain(self, at: str, node: yaml.Node) -> NonAdditive:
        parts = self.fields(at, node, "over and take", ("over", "take"))
        self._require(at, node, parts, ("over", "take"), "say over which time it does not add up, and what to take")
        over, take = self.choice(*parts["over"], GRAINS), self.choice(*parts["take"], TAKES)
        return NonAdditive(cast(Grain, over), cast(Take, take))

    def _wordings(self, target: str, at: str, node: yaml.Node) -> Iterator[Wording]:
        """Read `table.column: {value: word or words}`."""
        table, _, column = target.rpartition(".")
        if not table:
            raise self.wrong(at, node, "name the column as table.column")
        for value, field_name, words in self.mapping(at, node, "values, each with the words that people say"):
            yield from (Wording(word, table, column, value) for word in self.texts(field_name, words))

    def _version(self, node: yaml.Node | None) -> int:
        if node is None:
            return 0
        if tag(node) != "int" or not node.value.isdigit():
            raise self.wrong("version", node, "write a whole number from 0 on")
        return int(node.value)

    def _month(self, node: yaml.Node | None) -> int:
        """Read the month that starts the fiscal year, by its number or name; 0 where none is said."""
        if node is None or tag(node) == "null":
            return 0
        written = self.text("fiscal_year_start", node)
        month = MONTHS.get(written.lower(), int(written) if written.isdecimal() else 0)
        if not 1 <= month <= 12:
            raise self.wrong("fiscal_year_start", node, f"{written!r} is no month; write 4, 04 or April")
        return month

    def _optional(self, parts: Parts, key: str) -> str:
        return self.text(*parts[key]) if key in parts else ""

    def _require(self, at: str, node: yaml.Node, parts: Parts, keys: tuple[str, ...], why: str) -> None:
        for key in keys:
            if key not in parts:
                raise self.wrong(at, node, f"{key} is missing; {why}")


def _fields_of(definition: Metric | Term) -> dict[str, Any]:
    fields = asdict(definition)
    del fields["name"]
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items() if value}
