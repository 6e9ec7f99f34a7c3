"""Run benchmarks one after the other, each in a process and a time of its own, with progress on standard error."""

import ast
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import Any

from benchmarks import environments
from benchmarks.report import machine
from benchmarks.report.page import written
from benchmarks.report.progress import progress
from benchmarks.report.rows import Row, Section
from tests.paths import ROOT


@dataclass(frozen=True)
class Benchmark:
    """A module with `rows(size)`, the unit of its size, its longest time, its peers' environments."""

    module: str
    title: str
    size: int
    of: str
    seconds: int = 300
    peers: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.module.rpartition(".")[2]

    @property
    def about(self) -> str:
        """The words of the module's docstring without its commands; it is not imported."""
        found = find_spec(self.module)
        if found is None or found.origin is None:
            return ""
        said = ast.get_docstring(ast.parse(Path(found.origin).read_text("utf-8"))) or ""
        words = (each for each in said.split("\n\n") if not each.startswith(" "))
        return "\n\n".join(" ".join(each.split()) for each in words)


def run(wanted: Sequence[Benchmark]) -> Iterator[Section]:
    """Yield the section of each benchmark, beside peers where they can be installed."""
    for number, each in enumerate(wanted, 1):
        progress(f"[{number}/{len(wanted)}] {each.name}: {_size(each)}, at most {each.seconds} s")
        missing = environments.install(each.peers)
        yield section(each, tuple(_note(name, missing.get(name)) for name in each.peers))


def section(each: Benchmark, notes: tuple[str, ...] = ()) -> Section:
    began, load = monotonic(), machine.load()
    rows: list[Row] = []
    failed = ""
    for told in _told(each):
        failed = told.get("failed", failed)
        if "row" in told:
            rows.append(Row(**told["row"]))
            progress(f"  {rows[-1].what}: {written(rows[-1].figure, rows[-1].unit)}")
    if failed:
        progress(f"  {failed}")
    return Section(
        name=each.name,
        title=each.title,
        about=each.about,
        size=_size(each),
        at=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        commit=machine.commit(),
        load=load,
        seconds=round(monotonic() - began, 1),
        rows=tuple(rows),
        notes=notes,
        failed=failed,
    )


def _told(each: Benchmark) -> Iterator[dict[str, Any]]:
    command = [sys.executable, "-m", "benchmarks.report.child", each.module, str(each.size)]
    over = []
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True) as child:

        def end() -> None:
            over.append(True)
            _kill(child.pid)

        watch = Timer(each.seconds, end)
        watch.start()
        assert child.stdout is not None
        yield from map(json.loads, child.stdout)
        watch.cancel()
    _kill(child.pid)  # what it started and left behind
    if over:
        yield {"failed": f"ended after its {each.seconds} s"}
    elif child.returncode:
        yield {"failed": f"its process ended with {child.returncode}"}


def _kill(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _note(name: str, missing: str | None) -> str:
    return f"Without the peers of `{name}`: {missing}." if missing else f"Peers: {environments.pinned(name)}."


def _size(each: Benchmark) -> str:
    return f"{each.size:,} {each.of}"
