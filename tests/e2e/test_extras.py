"""The drivers of warehouses resolve beside all that the package itself needs."""

import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
DRIVERS = {
    "snowflake": "snowflake-sqlalchemy",
    "bigquery": "sqlalchemy-bigquery",
    "redshift": "psycopg",
    "trino": "trino",
    "databricks": "databricks-sqlalchemy",
    "clickhouse": "clickhouse-connect",
}


@cache
def index() -> tuple[str, ...]:
    """The options that name the index pip is set up for, which uv does not read by itself."""
    asked = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True, check=False
    )
    return ("--default-index", asked.stdout.strip()) if asked.returncode == 0 else ()


def resolved(needs: str, *options: str) -> subprocess.CompletedProcess[str]:
    uv = Path(sys.executable).with_name("uv")
    if not uv.exists():
        pytest.skip("uv is not installed: nothing resolves the extras")
    command = [
        str(uv),
        "pip",
        "compile",
        "--quiet",
        "--universal",
        "--no-header",
        "--no-annotate",
        "--no-emit-index-url",
    ]
    return subprocess.run(
        [*command, "--python-version", "3.11", *index(), *options, "-"],
        input=needs, capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip


def test_every_warehouse_has_an_extra() -> None:
    assert PROJECT["optional-dependencies"].keys() == DRIVERS.keys()


@pytest.mark.slow
@pytest.mark.parametrize("extra", DRIVERS)
def test_an_extra_resolves(extra: str) -> None:
    if resolved("click\n").returncode:
        pytest.skip("no package index answers")
    needs = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"][extra]]
    found = resolved("\n".join(needs) + "\n")
    assert found.returncode == 0, found.stderr
    assert f"\n{DRIVERS[extra]}==" in "\n" + found.stdout.replace("[", "==[")
