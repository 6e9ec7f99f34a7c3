"""Reading of files whose names people give: a FIFO would wait and a device would not end."""

import os
from errno import EINVAL
from pathlib import Path
from stat import S_ISREG


def read_regular(path: Path, most: int) -> bytes:
    """Return at most `most` bytes of a regular file. Raises OSError."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(EINVAL, "it is no regular file")
        return file.read(most)
