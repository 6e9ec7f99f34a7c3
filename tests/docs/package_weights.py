"""The page docs/packages.md: what the default install weighs, package by package, and what extras add."""

import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from tests.paths import ROOT

LOCK, EXTRAS = ROOT / "requirements/run.txt", ROOT / "requirements/image.txt"
MB = 10**6
LEAST = 0.5  # MB; what weighs less stands in one line
HEAD = """\
# Packages

The default install answers, draws charts and exports CSV and Parquet, from SQLite and DuckDB. What else there is comes with
extras, and nothing heavy is loaded before it is used: a plain question loads neither pandas nor DuckDB nor a client of a model.

| Extra | What for | Without it |
|---|---|---|
| `postgres` | PostgreSQL as a source, the memory or the queue | a start with its URL says what to install |
| `mysql` | MySQL and MariaDB as a source | the same |
| `redis` | windows of threads for several replicas (`REDIS_URL`) | the same |
| `excel` | exports as Excel workbooks | who asks for one is offered CSV |
| `semantic` | meanings in the search of the memory (`EMBEDDING_MODEL`) | a start with it says what to install |
| `langgraph` | states of graphs in the memory | the call says what to install |
| `otel` | spans of turns for OpenTelemetry | a start that is told where to send them says what to install |

`pip install 'datathread[postgres,excel]'` adds two, `pip install '.[postgres]'` in a checkout. The image has all but
`semantic` and `langgraph`, by a lock of its own. `make fix` measures the tables anew, on the machine that it runs on.

"""


def locked(lock: Path) -> list[str]:
    """Return the names of the packages in a lock."""
    found = re.findall(r"^([\w.-]+)==", lock.read_text("utf-8"), re.MULTILINE)
    return list(dict.fromkeys(found))  # one may be pinned by version of Python


def weight(package: str) -> int:
    """Return the bytes of an installed package, without bytecode; 0 where this system does not need it."""
    try:
        files = distribution(package).files or ()
    except PackageNotFoundError:
        return 0
    return sum(file.size or 0 for file in files if file.suffix != ".pyc")


def page() -> str:
    default, all_extras = set(locked(LOCK)), set(locked(EXTRAS))
    return f"{HEAD}{_table('The default install', default)}\n{_table('What the extras of the image add', all_extras - default)}"


def _table(title: str, packages: set[str]) -> str:
    weights = {name: weight(name) / MB for name in sorted(packages)}
    heavy = {name: size for name, size in weights.items() if size >= LEAST}
    lines = [f"## {title}\n", "| Package | MB |", "|---|---|"]
    lines += [f"| `{name}` | {size:.1f} |" for name, size in sorted(heavy.items(), key=lambda pair: -pair[1])]
    rest = [size for size in weights.values() if 0 < size < LEAST]
    lines.append(f"| {len(rest)} smaller ones | {sum(rest):.1f} |")
    lines.append(f"| **together** | **{sum(weights.values()):.0f}** |")
    return "\n".join(lines) + "\n"
