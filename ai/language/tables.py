"""Tables of words and patterns beside the modules that read them: `.tsv` files, loaded when first asked.

The first line names the columns. In a table of patterns a row named in CAPITALS is a part: other patterns hold it as
`{NAME}`, and rows of one such name are alternatives. Rows in small letters are cases, tried in order; the part FRAME
is put around each of them in place of its `{CASE}`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files

_PART = re.compile(r"\{([A-Z_]+)\}")


@cache
def rows(package: str, name: str, *columns: str) -> tuple[tuple[str, ...], ...]:
    """Return the rows of a table. Raise ValueError where its columns or a row differ from `columns`."""
    header, *lines = files(package).joinpath(f"{name}.tsv").read_text("utf-8").split("\n")
    cut = [tuple(line.split("\t")) for line in lines if line]
    if tuple(header.split("\t")) != columns or any(len(row) != len(columns) for row in cut):
        raise ValueError(f"{package}/{name}.tsv: every row needs {len(columns)} cells: {', '.join(columns)}")
    return tuple(cut)


@dataclass(frozen=True)
class Patterns:
    """A table of patterns, compiled without regard to case when first used. `parts` come from elsewhere."""

    package: str
    name: str
    parts: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def cases(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        frame = self._parts.get("FRAME", "{CASE}")
        made = [(name, self._whole(frame.replace("{CASE}", text))) for name, text in self._rows if not name.isupper()]
        return tuple((name, re.compile(text, re.IGNORECASE)) for name, text in made)

    def first(self, text: str) -> tuple[str, Mapping[str, str | None]] | None:
        """Return the name and the named groups of the first case a text begins with, white space folded."""
        plain = " ".join(text.split())
        found = ((name, pattern.match(plain)) for name, pattern in self.cases)
        return next(((name, said.groupdict()) for name, said in found if said), None)

    def __getitem__(self, name: str) -> "Pattern":
        return Pattern(self, name)

    def compiled(self, name: str) -> re.Pattern[str]:
        return re.compile(self._whole(self._parts[name]), re.IGNORECASE)

    @cached_property
    def _rows(self) -> tuple[tuple[str, ...], ...]:
        return rows(self.package, self.name, "name", "pattern")

    @cached_property
    def _parts(self) -> Mapping[str, str]:
        found = dict(self.parts)
        for name, text in self._rows:
            if name.isupper():
                found[name] = f"{found[name]}|{text}" if name in found else text
        return found

    def _whole(self, text: str) -> str:
        return _PART.sub(lambda part: f"(?:{self._whole(self._parts[part[1]])})", text)


@dataclass(frozen=True)
class Pattern:
    """A part of a table, compiled when first used."""

    table: Patterns
    name: str

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return self.table.compiled(self.name)

    def match(self, text: str) -> re.Match[str] | None:
        return self._compiled.match(text)

    def search(self, text: str) -> re.Match[str] | None:
        return self._compiled.search(text)

    def sub(self, put: str, text: str) -> str:
        return self._compiled.sub(put, text)
