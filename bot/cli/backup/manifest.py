"""The list of a backup's files with their lengths and checksums, and a checksum of the list."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from ai.errors import ConfigError, Corrupt

NAME, FORMAT = "manifest.json", 1
NONE_THERE = "{} holds no backup: name the folder that `datathread backup` made."
DAMAGED = "The backup {} is damaged: {}; take another one."
OTHER_FORMAT = "The backup {} is of format {} and this release reads {}: restore it with the release {}."


@dataclass(frozen=True, slots=True)
class Manifest:
    """The content of a backup. `newest_seal` is "" without receipts; `losses` tell of unreadable parts."""

    release: str
    made_at: str
    step: str | None
    newest_seal: str
    losses: tuple[str, ...]
    files: Mapping[str, tuple[int, str]]

    def under(self, room: str) -> Iterator[str]:
        """Yield the files of a room of the backup, by their names in it."""
        return (name.removeprefix(f"{room}/") for name in self.files if name.startswith(f"{room}/"))


def listed(folder: Path) -> dict[str, tuple[int, str]]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): (path.stat().st_size, _checksum(path)) for path in paths}


def write(manifest: Manifest, folder: Path) -> None:
    told = {"format": FORMAT, **asdict(manifest)}
    (folder / NAME).write_text(json.dumps({**told, "checksum": _of(told)}, indent=1), "utf-8")


def read(folder: Path) -> Manifest:
    """Return the manifest of a backup, once all of its files are as listed. Raises ConfigError or Corrupt."""
    try:
        told = json.loads((folder / NAME).read_bytes())
        checksum = told.pop("checksum")
    except (FileNotFoundError, NotADirectoryError):
        raise ConfigError(NONE_THERE.format(folder)) from None
    except (OSError, ValueError, LookupError, AttributeError, TypeError):
        raise Corrupt(DAMAGED.format(folder, f"its {NAME} does not read")) from None
    if checksum != _of(told):
        raise Corrupt(DAMAGED.format(folder, f"its {NAME} was changed"))
    if (found := told.pop("format")) != FORMAT:
        raise ConfigError(OTHER_FORMAT.format(folder, found, FORMAT, told.get("release")))
    files = {name: (size, digest) for name, (size, digest) in told["files"].items()}
    manifest = Manifest(**{**told, "files": files, "losses": tuple(told["losses"])})
    for name, (size, digest) in files.items():
        _require_same(folder, name, size, digest)
    return manifest


def _require_same(folder: Path, name: str, size: int, digest: str) -> None:
    path = folder / name
    if not path.is_file():
        raise Corrupt(DAMAGED.format(folder, f"{name} is missing"))
    if (path.stat().st_size, _checksum(path)) != (size, digest):
        raise Corrupt(DAMAGED.format(folder, f"{name} was changed"))


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _of(told: Mapping[str, Any]) -> str:
    return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
