"""Every command that a document shows runs, in the order shown, or is listed with the reason why it does not."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from config import SECRETS, Settings
from tests.docs.documented import Shown, not_run, shown
from tests.paths import ROOT
from tests.processes import bare_environment, first_line, free_port, interrupted, running

SERVING = "run"  # the last word of commands that stay
RUN = [each for each in shown() if each.line not in not_run() and not each.settings]
IN_A_SHELL = f'#!/bin/sh\nexec "{sys.executable}" -m bot "$@"\n'


def test_what_is_not_run_is_shown_somewhere() -> None:
    assert set(not_run()) - {each.line for each in shown()} == set()
    assert all(not_run().values())


def test_settings_that_are_shown_exist() -> None:
    known = {name.upper() for name in Settings.model_fields}
    named = {name for each in shown() for name in each.settings}
    assert named - known - {f"{name}_FILE" for name in SECRETS} == set()


@pytest.mark.slow
@pytest.mark.parametrize("document", sorted({each.document for each in RUN}))
def test_the_commands_of_a_document_run(document: str, tmp_path: Path) -> None:
    environment = prepared(tmp_path)
    with ExitStack() as servers:
        for each in RUN:
            if each.document == document and each.line.endswith(SERVING):
                servers.close()
                servers.enter_context(served(each, tmp_path, environment))
            elif each.document == document:
                done = subprocess.run(
                    ["bash", "-c", each.line],
                    cwd=tmp_path,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    text=True,
                    timeout=100,
                    check=False,
                )
                assert done.returncode == 0, (each.line, done.stdout, done.stderr)


def prepared(folder: Path) -> dict[str, str]:
    """Make a folder like a clone of ours, with a database of somebody's own; return the environment to run there."""
    bin_folder = folder / ".venv" / "bin"
    bin_folder.mkdir(parents=True)
    for name, text in {"datathread": IN_A_SHELL, "make": IN_A_SHELL}.items():
        (bin_folder / name).write_text(text, "utf-8")
        (bin_folder / name).chmod(0o755)
    for linked in ("manifest.yml", "deploy", "docs", "requirements"):
        if (ROOT / linked).exists():
            (folder / linked).symlink_to(ROOT / linked)
    (folder / "path" / "to").mkdir(parents=True)
    with closing(sqlite3.connect(folder / "path" / "to" / "chinook.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE albums (id INTEGER PRIMARY KEY, title TEXT)")
    return bare_environment(PATH=f"{bin_folder}:{Path(sys.executable).parent}:{os.defpath}", HOME=str(folder))


@contextmanager
def served(command: Shown, folder: Path, environment: dict[str, str]) -> Iterator[None]:
    """Run a command that stays, until it is no longer needed; it ends well when it is interrupted."""
    port = free_port()
    shell = ["bash", "-c", f"exec env {command.line}"]
    with running(shell, folder, {**environment, "LOCAL_SLACK_PORT": str(port)}, stderr=subprocess.STDOUT) as process:
        assert (told := first_line(process)).startswith("Datathread is at "), told
        yield
        assert interrupted(process) == 0, command.line
