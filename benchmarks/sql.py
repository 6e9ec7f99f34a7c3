r"""Measure rows from a database to a stored result and on to CSV, beside DuckDB's COPY, pandas and `psql \copy`.

Each measurement is its own process; memory counts above idle.
"""

import json
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks import environments
from benchmarks.report.rows import Row
from tests.paths import ROOT

PEAK = 150.0  # MB, for any number of rows
BEGIN = datetime.fromisoformat("2020-01-01")
COLUMNS = (
    "id bigint, country text, name text, amount double precision, qty bigint, sold_at {moment}, "
    "day {day}, price {decimal}, ok {truth}, note text"
)
TYPES = {
    "sqlite": {"moment": "text", "day": "text", "decimal": "real", "truth": "integer"},
    "duckdb": {"moment": "timestamp", "day": "date", "decimal": "decimal(12,2)", "truth": "boolean"},
    "postgres": {"moment": "timestamp", "day": "date", "decimal": "numeric(12,2)", "truth": "boolean"},
}
QUERY = "SELECT * FROM sales"
PANDAS = """
import re, sys, time
import pandas, sqlalchemy
engine = sqlalchemy.create_engine(sys.argv[1])
def peak_kb():
    return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
idle, begun = peak_kb(), time.perf_counter()
frame = pandas.read_sql("SELECT * FROM sales", engine)
read = time.perf_counter() - begun
frame.to_csv(sys.argv[2], index=False)
written = time.perf_counter() - begun - read
peak = peak_kb()
print('{"read": %f, "csv": %f, "peak": %d}' % (read, written, (peak - idle) // 1024))
"""


@dataclass(frozen=True)
class Timing:
    """Seconds of one process, and its peak megabytes above idle."""

    seconds: float
    peak: int


def sales(count: int) -> Iterator[tuple[object, ...]]:
    chance = random.Random(1)
    places = ("Germany", "France", "US", "Korea, South")
    for n in range(count):
        note = None if n % 3 == 0 else 'say "hi"' if n % 50 == 0 else ""
        yield (
            n, chance.choice(places), f"user {n} something", chance.random() * 1000, n % 100 if n % 10 else None,
            str(BEGIN + timedelta(seconds=n)), str(date(2020, 1, 1) + timedelta(days=n % 1000)),
            chance.randrange(10**6) / 100, n % 2, note,
        )  # fmt: skip


def sqlite_file(folder: Path, count: int) -> str:
    path = folder / "sales.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute(f"CREATE TABLE sales ({COLUMNS.format(**TYPES['sqlite'])})")
        connection.executemany("INSERT INTO sales VALUES (?,?,?,?,?,?,?,?,?,?)", sales(count))
    return f"sqlite:///{path}"


def raw_csv(folder: Path) -> Path:
    import duckdb

    path = folder / "raw.csv"
    with sqlite3.connect(folder / "sales.sqlite") as connection, path.open("w") as file:
        for row in connection.execute(QUERY):
            cells = ("" if c is None else '"' + str(c).replace('"', '""') + '"' for c in row)
            file.write(",".join(cells) + "\n")
    with duckdb.connect(str(folder / "sales.duckdb")) as made:
        made.execute(f"CREATE TABLE sales ({COLUMNS.format(**TYPES['duckdb'])})")
        made.execute(f"COPY sales FROM '{path}' (HEADER false, ALLOW_QUOTED_NULLS false)")
    return path


def measured(*arguments: str) -> Timing:
    command = [sys.executable, "-m", "benchmarks.sql", *arguments]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if said.returncode:
        raise ChildProcessError(said.stderr.strip().splitlines()[-1])
    return Timing(**json.loads(said.stdout.splitlines()[-1]))


def told(work: Callable[[], object]) -> None:
    idle = peak_kb()
    begun = perf_counter()
    work()
    seconds = perf_counter() - begun
    print(json.dumps({"seconds": seconds, "peak": (peak_kb() - idle) // 1024}))


def peak_kb() -> int:
    found = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text("ascii"))
    return int(found[1]) if found else 0


def part(name: str, *arguments: str) -> None:
    import duckdb

    from ai.results.files import FileRules, write_csv_files, write_files
    from ai.results.store import ResultStore
    from ai.sql.database import Database, QueryLimits
    from ai.sql.guard import check

    def store() -> None:
        with database.run(checked) as stream:
            ResultStore(Path(arguments[1])).keep("q1", stream.columns, stream.blocks, max_rows=10**9, max_bytes=2**50)

    def to_csv() -> None:
        (folder,) = arguments
        kept = ResultStore(Path(folder))
        for _ in write_files("csv", Path(folder) / "q1", kept.describe("q1").columns, kept.blocks("q1"), FileRules()):
            pass

    def anew() -> None:
        with database.run_for_csv(checked, formula_guard=True) as stream:
            for _ in write_csv_files(Path(arguments[1]) / "all", stream.columns, stream.blocks, FileRules()):
                pass

    def copy() -> None:
        path, to = arguments
        duckdb.connect(path, read_only=True).execute(f"COPY sales TO '{to}' (HEADER)")

    if name in ("store", "anew"):  # the catalogue is there before anybody asks
        database = Database("bench", arguments[0], limits=QueryLimits(3600, 10**9, 2**50))
        checked = check(QUERY, database.catalog())
    told({"store": store, "csv": to_csv, "anew": anew, "copy": copy}[name])


def pandas(python: Path, url: str, to: Path) -> dict[str, float]:
    command = [str(python), "-c", PANDAS, url.replace("postgresql:", "postgresql+psycopg:"), str(to)]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(said.stdout.splitlines()[-1]))


def postgres_filled(opened: ExitStack, raw: Path) -> str | None:
    """Return the URL of a filled server, or None without PostgreSQL."""
    if not shutil.which("initdb"):
        return None
    from tests.postgres import postgres

    url = opened.enter_context(postgres()).new_database()
    load = f"CREATE TABLE sales ({COLUMNS.format(**TYPES['postgres'])})"
    subprocess.run(["psql", url, "-qc", load, "-c", rf"\copy sales FROM '{raw}' CSV"], check=True)
    return url


def compared(name: str, url: str, folder: Path, count: int) -> Iterator[Row]:
    results = folder / name
    stored, written = measured("store", url, str(results)), measured("csv", str(results))
    anew = measured("anew", url, str(results))
    copied = measured("copy", str(folder / "sales.duckdb"), str(folder / "copy.csv"))
    python = None if name == "DuckDB" else environments.python_of("pandas")
    peer = pandas(python, url, folder / "pandas.csv") if python else {}
    per_second = {"pandas": count / peer["read"]} if peer else {}
    memory = {"pandas": peer["peak"]} if peer else {}
    beside = {"pandas": peer["csv"]} if peer else {}
    yield Row(f"{name}: rows a second into a result", count / stored.seconds, "", per_second, more=True)
    yield Row(f"{name}: memory above idle meanwhile", stored.peak, "MB", memory, PEAK)
    copy = {"DuckDB COPY": copied.seconds}
    yield Row(f"{name}: the result to CSV", written.seconds, "s", copy | beside, 1.5 * copied.seconds + 0.1)
    if name == "PostgreSQL":
        beside = {r"`psql \copy`": timed("psql", url, "-qc", rf"\copy sales TO '{folder / 'psql.csv'}' CSV HEADER")}
        yield Row(f"{name}: all rows anew to CSV", anew.seconds, "s", beside, 2 * min(beside.values()) + 0.1)
    else:
        yield Row(f"{name}: all rows anew to CSV", anew.seconds, "s")


def timed(*command: str) -> float:
    begun = perf_counter()
    subprocess.run(command, check=True)
    return perf_counter() - begun


def rows(count: int) -> Iterator[Row]:
    with TemporaryDirectory(prefix="datathread-bench-") as name, ExitStack() as opened:
        folder = Path(name)
        url, raw = sqlite_file(folder, count), raw_csv(folder)
        yield from compared("SQLite", url, folder, count)
        yield from compared("DuckDB", f"duckdb:///{folder / 'sales.duckdb'}", folder, count)
        server = postgres_filled(opened, raw)
        if server:
            yield from compared("PostgreSQL", server, folder, count)


if __name__ == "__main__":
    part(*sys.argv[1:])
