"""Folders and files that nobody else on the machine may read."""

import os
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISLNK
from tempfile import TemporaryFile

from ai.errors import ConfigError

OTHERS = 0o077


def private_folder(folder: Path) -> None:
    """Make a folder of mode 0700, and tighten all in it; from now on this process writes files of mode 0600."""
    os.umask(OTHERS)
    folder.mkdir(parents=True, exist_ok=True)
    _tighten(os.fspath(folder), folder.lstat())
    _tighten_all(os.fspath(folder))


def writable_folder(folder: Path, setting: str) -> None:
    """Make a private folder. Raises ConfigError where nothing can be written."""
    try:
        private_folder(folder)
        with TemporaryFile(dir=folder):
            return
    except OSError as error:
        why = "a file stands there" if isinstance(error, FileExistsError | NotADirectoryError) else error.strerror
        raise ConfigError(
            f"{setting} is {str(folder)!r}: nothing can be kept there ({why}); name a folder to write to."
        ) from None


def _tighten_all(folder: str) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            try:
                found = entry.stat(follow_symlinks=False)
                _tighten(entry.path, found)
                if S_ISDIR(found.st_mode):
                    _tighten_all(entry.path)
            except FileNotFoundError:  # another process has just removed it
                continue


def _tighten(path: str, found: os.stat_result) -> None:
    if S_IMODE(found.st_mode) & OTHERS and not S_ISLNK(found.st_mode) and found.st_uid == os.geteuid():
        os.chmod(path, S_IMODE(found.st_mode) & ~OTHERS)  # noqa: PTH101 - ten thousand files at each start
