"""The key of the receipts: a file beside the database, never in it.

A seal is `number-code`. Its last part proves alone, without the database, that this key made it.
"""

import hmac
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple

from ai.errors import ConfigError
from ai.files.regular import read_regular

SHORTEST, MOST_BYTES = 32, 64 * 1024  # characters of a key, bytes of the file
MAC, CHECK = 40, 24  # hexadecimal digits
MOST_DIGITS = 18


class Seal(NamedTuple):
    """The place of a receipt in the chain, from 1, and its code."""

    number: int
    code: str

    def __str__(self) -> str:
        return f"{self.number}-{self.code}"

    @classmethod
    def stored(cls, number: int, text: str) -> "Seal":
        """Return a seal of the chain as it stands there, whoever wrote it."""
        return cls(number, text.partition("-")[2])


FIRST = Seal(0, "")  # what the first receipt follows


@dataclass(frozen=True, slots=True)
class SealKeys:
    """The first key seals, all of them check."""

    keys: tuple[bytes, ...] = field(repr=False)

    def seal(self, number: int, *covered: str) -> Seal:
        mac = _mac(self.keys[0], MAC, "receipt", str(number), *covered)
        return Seal(number, mac + _mac(self.keys[0], CHECK, "seal", str(number), mac))

    def is_seal_of(self, seal: Seal, *covered: str) -> bool:
        """Whether a key of ours made this seal of exactly these texts."""
        macs = (_mac(key, MAC, "receipt", str(seal.number), *covered) for key in self.keys)
        return self.is_ours(seal) and any(_same(mac, seal.code[:MAC]) for mac in macs)

    def is_ours(self, seal: Seal) -> bool:
        checks = (_mac(key, CHECK, "seal", str(seal.number), seal.code[:MAC]) for key in self.keys)
        return any(_same(check, seal.code[MAC:]) for check in checks)

    def erasure(self, seal: Seal) -> str:
        """Return the mark of a receipt that was forgotten."""
        return _mac(self.keys[0], MAC, "erased", str(seal))

    def is_erasure(self, mark: str, seal: Seal) -> bool:
        return any(_same(_mac(key, MAC, "erased", str(seal)), mark) for key in self.keys)


def seal_from(text: str) -> Seal | None:
    """Read a seal as it is printed; None for anything else."""
    number, dash, code = text.strip().partition("-")
    is_seal = dash and number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS and number[0] != "0"
    return Seal(int(number), code) if is_seal and len(code) == MAC + CHECK else None


def fresh_keys() -> SealKeys:
    """Return a key for a store that nobody audits later."""
    return SealKeys((token_hex(32).encode(),))


def keys_in(path: Path) -> SealKeys:
    """Read the keys, one a line, and make one where there is no file. Raises ConfigError."""
    try:
        if not path.exists():
            _make(path)
        lines = read_regular(path, MOST_BYTES).split()
    except OSError as error:
        raise ConfigError(
            f"RECEIPT_KEY_FILE is {path}, which cannot be read or made ({error.strerror}); give a file with a key."
        ) from None
    if not lines or min(map(len, lines)) < SHORTEST:
        raise ConfigError(f"RECEIPT_KEY_FILE is {path}: write keys of {SHORTEST} characters or more there, one a line.")
    return SealKeys(tuple(lines))


def _make(path: Path) -> None:
    """Write a key at once and whole: another process may do the same."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.{token_hex(4)}")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(f"{token_hex(32)}\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(unfinished, path)
    finally:
        unfinished.unlink()


def _mac(key: bytes, digits: int, *parts: str) -> str:
    """Return an HMAC-SHA256 over texts; their lengths keep one from reaching into the next."""
    told = b"".join(b"%d:" % len(raw) + raw for raw in (part.encode("utf-8", "surrogatepass") for part in parts))
    return hmac.new(key, told, "sha256").hexdigest()[:digits]


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
