"""The wheel, installed alone in a clean environment and run from another folder, is the whole product."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from urllib.request import urlopen

import pytest

from bot import __version__
from config import child_environment
from tests.paths import ROOT
from tests.processes import first_line, free_port, interrupted, running

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
NAME = f"datathread-{__version__}"
INSTALLERS = "pipx==1.18.4", "uv==0.13.9"
NO_INDEX = "(from versions: none)"  # says pip, which knows other versions where only this one is missing


@dataclass(frozen=True)
class Clean:
    """A folder with nothing of ours, where programs run with no variable of ours."""

    folder: Path

    def run(self, *command: str | Path, settings: Mapping[str, str] = MappingProxyType({})) -> str:
        done = self.tried(*command, settings=settings)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout

    def tried(
        self, *command: str | Path, settings: Mapping[str, str] = MappingProxyType({})
    ) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            list(map(str, command)),
            cwd=self.folder,
            env={**self.environment, **settings},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    @cached_property
    def environment(self) -> dict[str, str]:
        """Where packages come from is the machine's affair: what pip is set up for holds for uv, too."""
        pip = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
        index = subprocess.run(pip, capture_output=True, text=True, check=False).stdout.strip()
        kept = {
            name: value
            for name, value in child_environment().items()
            if name.startswith(("PIP_", "UV_", "SSL_", "HTTPS_", "https_")) or name == "HOME"
        }
        chosen = {"UV_DEFAULT_INDEX": index} if index and "UV_DEFAULT_INDEX" not in kept else {}
        return {"PATH": os.defpath, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **kept, **chosen}


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, the source archive, and the versions of the lock."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    lock = (ROOT / "requirements" / "run.txt").read_text("utf-8")
    versions = re.findall(r"^([a-z].*?) *\\?$", lock, re.MULTILINE)
    (folder / "versions.txt").write_text("\n".join(versions) + "\n", "utf-8")
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    return dist / f"{NAME}-py3-none-any.whl"


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Clean:
    return Clean(tmp_path_factory.mktemp("elsewhere"))


@pytest.fixture(scope="module")
def tools(clean: Clean) -> Path:
    """The folder of uv and pipx, which have a virtual environment of their own."""
    venv.create(clean.folder / "tools", with_pip=True)
    programs = clean.folder / "tools" / "bin"
    done = clean.tried(programs / "python", "-m", "pip", "install", "--quiet", *INSTALLERS)
    if NO_INDEX in done.stderr:
        pytest.skip("no package index can be reached for uv and pipx")
    assert done.returncode == 0, done.stderr
    return programs


@pytest.fixture(scope="module")
def datathread(clean: Clean, tools: Path, wheel: Path, dist: Path) -> Path:
    """The command of the wheel in a virtual environment that holds nothing else."""
    python = clean.folder / "environment" / "bin" / "python"
    clean.run(tools / "uv", "venv", "--quiet", "--python", sys.executable, clean.folder / "environment")
    install = ("pip", "install", "--quiet", "--python", python, "--constraints", dist / "versions.txt", wheel)
    clean.run(tools / "uv", *install)
    return python.with_name("datathread")


def test_the_wheel_holds_all_that_is_shipped_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "ai", "bot", "local_slack", "config.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if tracked.returncode:
        pytest.skip("not a git checkout: there is no list of tracked files")
    shipped = {name for name in names if not name.startswith(f"{NAME}.dist-info/")}
    assert shipped == {path for path in tracked.stdout.split() if (ROOT / path).exists()} | {"bot/manifest.yml"}


def test_the_source_archive_builds_the_same_wheel(dist: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(dist / f"{NAME}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(build, cwd=tmp_path / NAME, check=True, capture_output=True)
    again = zipfile.ZipFile(tmp_path / wheel.name)
    assert {name: again.read(name) for name in again.namelist()} == {
        name: zipfile.ZipFile(wheel).read(name) for name in zipfile.ZipFile(wheel).namelist()
    }


def test_it_answers_exports_and_draws(clean: Clean, datathread: Path) -> None:
    assert clean.run(datathread, "--version").strip() == __version__
    assert json.loads(clean.run(datathread, "ask", "how many apps do we have?", "--json"))["rows"] == [[49]]
    assert clean.run(datathread, "ask", "how many apps per platform?", "--csv").splitlines()[0].startswith("platform,")
    clean.run(datathread, "ask", "installs by month and platform", "--chart", "chart.png")
    assert (clean.folder / "chart.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert "bot_events" in clean.run(datathread, "slack", "manifest")
    assert clean.run(datathread, "check").startswith("ok ")


def test_it_speaks_german(clean: Clean, datathread: Path) -> None:
    assert "49" in (answer := clean.run(datathread, "ask", "how many apps do we have?", settings={"LANGUAGE": "de"}))
    assert answer.splitlines()[0] != clean.run(datathread, "ask", "how many apps do we have?").splitlines()[0]


def test_it_runs_with_the_page_of_the_local_slack(clean: Clean, datathread: Path) -> None:
    port = free_port()
    environment = {**clean.environment, "LOCAL_SLACK_PORT": str(port)}
    with running([str(datathread), "run"], clean.folder, environment) as process:
        assert first_line(process).startswith("Datathread is at ")
        with urlopen(f"http://127.0.0.1:{port}/", timeout=30) as page:
            assert b"<script" in page.read()
        assert interrupted(process) == 0


def test_uvx_runs_it_without_an_install(clean: Clean, tools: Path, wheel: Path, dist: Path) -> None:
    asked = ("--constraints", dist / "versions.txt", "--from", wheel, "datathread", "ask", "how many apps do we have?")
    assert "49" in clean.run(tools / "uvx", "--quiet", "--python", sys.executable, *asked)


def test_pipx_installs_it(clean: Clean, tools: Path, wheel: Path, dist: Path) -> None:
    home = clean.folder / "pipx"
    folders = {"PIPX_HOME": str(home), "PIPX_BIN_DIR": str(home / "bin"), "PIPX_MAN_DIR": str(home / "man")}
    with_uv = {"PIPX_DEFAULT_BACKEND": "uv", "PATH": f"{tools}:{os.defpath}"}
    pinned = f"--pip-args=--constraint {dist / 'versions.txt'}"
    clean.run(tools / "pipx", "install", "--python", sys.executable, pinned, wheel, settings=folders | with_uv)
    assert "49" in clean.run(home / "bin" / "datathread", "ask", "how many apps do we have?")
    shutil.rmtree(home)
