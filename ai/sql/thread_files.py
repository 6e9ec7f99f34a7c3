"""Tables made of files dropped in a thread: one DuckDB file a thread, read under rights of its own.

A thread's files are a source, and its name is also a role: only turns of that thread hold it, so nobody else reads
them, on any surface.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any

from ai.errors import UserError
from ai.sql.database import Database, QueryLimits
from ai.sql.rights import EVERYTHING, Rights, SourceRights
from ai.types import ThreadKey

MOST_TABLES = 5
SANDBOX = (("autoinstall_known_extensions", "false"), ("memory_limit", "512MB"), ("threads", "1"))
DATA, FACTS, EXPECTED = "files.duckdb", "facts.json", "expected-"
NOTHING = SourceRights(Rights(tables=frozenset()))
UNREADABLE = "“{}” does not read as a table: save it as CSV in UTF-8, with the names of its columns in the first line."
TOO_MANY = "This thread holds {} tables already; drop the file in a new thread."


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Whose files a thread holds, and since when."""

    thread: str
    people: tuple[str, ...]
    turns: tuple[str, ...]
    at: str


@dataclass(frozen=True, slots=True)
class ExpectedFile:
    """A file that somebody dropped, not fetched yet; `where` is what its chat tells of it."""

    turn_id: str
    person: str
    where: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ThreadFiles(Mapping[str, Database]):
    """The given sources, and behind them the files of threads by the name of their source."""

    folder: Path
    given: Mapping[str, Database]
    limits: QueryLimits = field(default_factory=QueryLimits)
    _opened: dict[str, tuple[int, Database]] = field(default_factory=dict)  # with the time of its file

    def __getitem__(self, name: str) -> Database:
        if name in self.given:
            return self.given[name]
        path = self.folder / name / DATA
        if not (re.fullmatch(r"files-[0-9a-f]{16}", name) and path.is_file()):
            raise KeyError(name)
        written = path.stat().st_mtime_ns
        if self._opened.get(name, (0, None))[0] != written:  # another process may have added a table
            self._close(name)
            rights = SourceRights(NOTHING.everybody, ((name, EVERYTHING),))
            self._opened[name] = (written, Database(name, f"duckdb:///{path}", limits=self.limits, rights=rights))
        return self._opened[name][1]

    def __iter__(self) -> Iterator[str]:
        return iter(self.given)

    def __len__(self) -> int:
        return len(self.given)

    def source_of(self, thread: ThreadKey) -> str | None:
        """Return the source of a thread's files, None if it has none."""
        name = _name(thread)
        return name if (self.folder / name / DATA).is_file() else None

    def expect(self, thread: ThreadKey, turn_id: str, person: str, file_id: str, where: Mapping[str, Any]) -> None:
        """Note a file that is to be fetched; noting it twice changes nothing."""
        home = self._belongs(thread, turn_id, person)
        path = home / f"{EXPECTED}{sha256(file_id.encode()).hexdigest()[:16]}.json"
        _write(path, {"turn_id": turn_id, "person": person, **where})

    def expected(self, thread: ThreadKey) -> Iterator[ExpectedFile]:
        """Yield the noted files of a thread in the order of their notes; each is struck off when it was looked at."""
        notes = (self.folder / _name(thread)).glob(f"{EXPECTED}*.json")
        for path in sorted(notes, key=lambda note: note.stat().st_mtime_ns):
            found = json.loads(path.read_text("utf-8"))
            yield ExpectedFile(found.pop("turn_id"), found.pop("person"), found)
            path.unlink(missing_ok=True)

    def add(self, thread: ThreadKey, turn_id: str, person: str, filename: str, content: bytes) -> str:
        """Make a table of a CSV; return its name. Raises UserError for what is none."""
        if not content.strip():
            raise UserError(UNREADABLE.format(filename))
        home = self._belongs(thread, turn_id, person)
        with TemporaryDirectory(dir=home) as scratch:
            made, csv = Path(scratch) / DATA, Path(scratch) / "file.csv"
            csv.write_bytes(content)
            table = _load(made, csv, home / DATA, filename)
            made.chmod(0o600)
            made.replace(home / DATA)
        self._close(home.name)
        return table

    def _belongs(self, thread: ThreadKey, turn_id: str, person: str) -> Path:
        """Return the folder of a thread, where it is written whose files it holds."""
        home = self.folder / _name(thread)
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        known = self._facts(home) or FileFacts(str(thread), (), (), datetime.now(UTC).isoformat())
        people, turns = dict.fromkeys((*known.people, person)), dict.fromkeys((*known.turns, turn_id))
        _write(home / FACTS, asdict(FileFacts(known.thread, tuple(people), tuple(turns), known.at)))
        return home

    def forget(self, *, threads: Collection[str] = (), person: str = "", turn_id: str = "") -> None:
        """Delete the files of these threads, those that a person dropped in, or those of a turn."""
        for home in self._homes():
            facts = self._facts(home)
            if facts is None or facts.thread in threads or person in facts.people or turn_id in facts.turns:
                self._close(home.name)
                rmtree(home, ignore_errors=True)

    def forget_everything(self) -> None:
        self.close()
        rmtree(self.folder, ignore_errors=True)

    def kept(self) -> Iterator[tuple[ThreadKey, datetime]]:
        """Yield the threads with files, and since when."""
        for facts in filter(None, map(self._facts, self._homes())):
            yield ThreadKey.of(facts.thread), datetime.fromisoformat(facts.at)

    def close(self) -> None:
        for name in list(self._opened):
            self._close(name)

    def _homes(self) -> list[Path]:
        return sorted(self.folder.glob("files-*"))

    @staticmethod
    def _facts(home: Path) -> FileFacts | None:
        with suppress(OSError, ValueError, TypeError):
            found = json.loads((home / FACTS).read_text("utf-8"))
            return FileFacts(found["thread"], tuple(found["people"]), tuple(found["turns"]), found["at"])
        return None

    def _close(self, name: str) -> None:
        if (opened := self._opened.pop(name, None)) is not None:
            opened[1].close()


def _name(thread: ThreadKey) -> str:
    return f"files-{sha256(str(thread).encode()).hexdigest()[:16]}"


def _write(path: Path, value: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(value), "utf-8")
    path.chmod(0o600)


def _load(made: Path, csv: Path, before: Path, filename: str) -> str:
    """Write the tables of before and the new one to a file."""
    import duckdb  # half a second to load, and few drop files

    table = _spelled(Path(filename).stem) or "file"
    with closing(duckdb.connect(str(made), config=dict(SANDBOX))) as connection:
        if before.is_file():
            connection.execute(f"ATTACH '{before}' AS before (READ_ONLY)")
            listed = "SELECT table_name FROM duckdb_tables() WHERE database_name = 'before'"
            old = [name for (name,) in connection.execute(listed).fetchall()]
            if len({*old, table}) > MOST_TABLES:
                raise UserError(TOO_MANY.format(MOST_TABLES))
            for name in old:
                if name != table:
                    connection.execute(f'CREATE TABLE "{name}" AS FROM before."{name}"')
            connection.execute("DETACH before")
        try:
            read = connection.read_csv(str(csv), sample_size=-1)
            names = _distinct(map(_spelled, read.columns))
            columns = ", ".join(f'#{place} AS "{name}"' for place, name in enumerate(names, 1))
            read.project(columns).create(table)
        except duckdb.Error:
            raise UserError(UNREADABLE.format(filename)) from None
    return table


def _spelled(name: str) -> str:
    """Return a name in lower case, its words joined by _."""
    words = re.sub(r"\W+", "_", name.lower()).strip("_")
    return f"n_{words}" if words[:1].isdigit() else words


def _distinct(names: Iterable[str]) -> list[str]:
    found: list[str] = []
    for place, name in enumerate(names, 1):
        free = name or f"column_{place}"
        found.append(free if free not in found else f"{free}_{place}")
    return found
