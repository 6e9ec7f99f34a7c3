"""Reading of files whose names people give: a FIFO would wait and a device would not end."""

import os
from errno import EINVAL
from pathlib import Path
from stat import S_ISREG

from ai.errors import ConfigError

MOST_BYTES = 2**20


def read_regular(path: Path, most: int) -> bytes:
    """Return at most `most` bytes of a regular file. Raises OSError."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(EINVAL, "it is no regular file")
        return file.read(most)


def require_regular(path: str) -> str:
    """Return the path of a file, missing or not. Raises ConfigError for another thing, or one too long."""
    try:
        found = Path(path).stat()
    except OSError:
        return path
    if not S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
        raise ConfigError(f"{path} is no file of settings: write plain text there, or take it away.")
    return path
