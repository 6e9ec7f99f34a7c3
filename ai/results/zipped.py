"""A divided CSV as one file again: zipped, where the zip is small enough to send."""

import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

AT_ONCE = 1024 * 1024  # bytes


def zipped(parts: Sequence[Path], header: int, most: int) -> Path | None:
    """One zip of one CSV, in place of its parts; None, and the parts stay, when it takes more than `most` bytes.

    Each part begins with the same header of so many bytes, which the CSV has once.
    """
    path = parts[0].with_suffix(".zip")
    if _packed(path, parts, header, most):
        for part in parts:
            part.unlink()
        return path
    path.unlink()
    return None


def _packed(path: Path, parts: Sequence[Path], header: int, most: int) -> bool:
    """Zip the parts; False, as soon as that shows, when they take more than `most` bytes."""
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open(parts[0].name, "w", force_zip64=True) as whole,
    ):
        for piece in _pieces(parts, header):
            whole.write(piece)
            if path.stat().st_size > most:
                return False
    return path.stat().st_size <= most


def _pieces(parts: Sequence[Path], header: int) -> Iterator[bytes]:
    for number, part in enumerate(parts):
        with part.open("rb") as rows:
            rows.seek(header if number else 0)
            while piece := rows.read(AT_ONCE):
                yield piece
