"""Files that settings name: what would wait, never end, or grow is refused in a sentence, at once."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ai.errors import ConfigError
from ai.files import json_lines
from ai.files.secret_values import from_files
from ai.memory.seals import chain_at
from bot.setup.workspace_file import load_workspace
from config import load

ALIASES = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "\n".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
CONTENT = {
    "aliases that grow to a billion values": ALIASES,
    "two megabytes": "a: " + "x" * 2**21,
    "a hundred thousand lists": "[" * 100_000,
    "a tag that makes objects": "a: !!python/object/apply:os.system [true]",
    "no text": "\x00\x01",
    "nothing": "",
}


def fifo(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


def named(path: Path) -> None:
    load_workspace(load(config_file=path))


def secret(path: Path) -> None:
    from_files(["OPENAI_API_KEY"], {"OPENAI_API_KEY_FILE": str(path)})


def key(path: Path) -> None:
    chain_at(path, path.parent, "")


def lines(path: Path) -> None:
    list(json_lines.numbered(path))


def dotenv(path: Path) -> None:
    path.rename(path.with_name(".env"))
    load()


@pytest.mark.timeout(20)
@pytest.mark.parametrize("made", [fifo, device, folder])
@pytest.mark.parametrize("read", [named, secret, key, lines, dotenv])
def test_what_is_no_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: Callable[[Path], None], read: Callable[[Path], None]
) -> None:
    monkeypatch.chdir(tmp_path)
    made(tmp_path / "file")
    with pytest.raises(ConfigError):
        read(tmp_path / "file")


@pytest.mark.timeout(20)
@pytest.mark.parametrize("content", CONTENT.values(), ids=CONTENT)
def test_what_a_settings_file_may_not_hold_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "file").write_text(content, "utf-8")
    with pytest.raises(ConfigError):
        named(tmp_path / "file")
