"""A private folder, there as a whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from shutil import rmtree

from ai.errors import ConfigError
from ai.files.durable import sync
from ai.files.private import private_folder

TAKEN = "{} holds files already: name a folder that is new or empty."
BUSY = "Another backup is being written to {}: wait until it is done."
NOT_WRITTEN = "The backup {} cannot be written ({}): name a folder on a disk with room."


@contextmanager
def whole(target: Path) -> Iterator[Path]:
    """Yield a folder, named `target` at the end of the block; after an error nothing is left of it.

    Raises ConfigError where `target` is taken, or nothing can be written.
    """
    target = target.absolute()
    try:
        if target.exists() and not (target.is_dir() and not any(target.iterdir())):
            raise ConfigError(TAKEN.format(target))
        with _alone(target) as part:
            yield part
            _sync_all(part)
            part.rename(target)
            sync(target.parent)
    except OSError as error:
        raise ConfigError(NOT_WRITTEN.format(target, error.strerror or error)) from None


@contextmanager
def _alone(target: Path) -> Iterator[Path]:
    """Make the unfinished folder anew; leftovers of a killed backup go."""
    part = target.parent / f".{target.name}.part"
    target.parent.mkdir(parents=True, exist_ok=True)
    private_folder(part)
    held = os.open(part, os.O_RDONLY)
    try:
        try:
            flock(held, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            raise ConfigError(BUSY.format(target)) from None
        for left in part.iterdir():
            rmtree(left) if left.is_dir() else left.unlink()
        try:
            yield part
        finally:
            rmtree(part, ignore_errors=True)  # it has another name where all went well
    finally:
        os.close(held)


def _sync_all(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        sync(path)
