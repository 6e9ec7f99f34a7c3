"""Stores made, moved, backed up and restored by their commands, and how each kind of damage to a backup is told."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from types import MappingProxyType
from typing import Any

import pytest
from alembic import command
from click.testing import CliRunner, Result
from sqlalchemy import create_engine

from ai.memory.migrations import REVISION
from bot.cli.main import commands
from tests.desk import shop
from tests.memories import migrate

SHOP = {"DATABASE_URL": "sqlite:///shop.sqlite"}
FACTS = "files-1/facts.json"


def run(*words: str, home: str = "data") -> Result:
    return CliRunner().invoke(commands, words, env={**SHOP, "DATA_DIR": home})


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a backup of an answer and of the files of a thread."""
    folder = tmp_path_factory.mktemp("made")
    shop(folder)
    with chdir(folder):
        assert run("ask", "--thread", "t", "how many apps?").exit_code == 0
        facts = folder / "data" / "files" / FACTS
        facts.parent.mkdir(parents=True)
        facts.write_text('{"name": "cities"}', "utf-8")
        facts.with_name("expected-1.json").write_text("{}", "utf-8")
        backed_up = run("backup", "saved")
    assert (backed_up.exit_code, backed_up.stderr) == (0, "")
    return folder


@pytest.fixture
def saved(made: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the backup, in the working folder."""
    copytree(made, tmp_path, dirs_exist_ok=True)
    with chdir(tmp_path):
        yield tmp_path / "saved"


def test_rows_and_files_of_threads_come_back(saved: Path) -> None:
    assert json.loads((saved / "files" / FACTS).read_text("utf-8")) == {"name": "cities"}
    restored = run("restore", "saved", home="other")
    assert (restored.exit_code, restored.stderr) == (0, ""), restored.exception
    home = saved.parent / "other"
    assert json.loads((home / "files" / FACTS).read_text("utf-8")) == {"name": "cities"}
    assert (home / "files" / FACTS).with_name("expected-1.json").read_text("utf-8") == "{}"
    assert (home / "files" / FACTS).parent.stat().st_mode & 0o777 == 0o700
    assert [*home.glob("results/**/*.arrow")]
    assert run("audit", home="other").stdout == "ok    1 receipts are as sealed, 0 are forgotten\n"
    again = run("restore", "saved", home="other")
    assert again.exit_code == 1
    assert "holds rows already" in str(again.exception)


def test_an_older_memory_is_brought_up_to_date_with_its_steps(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'state.sqlite'}")
    with engine.begin() as connection:
        migrate(connection, command.upgrade, "0016")
    engine.dispose()
    moved = run("migrate", home=str(tmp_path))
    assert moved.stdout == f"The memory went from step 0016 of its tables to {REVISION}.\n", moved.exception


def rewritten(files: Mapping[str, object] = MappingProxyType({}), **changes: object) -> Callable[[Path], None]:
    """Change the list of a backup with its checksum, as somebody may who knows how."""

    def change(saved: Path) -> None:
        told: dict[str, Any] = json.loads((saved / "manifest.json").read_text("utf-8"))
        del told["checksum"]
        told |= {**changes, "files": {**told["files"], **files}}
        checksum = sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
        (saved / "manifest.json").write_text(json.dumps({**told, "checksum": checksum}), "utf-8")

    return change


def written(name: str, text: str) -> Callable[[Path], None]:
    def change(saved: Path) -> None:
        (saved / name).write_text(text, "utf-8")

    return change


DAMAGE = {
    "a list that is cut off": (written("manifest.json", "{"), "its manifest.json does not read; take another one."),
    "a list without a checksum": (written("manifest.json", "{}"), "its manifest.json does not read; take another one."),
    "a list of another kind": (written("manifest.json", "[]"), "its manifest.json does not read; take another one."),
    "a list with a wrong checksum": (written("manifest.json", '{"checksum": "x"}'), "its manifest.json was changed"),
    "a file that was changed": (written(f"files/{FACTS}", "{}"), f"files/{FACTS} was changed; take another one."),
    "a file that is gone": (lambda saved: (saved / "files" / FACTS).unlink(), f"files/{FACTS} is missing"),
    "a step of a newer release": (rewritten(step="9999"), "9999"),
    "another format": (
        rewritten(format=2, release="9.9"),
        "is of format 2 and this release reads 1: restore it with the release 9.9.",
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_told_and_nothing_is_restored(saved: Path, damage: str) -> None:
    change, told = DAMAGE[damage]
    change(saved)
    refused = run("restore", "saved", home="other")
    assert refused.exit_code == 1
    assert told in str(refused.exception)
    assert not [*(saved.parent / "other").glob("files/*")]


@pytest.mark.parametrize("name", ["files/facts.json", "files/../facts.json", "files/files-1/../../x"])
def test_a_file_outside_of_its_room_is_refused(saved: Path, name: str) -> None:
    path = saved / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"{}")
    rewritten(files={name: [2, sha256(b"{}").hexdigest()]})(saved)
    refused = run("restore", "saved", home="other")
    assert (
        str(refused.exception)
        == f"The backup saved is damaged: it names {name.removeprefix('files/')}; take another one."
    )
