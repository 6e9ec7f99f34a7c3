"""Schema linking: the tables and columns a question is about, within a budget of tokens.

Tables and columns are found by words (BM25), then by keys. The budget goes to many tables with their best columns
first. Tables differing in digits of the name only are one family.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import nlargest
from math import log

from ai.language.words import name_parts, telling_stems
from ai.sql.catalog.structure import Catalog, Column, Table

Count = Callable[[str], int]

BREADTH = 0.8  # share of the budget for many tables with few columns
FEW = 1  # columns of a table that come with it, keys before others where none matches
COMMENT_WORDS, VALUE_WORDS = 12, 30
K1, B_TABLE, B_COLUMN = 1.2, 0.75, 0.3
COLUMN_WEIGHT, NAME_WEIGHT, BEST_COLUMNS = 0.4, 1.4, 6
NEIGHBOURS_OF, NEIGHBOUR_WEIGHT, RANK_LOSS = 12, 0.35, 0.05
TYPE_LETTERS = 12
# what makes a column worth its tokens, beside the words of the question
NEAR_TABLE, JOINS_ANOTHER, NAMES_ROWS, IS_KEY = 0.8, 0.6, 0.5, 0.3
FARTHER = 0.15  # less worth for each table before its own
NAMING = (("id",), ("name",), ("title",), ("key",), ("code",))
TEXTS = re.compile("char|text|string|clob|enum", re.IGNORECASE)
DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Linked:
    """What a question is about; `others` are the tables beyond the budget, the likeliest first."""

    tables: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]
    text: str
    tokens: int
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Family:
    """Tables with equal columns and names differing in digits or in one affix; `table` is the first."""

    table: Table
    members: tuple[str, ...]
    keys: frozenset[str]


class _Texts:
    """BM25 over a fixed set of texts."""

    def __init__(self, texts: Sequence[Sequence[str]], b: float) -> None:
        mean = sum(map(len, texts)) / max(1, len(texts)) or 1
        holders: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, text in enumerate(texts):
            norm = K1 * (1 - b + b * len(text) / mean)
            for word, times in Counter(text).items():
                holders[word].append((number, times * (K1 + 1) / (times + norm)))
        self._holders = {
            word: (log(1 + (len(texts) - len(found) + 0.5) / (len(found) + 0.5)), found)
            for word, found in holders.items()
        }

    def scores(self, words: Iterable[str]) -> dict[int, float]:
        found: dict[int, float] = defaultdict(float)
        for word in words:
            weight, holders = self._holders.get(word, (0.0, []))
            for number, part in holders:
                found[number] += weight * part
        return found


class Linker:
    def __init__(self, catalog: Catalog, count: Count) -> None:
        self._count = lru_cache(maxsize=200_000)(count)
        self._families = _families(catalog)
        tables = [family.table for family in self._families]
        self._columns = [(n, column) for n, table in enumerate(tables) for column in table.columns]
        self._by_name = _Texts([telling_stems(_shown(table.name)) for table in tables], B_TABLE)
        self._by_all = _Texts([_words_of_table(table) for table in tables], B_TABLE)
        self._by_column = _Texts([_words_of_column(column, 2) for _, column in self._columns], B_COLUMN)
        self._neighbours = _neighbours(self._families)

    def link(self, question: str, budget: int) -> Linked:
        """Link a question to at most `budget` tokens of lines `table(column type, …)`."""
        asked = telling_stems(question)
        column_scores = self._by_column.scores(asked)
        of_table: dict[int, dict[str, float]] = defaultdict(dict)
        for number, score in column_scores.items():
            owner, column = self._columns[number]
            of_table[owner][column.name] = score
        ranked = self._ranked(asked, of_table)
        chosen = self._broad(ranked, of_table, int(budget * BREADTH))
        self._deepened(chosen, of_table, budget)
        found = self._linked(chosen, budget)
        names = (self._families[number].table.name for number in ranked)
        return replace(found, others=tuple(name for name in names if name not in found.tables))

    def _ranked(self, asked: Sequence[str], of_table: dict[int, dict[str, float]]) -> list[int]:
        best = {n: sum(nlargest(BEST_COLUMNS, scores.values())) for n, scores in of_table.items()}
        score: dict[int, float] = defaultdict(float)
        for part, weight in (
            (self._by_all.scores(asked), 1.0),
            (best, COLUMN_WEIGHT),
            (self._by_name.scores(asked), NAME_WEIGHT),
        ):
            most = max(part.values(), default=0.0) or 1.0
            for number, value in part.items():
                score[number] += weight * value / most
        first = nlargest(NEIGHBOURS_OF, score, key=lambda n: (score[n], -n))
        base = {n: score[n] for n in first}
        for rank, number in enumerate(first):
            for other in self._neighbours[number]:
                score[other] += NEIGHBOUR_WEIGHT * base[number] / (1 + rank * RANK_LOSS)
        return sorted(range(len(self._families)), key=lambda n: (-score[n], n))

    def _broad(
        self, ranked: list[int], of_table: dict[int, dict[str, float]], budget: int
    ) -> dict[int, dict[str, None]]:
        chosen: dict[int, dict[str, None]] = {}
        for number in ranked:
            family, scores = self._families[number], of_table[number]
            names = [column.name for column in family.table.columns]
            first = sorted(names, key=lambda name: (-scores.get(name, 0.0), name not in family.keys))[:FEW]
            cost = self._cost(number, first)
            if cost > budget:
                break
            budget -= cost
            chosen[number] = dict.fromkeys(first)
        return chosen

    def _deepened(self, chosen: dict[int, dict[str, None]], of_table: dict[int, dict[str, float]], budget: int) -> None:
        """Spend what is left on the likeliest columns of the chosen tables."""
        left = budget - sum(self._cost(number, names) for number, names in chosen.items())
        worth = self._worths(list(chosen), of_table)
        for number, name in sorted(worth, key=lambda place: -worth[place]):
            column = self._families[number].table.column(name)
            if column is None or name in chosen[number]:
                continue
            cost = self._count(f", {_line_part(column)}")
            if cost <= left:
                left -= cost
                chosen[number][name] = None

    def _worths(self, ranked: Sequence[int], of_table: dict[int, dict[str, float]]) -> dict[tuple[int, str], float]:
        """Weigh columns by the words asked, by their table, and by what joins it or names its rows."""
        most = max((score for number in ranked for score in of_table[number].values()), default=0.0) or 1.0
        holders: dict[str, list[int]] = defaultdict(list)
        for rank, number in enumerate(ranked):
            for column in self._families[number].table.columns:
                holders[column.name.lower()].append(rank)
        found: dict[tuple[int, str], float] = {}
        for rank, number in enumerate(ranked):
            family, near = self._families[number], 1 / (1 + rank * FARTHER)
            for column in family.table.columns:
                others = [other for other in holders[column.name.lower()] if other != rank]
                worth = of_table[number].get(column.name, 0.0) / most + near * NEAR_TABLE
                worth += near * IS_KEY * (column.name in family.keys)
                worth += near * JOINS_ANOTHER * bool(others) / (1 + min(others, default=0) * FARTHER)
                worth += near * NAMES_ROWS * (name_parts(column.name)[-1:] in NAMING)
                found[number, column.name] = worth
        return found

    def _linked(self, chosen: dict[int, dict[str, None]], budget: int) -> Linked:
        """Render the choice, dropping the last tables until it fits."""
        numbers = list(chosen)
        while True:
            text = "\n".join(self._line(number, chosen[number]) for number in numbers)
            tokens = self._count(text) if text else 0
            if tokens <= budget or not numbers:
                break
            numbers.pop()
        return Linked(
            tuple(name for number in numbers for name in self._families[number].members),
            tuple(
                (self._families[number].table.name, column.name)
                for number in numbers
                for column in self._families[number].table.columns
                if column.name in chosen[number]
            ),
            text,
            tokens,
        )

    def _cost(self, number: int, names: Iterable[str]) -> int:
        return self._count(self._line(number, names) + "\n")

    def _line(self, number: int, names: Iterable[str]) -> str:
        family, shown = self._families[number], set(names)
        first, last = _shown(family.members[0]), _shown(family.members[-1])
        name = first if len(family.members) == 1 else f"{first} … {last}"
        return f"{name}({', '.join(_line_part(c) for c in family.table.columns if c.name in shown)})"


def _words_of_table(table: Table) -> list[str]:
    columns = (word for column in table.columns for word in _words_of_column(column, 1))
    return [*telling_stems(_shown(table.name)) * 3, *telling_stems(table.comment), *columns]


def _words_of_column(column: Column, weight: int) -> list[str]:
    values = [word for value in column.values[:VALUE_WORDS] for word in telling_stems(value)]
    return [*telling_stems(column.name) * weight, *telling_stems(column.comment)[:COMMENT_WORDS], *values[:VALUE_WORDS]]


def _families(catalog: Catalog) -> list[_Family]:
    found: dict[tuple[str, tuple[str, ...]], list[Table]] = defaultdict(list)
    for table in catalog.tables:
        found[DIGITS.sub("#", table.name), tuple(column.name for column in table.columns)].append(table)
    return [
        _Family(
            tables[0],
            tuple(table.name for table in tables),
            frozenset(tables[0].primary_key) | {name for key in tables[0].foreign_keys for name in key.columns},
        )
        for tables in _with_copies(found)
    ]


def _with_copies(families: dict[tuple[str, tuple[str, ...]], list[Table]]) -> Iterator[list[Table]]:
    """Put copies such as `shadow_orders` or `orders_archive` behind the table they copy."""
    alike: dict[frozenset[str], list[list[Table]]] = defaultdict(list)
    for (_, columns), tables in families.items():
        alike[frozenset(columns)].append(tables)
    for group in alike.values():
        heads: list[list[Table]] = []
        for tables in sorted(group, key=lambda each: len(each[0].name)):
            head = next((head for head in heads if _is_copy(tables[0].name, head[0].name)), None)
            if head is None:
                heads.append(tables)
            else:
                head.extend(tables)
        yield from heads


def _is_copy(name: str, of: str) -> bool:
    """Whether a name is another one with a word before or behind it."""
    return name.endswith(f"_{_shown(of)}") or name.startswith(f"{of}_")


def _neighbours(families: list[_Family]) -> dict[int, set[int]]:
    number_of = {name: number for number, family in enumerate(families) for name in family.members}
    found: dict[int, set[int]] = defaultdict(set)
    for number, family in enumerate(families):
        for key in family.table.foreign_keys:
            if (other := number_of.get(key.target_table)) is not None:
                found[number].add(other)
                found[other].add(number)
    return found


def _shown(name: str) -> str:
    return name.rpartition(".")[2]


def _line_part(column: Column) -> str:
    """Return a column with its type, none for texts."""
    return column.name if TEXTS.search(column.type) else f"{column.name} {column.type[:TYPE_LETTERS]}".strip()
