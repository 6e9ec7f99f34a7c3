"""Runs tests noting which lines each of them runs, and keeps that in a folder for each run."""

import json
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.covered import noting
from tests.mutants.elsewhere import NOTES
from tests.mutants.lines import Lines, Run, hashed
from tests.mutants.recorder import ROWS, TESTS
from tests.mutants.sessions import KEPT, SESSIONS, joined
from tests.paths import ROOT

TOLD, MATRIX = "run.json", "ran.npy"
RAN = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)


def kept() -> Lines:
    """Return what is known; of a test file that was run again, only the last."""
    runs, read = [], dict[str, str]()
    for folder in reversed(_folders()):
        told = json.loads((folder / TOLD).read_text("utf-8"))
        gone = {path for path in told["read"] if not (ROOT / path).exists()}
        tests = {test: took for test, took in told["seconds"].items() if test.partition("::")[0] not in {*read, *gone}}
        runs.append(Run(tests, told["texts"], Matrix(folder / MATRIX, told["places"], tuple(told["seconds"]), tests)))
        read = {**told["read"], **read}
    return Lines(runs, read)


def learn(tests: Sequence[str], jobs: int) -> None:
    """Run test files, in as many processes."""
    if not tests:
        return
    SESSIONS.mkdir(parents=True, exist_ok=True)
    for file in SESSIONS.iterdir():
        if file.suffix != ".code":  # what is compiled is good for the next run
            file.unlink()
    noting.prepare(ROOT, SESSIONS)
    texts = {path: (ROOT / path).read_text("utf-8") for path in noting.files(ROOT)}
    read = {path: hashed(path) for path in tests}
    options = ["-q", "--no-header", "-r", "N", "-p", "tests.mutants.recorder", "--dist", "worksteal"]
    command = [sys.executable, "-m", "pytest", *options, "--numprocesses", str(jobs), *_shortest(tests)]
    with joined():
        status = subprocess.run(command, cwd=ROOT, check=False, start_new_session=True).returncode
    noted = any(rows.stat().st_size for rows in SESSIONS.glob(ROWS.format("*")))
    if status not in RAN or (status == pytest.ExitCode.TESTS_FAILED and not noted):
        raise SystemExit("these tests cannot be run")
    _keep(texts, read)


def _shortest(tests: Sequence[str]) -> list[str]:
    """Name `tests` in place of all files below it: their ids fit no command."""
    every = {str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py")}
    return ["tests"] if every == {*tests} else [*tests]


def _keep(texts: Mapping[str, str], read: Mapping[str, str]) -> None:
    places = {path: place[:2] for path, place in json.loads((SESSIONS / noting.PLACES).read_text("utf-8")).items()}
    width = -(-max(end for _, end in places.values()) // 8)
    told: list[dict[str, object]] = []
    rows = []
    for tests in sorted(SESSIONS.glob(TESTS.format("*"))):
        lines = [json.loads(line) for line in tests.read_text("utf-8").splitlines()]
        session = tests.stem.rpartition("-")[2]
        matrix = np.fromfile(SESSIONS / ROWS.format(session), dtype=np.uint8).reshape(-1, width)[: len(lines)]
        passed = [number for number, line in enumerate(lines) if line["passed"]]
        told += [lines[number] for number in passed]
        rows.append(matrix[passed])
        (SESSIONS / NOTES.format(session)).unlink()
    folder = KEPT / f"{max((int(path.name) for path in _folders()), default=0) + 1:04}"
    folder.mkdir()
    np.save(folder / MATRIX, np.concatenate(rows))
    seconds = {line["test"]: line["seconds"] for line in told}
    whole = {"seconds": seconds, "texts": texts, "read": read, "places": places}
    (folder / TOLD).write_text(json.dumps(whole), "utf-8")


def _folders() -> list[Path]:
    return sorted(path.parent for path in KEPT.glob(f"*/{TOLD}"))


@dataclass(frozen=True)
class Matrix:
    """A row for each test and a bit for each line, as they stand in the kept file."""

    file: Path
    places: Mapping[str, tuple[int, int]]
    names: Sequence[str]
    wanted: Collection[str]

    @cached_property
    def _bits(self) -> npt.NDArray[np.uint8]:
        return np.asarray(np.load(self.file, mmap_mode="r"))

    def _part(self, path: str) -> npt.NDArray[np.uint8]:
        begin, end = self.places.get(path, (0, 0))
        return np.unpackbits(self._bits[:, begin // 8 : -(-end // 8)], axis=1)[:, begin % 8 :][:, : end - begin]

    def ran(self, path: str) -> frozenset[int]:
        return frozenset(np.flatnonzero(self._part(path).any(axis=0)).tolist())

    def tests(self, path: str, lines: Collection[int]) -> set[str]:
        part = self._part(path)
        known = [line for line in lines if line < part.shape[1]]
        found = {self.names[number] for number in np.flatnonzero(part[:, known].any(axis=1)).tolist()}
        return found.intersection(self.wanted)

    def ways(self, path: str) -> dict[str, bytes]:
        return {
            name: row.tobytes() for name, row in zip(self.names, np.packbits(self._part(path), axis=1), strict=True)
        }
