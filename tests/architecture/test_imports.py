"""The folders are the layers, and what a command does not need is not loaded for it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

HEAVY = {"duckdb", "langchain_openai", "matplotlib", "openai", "pandas"}
LATE = HEAVY | {
    "altair",
    "vl_convert",
    "psycopg",
    "pyarrow.compute",
    "pymysql",
    "redis",
    "slack_sdk",
    "sqlglot.dialects.duckdb",
    "sqlglot.dialects.mysql",
    "xlsxwriter",
}  # what a start and a first answer may not load
WORKING = HEAVY | {"langchain_core", "pyarrow", "slack_bolt", "sqlalchemy", "sqlglot", "starlette"}
LIGHT = ["config", "bot.engine", "bot.demo.database", "local_slack.server"]


def test_every_import_keeps_the_contracts() -> None:
    lint = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run([lint, "--no-logo"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("module", LIGHT)
def test_heavy_libraries_are_loaded_only_where_they_are_used(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert module in loaded
    assert loaded & HEAVY == set()


def test_a_first_answer_loads_no_driver_or_format_that_it_does_not_use(tmp_path: Path) -> None:
    code = (
        "import sys; from bot.cli.main import main\n"
        "sys.argv = ['datathread', 'ask', 'how many apps are there?']\n"
        "try: main()\n"
        "except SystemExit: print('loaded', *sys.modules)"
    )
    bare = {"DATA_DIR": str(tmp_path), "PATH": "", "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=bare, capture_output=True, text=True, check=True
    )
    answer, _, loaded = run.stdout.partition("loaded")
    assert "apps" in answer
    assert set(loaded.split()) & LATE == set()


def test_help_loads_no_library_that_does_the_work() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "bot", "--help"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in run.stderr.splitlines()}
    assert "bot.cli.main" in loaded
    assert loaded & WORKING == set()
