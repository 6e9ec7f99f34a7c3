"""The recipes of CONTRIBUTING.md work as written: a toy of each is added to a copy of the project, and answers.

A toy is a line of `toys/toys.jsonl` and its files in `toys/RECIPE`: the new `file`, and the `line` that goes `into` a file,
below another one. `run` is what Python is asked then, and `says` what it must answer.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import config
from tests.cases import cases
from tests.desk import shop
from tests.paths import ROOT

TOYS = Path(__file__).with_name("toys")
LEFT = shutil.ignore_patterns(".*", "__pycache__", "artifacts", "*.sqlite*")
PARTS = (
    "ai",
    "bot",
    "local_slack",
    "tests/__init__.py",
    "tests/architecture",
    "tests/docs",
    "tests/paths.py",
    "config.py",
    "pyproject.toml",
)
LINES = cases(TOYS / "toys.jsonl")
RECIPES = re.findall(r"^### (Add .*)$", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of what is shipped, and of what its contracts need."""
    for part in PARTS:
        there = tmp_path / "project" / part
        there.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, there, ignore=LEFT)
        else:
            shutil.copyfile(ROOT / part, there)
    return tmp_path / "project"


def test_every_recipe_has_a_toy() -> None:
    assert {line.values[0]["recipe"] for line in LINES} == set(RECIPES)


@pytest.mark.parametrize("toy", LINES)
def test_a_toy_that_follows_its_recipe_answers(copy: Path, tmp_path: Path, toy: dict[str, Any]) -> None:
    follow(copy, toy)
    run = [part.replace("TOY", str(folder_of(toy))) for part in toy["run"]]
    given = {name: value.replace("SHOP", str(shop(tmp_path))) for name, value in toy.get("set", {}).items()}
    environment = config.child_environment(PYTHONPATH=str(copy), DATA_DIR=str(tmp_path / "data"), **given)
    done = subprocess.run(
        [sys.executable, *run], cwd=copy, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert toy["says"] in done.stdout, done.stdout + done.stderr


def test_the_contracts_hold_with_all_toys(copy: Path) -> None:
    for toy in {line.values[0]["recipe"]: line.values[0] for line in LINES}.values():
        follow(copy, toy)
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint, "--no-logo", "--no-cache"], cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_agent_that_knows_another_breaks_the_contract(copy: Path) -> None:
    (copy / "ai/agents/cuckoo_agent.py").write_text("from ai.agents.cost_agent import CostAgent as Cuckoo\n", "utf-8")
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint, "--no-logo", "--no-cache"], cwd=copy, capture_output=True, text=True, check=False)
    assert "ai.agents.cuckoo_agent is not allowed to import ai.agents.cost_agent" in done.stdout


def follow(copy: Path, toy: dict[str, Any]) -> None:
    """Do what the recipe says, and nothing else: one new file at most, and one line."""
    steps = recipe(toy["recipe"])
    if file := toy.get("file"):
        name = Path(file).name
        assert re.search(rf"`{re.escape(file).replace('parrot', 'NAME')}`", steps)
        shutil.copyfile(folder_of(toy) / name, copy / file)
    assert f"in `{toy['into']}`" in steps
    assert "\n" not in toy["line"]
    assert len(toy["line"]) <= 120
    text = (copy / toy["into"]).read_text("utf-8")
    (place,) = [line for line in text.splitlines() if line.startswith(toy["below"])]
    (copy / toy["into"]).write_text(text.replace(f"{place}\n", f"{place}\n{toy['line']}\n", 1), "utf-8")


def recipe(heading: str) -> str:
    """Return the numbered steps of a recipe."""
    section = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition(f"### {heading}\n")[2].partition("\n### ")[0]
    return "\n".join(re.findall(r"^\d\. .*(?:\n   .*)*", section, re.MULTILINE))


def folder_of(toy: dict[str, Any]) -> Path:
    """Return the folder with the files of a toy."""
    return TOYS / str(toy["recipe"]).split()[-1]
