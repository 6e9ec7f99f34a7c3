"""The documents say what is there: links lead somewhere, commands exist, generated tables are current."""

import ast
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from bot.cli.main import commands
from bot.setup import load_workspace
from config import load
from tests.architecture import source
from tests.docs.documented import DOCUMENTS
from tests.paths import ROOT

TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))

documents = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())


@documents
def test_links_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", _prose(document))
    assert [target for target in targets if not _resolves(document, target)] == []


@documents
def test_named_files_exist(document: Path) -> None:
    named = re.findall(r"(?<![\w/.])(?:ai|bot|tests|docs|requirements)/[\w/.-]*\w", _code(document))
    assert [path for path in named if "NAME" not in path and not _exists(path)] == []


@documents
def test_make_targets_exist(document: Path) -> None:
    named = set(re.findall(r"(?:`|^\s*|&& )make ([a-z]+)", document.read_text("utf-8"), re.MULTILINE))
    assert named - TARGETS == set()


@documents
def test_commands_exist(document: Path) -> None:
    named = set(re.findall(r"(?:(?<![@\w])datathread|-m bot) ([a-z]+)", _code(document)))
    assert named - commands.commands.keys() == set()


def test_plain_make_prints_every_target() -> None:
    printed = subprocess.run(["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {line.split("\t")[0] for line in printed.stdout.splitlines()} == TARGETS


def test_the_example_of_the_configuration_file_is_valid(tmp_path: Path) -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "settings.md").read_text("utf-8"), re.DOTALL)
    file = tmp_path / "datathread.yml"
    file.write_text(example, "utf-8")
    workspace = load_workspace(load(config_file=file))
    assert workspace.model_dump(exclude_unset=True) == yaml.safe_load(example)


def test_the_changelog_has_a_place_for_what_comes_next() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == "[Unreleased]"


def test_every_module_says_what_it_owns() -> None:
    docstrings = {module.path: ast.get_docstring(module.tree) or "" for module in source.product()}
    said = {path: text.split("\n\n")[0] for path, text in docstrings.items()}
    assert [path for path, text in said.items() if not re.search(r"[.:…]$", text)] == [], "no sentence comes first"


def _prose(document: Path) -> str:
    """The text without its code, where brackets mean something else."""
    text = re.sub(r"^```.*?^```", "", document.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", text)


def _exists(path: str) -> bool:
    """Whether there is such a file or folder; a module may be named without its ending."""
    return (ROOT / path).exists() or (ROOT / f"{path}.py").exists()


def _code(document: Path) -> str:
    """What is set as code, in a line or as a block."""
    return "\n".join(re.findall(r"```.*?```|`[^`\n]*`", document.read_text("utf-8"), re.DOTALL))


def _resolves(document: Path, target: str) -> bool:
    if re.match(r"[a-z]+:", target):
        return True  # no test reaches the network
    path, _, anchor = target.partition("#")
    file = document.parent / path if path else document
    return file.exists() and (not anchor or anchor in _anchors(file))


def _anchors(document: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", document.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
