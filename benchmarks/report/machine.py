"""The facts of the machine that a report is read with."""

import os
import platform
import re
import sqlite3
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from tests.paths import ROOT

LIBRARIES = ("slack-bolt", "sqlalchemy", "duckdb", "pyarrow", "sqlglot", "langchain-openai", "openai")


def facts() -> Mapping[str, str]:
    kilobytes = int(_found("/proc/meminfo", r"MemTotal:\s+(\d+)") or 0)
    return {
        "Cores": f"{os.cpu_count()} × {_found('/proc/cpuinfo', 'model name.*: (.+)') or platform.machine()}",
        "Memory": f"{kilobytes / 2**20:.1f} GB",
        "System": platform.platform(),
        "Python": f"{platform.python_version()}, SQLite {sqlite3.sqlite_version}",
        "Libraries": ", ".join(f"{name} {version(name)}" for name in LIBRARIES),
    }


def commit() -> str:
    """Return the measured commit, with a `+` if files differ from it."""
    changed = _git("status", "--porcelain", "--untracked-files=no")
    return (_git("rev-parse", "--short=9", "HEAD") or "unknown") + "+" * bool(changed)


def load() -> float:
    return round(os.getloadavg()[0], 1)


def _git(*arguments: str) -> str:
    said = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return said.stdout.strip()


def _found(path: str, pattern: str) -> str:
    file = Path(path)
    found = re.search(pattern, file.read_text("utf-8")) if file.exists() else None
    return found[1].strip() if found else ""
