"""Files and folders of the owner alone, and only files where files are read."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ai.errors import ConfigError
from ai.files.private import data_folder
from ai.files.regular import MOST_BYTES, read_regular, require_regular


@pytest.fixture(autouse=True)
def mask() -> Iterator[None]:
    """Put back who may read new files."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    return {path.name: f"{path.stat().st_mode & 0o777:o}" for path in [folder, *folder.rglob("*")]}


def test_a_folder_and_all_in_it_is_for_its_owner_alone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "results" / "old").mkdir(parents=True)
    for name in ("results/old/rows", "state"):
        (data / name).touch()
    (data / "run").touch(0o755)
    (tmp_path / "elsewhere").touch()
    (data / "link").symlink_to(tmp_path / "elsewhere")
    data_folder(data)
    (data / "new").touch()
    assert modes(data) == {
        "data": "700",
        "results": "700",
        "old": "700",
        "rows": "600",
        "state": "600",
        "run": "700",
        "link": "644",
        "new": "600",
    }


def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    for folder in (tmp_path / "data", tmp_path / "data" / "below"):
        with pytest.raises(ConfigError) as refused:
            data_folder(folder)
        assert str(refused.value) == (
            f"DATA_DIR is {str(folder)!r}: nothing can be kept there (a file stands there); name a folder to write to."
        )


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"abcd")
    assert [read_regular(path, most) for most in (3, 4, 5)] == [b"abc", b"abcd", b"abcd"]
    with pytest.raises(OSError, match="it is no regular file") as refused:
        read_regular(Path("/dev/null"), 5)
    assert refused.value.strerror == "it is no regular file"


def test_settings_stand_in_a_file_or_nowhere(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    assert require_regular(str(path)) == str(path)
    path.write_bytes(b"x" * MOST_BYTES)
    assert require_regular(str(path)) == str(path)
    path.write_bytes(b"x" * (MOST_BYTES + 1))
    for other in (path, tmp_path, Path("/dev/null")):
        with pytest.raises(ConfigError, match="is no file of settings: write plain text there, or take it away"):
            require_regular(str(other))
