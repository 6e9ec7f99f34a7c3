"""No tracked file names a package index or a folder of the machine it was written on.

A clone must install from whatever index its machine is set up for. This file names none either: it asks pip which ones
it knows, and the machine which ones it is set up for.
"""

import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from config import child_environment
from tests.paths import ROOT

ANYWHERE = {Path(p) for p in ("/", "/app", "/home", "/opt", "/root", "/srv", "/tmp", "/usr/src", "/var/tmp")}
LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def test_no_file_names_a_package_index() -> None:
    assert offenders(index_hosts()) == {}


def test_no_file_names_a_folder_of_this_machine() -> None:
    folders = {ROOT, ROOT.parent, Path.home()} - ANYWHERE
    assert offenders(f"{folder}/" for folder in folders) == {}


def test_the_search_finds_what_is_there(tmp_path: Path) -> None:
    sample = tmp_path / "sample.txt"
    sample.write_text(f"index-url = https://{min(index_hosts())}/simple", "utf-8")
    assert found(sample, index_hosts()) == [min(index_hosts())]
    sample.write_text("the page https://example.invalid/depot/ and a half/depot/ are not that folder", "utf-8")
    assert found(sample, ["/depot/"]) == []


def offenders(needles: Iterable[str]) -> dict[str, list[str]]:
    words = sorted(needles)
    hits = {path: found(ROOT / path, words) for path in tracked_files()}
    return {path: names for path, names in hits.items() if names}


def found(path: Path, needles: Iterable[str]) -> list[str]:
    text = path.read_text("utf-8", errors="replace")
    return [word for word in needles if word in text and re.search(rf"(?<![\w.]){re.escape(word)}", text)]


@cache
def tracked_files() -> list[str]:
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode:
        pytest.skip("not a git checkout: there is no list of tracked files")
    return [path for path in listing.stdout.split("\0") if path and (ROOT / path).is_file()]


@cache
def index_hosts() -> list[str]:
    """Hosts of the indexes that pip knows by itself, and of those that pip and uv are set up for here."""
    known = import_module("pip._internal.models.index")
    built_in = [host for index in (known.PyPI, known.TestPyPI) for host in (index.netloc, index.file_storage_domain)]
    settings = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True
    ).stdout
    environment = "\n".join(v for k, v in child_environment().items() if k.startswith(("PIP_", "UV_")))
    urls = re.findall(r"https?://[^\s'\"]+", f"{settings}\n{environment}")
    configured = {urlsplit(url).hostname or "" for url in urls} - LOOPBACK
    return sorted({*(".".join(host.split(".")[-2:]) for host in built_in), *filter(None, configured)})
