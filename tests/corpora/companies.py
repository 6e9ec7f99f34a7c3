"""The companies that the question sets ask about, as SQLite files.

What stands in `held` is kept apart: nobody reads it while the reader is changed; `make bench ONLY=companies` asks it.
"""

import json
import lzma
import sqlite3
from collections import Counter
from collections.abc import Collection
from contextlib import closing
from datetime import date
from pathlib import Path

from click.testing import CliRunner

from bot.cli.main import commands
from bot.demo import database
from tests.corpora.score import lines, score
from tests.paths import ROOT

CORPORA = ROOT / "tests/corpora"
HELD = CORPORA / "held"
TODAY = date(2026, 11, 22)


def asked_about(items: Path) -> set[str]:
    """Return the companies of a question set."""
    return {str(line["db"]) for line in lines(items)}


def build(folder: Path, wanted: Collection[str] | None = None) -> None:
    """Write a SQLite file for each company, or for the named ones, where it is not there yet."""
    archives = {archive.name.removesuffix(".sql.xz"): archive for archive in CORPORA.rglob("*.sql.xz")}
    for name in sorted({"demo", *archives} if wanted is None else wanted):
        path = folder / f"{name}.sqlite"
        if path.exists():
            continue
        if name == "demo":
            database.build(path, TODAY)
            continue
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(lzma.decompress(archives[name].read_bytes()).decode())


def sets(folder: Path) -> list[Path]:
    """Return the question sets of a folder."""
    files = sorted(folder.glob("*.jsonl"))
    return [file for file in files if "gold_sql" in json.loads(file.read_text("utf-8").partition("\n")[0])]


def asked(items: Path, databases: Path, folder: Path) -> Counter[str]:
    """Ask a set by `datathread predict` and count right, wrong and open answers."""
    out = folder / "out.jsonl"
    defined = folder / "semantics"
    defined.mkdir(exist_ok=True)
    for file in (*CORPORA.glob("*.yaml"), *items.parent.glob("*.yaml")):
        (defined / file.name).write_bytes(file.read_bytes())
    given = {"--items": items, "--db-dir": databases, "--semantics": defined, "--today": TODAY, "--out": out}
    arguments = [str(part) for pair in given.items() for part in pair]
    told = CliRunner().invoke(commands, ["predict", *arguments], env={"DATA_DIR": str(folder / "data")})
    if told.exit_code:
        raise RuntimeError(told.output)
    return score(lines(items), lines(out), databases)
