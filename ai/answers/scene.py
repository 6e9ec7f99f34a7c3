"""A sentence about a result, taken apart: its numbers, the rows and columns that it names, and the words that set the tone.

A scene knows, for each number, which rows it is said of and which columns it is of, as far as the sentence tells.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise

from ai.answers.cues import DOWN, UP
from ai.answers.facts import Column, Facts, stem
from ai.answers.fitting import Candidate, fits, from_cell, numbers_near
from ai.answers.mentions import Mention
from ai.answers.moments import Dated, moment_of
from ai.answers.numerals import Numeral
from ai.answers.units import same_family

_DIRECTION = re.compile(rf"\b(?:(?P<up>{UP})|(?P<down>{DOWN}))\b", re.IGNORECASE)
_LINK = re.compile(
    r"[\s\"'“(]*(?:(?!(?:and|but|while|whereas|versus|vs|than|then|with|compared|followed|ahead|behind|against|more|less|fewer)\b)[\w%€$’'-]+\s+){0,3}?"
    r"(?:in|for|from|by|of|on|at|via|are|were|is|through|to|under|using|during|goes to|went to|belongs? to)\s+(?:the\s+|an?\s+|its\s+|our\s+)?(?:\w+\s+)?[\"'“]*|[\s\"'“(]*",
    re.IGNORECASE,
)
_DIRECT = re.compile(
    r"(?:['’]s?)?[\s:=–—|,(\-\"”]*(?:(?:has|had|have|with|at|is|was|are|were|made|sold|got|recorded|reached|hit|of|saw|earned|generated|brought in|account(?:s|ed)? for|stands at|holds|only|about|around|roughly|nearly|over|just|a|an|total|the|exactly|contributed|and|which|that|posted|counts|shows|comes in|came in|scored|averaged|averages)\s+)*[$€£(]*",
    re.IGNORECASE,
)
_DIRECT_END = re.compile(_DIRECT.pattern + "$", re.IGNORECASE)
_BREAK = re.compile(
    r"[,;:.()|–—]|\b(?:and|but|while|with|at|from|versus|vs|than|compared|or|which|whereas|needs?|has|have|had|against|plus|per|for|on|by|to|across|each|over|since|when|an?|worth|the|next|last|this)\b",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\b(?:between|from|rang\w+)\s+\S{0,2}$", re.IGNORECASE)
_JOINED = re.compile(r"\W*(?:and|against|versus|vs\.?|compared (?:to|with)|to)?\W*", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+|%")
_ASIDE = re.compile(r"\s*\([^()]{1,30}\)")
_BY = re.compile(
    r"\bby\s+(?:about |around |roughly |nearly |almost |just |over |only |more than )?[$€£]?$", re.IGNORECASE
)


@dataclass(frozen=True)
class Scene:
    """A sentence: `start` and `end` are its places in the whole text, as those of all its parts."""

    facts: Facts
    whole: str
    start: int
    end: int
    mentions: tuple[Mention, ...]
    numerals: tuple[Numeral, ...]
    dated: tuple[Dated, ...]

    @cached_property
    def text(self) -> str:
        """Its words."""
        return self.whole[self.start : self.end]

    @cached_property
    def tone(self) -> str:
        """Its words without the names of rows: a row "Other" is not the rest."""
        letters = list(self.text)
        for start, end in ((m.start - self.start, m.end - self.start) for m in self.mentions):
            letters[start:end] = "_" * (end - start)
        return "".join(letters[: len(self.text)])

    def says(self, words: re.Pattern[str]) -> bool:
        """Whether it has some of these words, other than in names."""
        return words.search(self.tone) is not None

    def between(self, start: int, end: int) -> str:
        """The words from one place to another."""
        return self.whole[start:end]

    def direction(self, numeral: Numeral) -> int:
        """Up 1 or down -1 as the nearest words around a number say, none 0."""
        earlier = max((n.end for n in self.numerals if n.end <= numeral.start), default=self.start)
        later = min((n.start for n in self.numerals if n.start >= numeral.end), default=self.end)
        after = _DIRECTION.search(self.between(numeral.end, min(later, numeral.end + 28)))
        if after and not _BREAK.search(self.between(numeral.end, numeral.end + after.start())):
            return 1 if after["up"] else -1
        before = self.between(max(earlier, numeral.start - 60), numeral.start)
        found = [m for m in _DIRECTION.finditer(before) if not re.match(r"\s+than\s+\S*$", before[m.end() :])]
        return 0 if not found else 1 if found[-1]["up"] else -1

    @cached_property
    def row_numerals(self) -> tuple[Numeral, ...]:
        """The numbers that may say something of one row or of the rows of one name."""
        return tuple(n for n in self.numerals if self._of_rows(n))

    def rows_of(self, numeral: Numeral) -> tuple[frozenset[int], ...]:
        """The rows that a number may be of, one set for each way to understand it; () where the sentence does not tell."""
        chosen: list[list[Mention]] = []
        for place in sorted({m.column.place for m in self.mentions}):
            labels = [m for m in self.mentions if m.column.place == place]
            chosen.append(list(self._owners(numeral, labels)))
        options: list[frozenset[int]] = []
        sides: set[bool] = set()
        for owners in chosen:
            sets = [owner.rows for owner in owners]
            merged = [a & b for a in options for b in sets if a & b] if options else sets
            apart = len(sides | {owner.start < numeral.start for owner in owners}) > 1  # around it: either may be meant
            options = merged or ([*options, *sets] if apart else options or sets)
            sides |= {owner.start < numeral.start for owner in owners}
        return tuple(dict.fromkeys(options))

    def directly_of_a_row(self, numeral: Numeral) -> bool:
        """Whether a name stands right beside the number: "iOS has 5", "5 for iOS"."""
        return any(
            _DIRECT.fullmatch(self.between(m.end, numeral.start)) is not None
            if m.end <= numeral.start
            else m.start >= numeral.end and len(self.between(numeral.end, m.start).strip()) > 0
            and _LINK.fullmatch(self.between(numeral.end, m.start)) is not None
            for m in self.mentions
        )  # fmt: skip

    def columns_after(self, numeral: Numeral) -> tuple[Column, ...]:
        """The columns that the words right after a number name, or its unit."""
        said = [word for word in _WORD.findall(numeral.text)[-1:] if word.isalpha()]
        if (units := self._best(said)) or numeral.readings[0].unit:
            return units
        noun = self._noun(numeral)
        first = [c for c in self._best(noun[:1]) if len(_telling(c, self.facts)) == 1]
        return tuple(dict.fromkeys((*first, *self._best(noun))))  # "users pay" may be `users` or `paying_users`

    def columns_before(self, numeral: Numeral) -> tuple[Column, ...]:
        """The columns that the words before a number name, the nearest of them."""
        earlier = max((n for n in self.row_numerals if n.end <= numeral.start), key=lambda n: n.end, default=None)
        words = _WORD.findall(self.between(earlier.end if earlier else self.start, numeral.start))
        if earlier and words in (["and"], ["to"]) and _RANGE.search(self.between(self.start, earlier.start)):
            return self.columns_of(earlier)
        if earlier and self.columns_after(earlier):
            words = words[len(self._noun(earlier)) :]
        for place in range(len(words) - 1, -1, -1):
            if set(self._best(words[place : place + 1])) & set(self.facts.measures):
                return self._best(words[max(0, place - 2) : place + 1], needs=words[place])
        return ()

    def says_column_directly(self, numeral: Numeral) -> bool:
        """Whether a column's name stands right before the number, or right after: "revenue was 5", "5 in revenue"."""
        words = re.split(_DIRECT_END, self.between(self.start, numeral.start))[0]
        last = _WORD.findall(words)[-1:]
        return bool(
            self.columns_after(numeral) or self._in_order(numeral) or set(self._best(last)) & set(self.facts.measures)
        )

    @cached_property
    def unnamed(self) -> tuple[Column, ...]:
        """The columns of numbers that the sentence does not name by any word of their own."""
        stems = {stem(word) for word in _WORD.findall(self.text)}
        return tuple(c for c in self.facts.measures if not stems & _telling(c, self.facts))

    def are_joined(self, names: list[Mention]) -> bool:
        """Whether names stand in one list: "Berlin, Bonn and Kiel"."""
        gaps = [self.between(one.end, two.start) for one, two in pairwise(names)]
        return all(re.fullmatch(r"\W*(?:and|plus|as well as|&)?\W*", gap) for gap in gaps)

    def barely_names(self, numeral: Numeral, column: Column) -> bool:
        """Whether the words at a number say of a column's name but the thing it counts: "users" of `churned_users`."""
        earlier = max((n.end for n in self.numerals if n.end <= numeral.start), default=self.start)
        return self.barely_named(column, " ".join([*self._noun(numeral), self.between(earlier, numeral.start)]))

    def barely_named(self, column: Column, text: str) -> bool:
        """The same for some words."""
        telling = _telling(column, self.facts)
        said = telling & {stem(word) for word in _WORD.findall(text)}
        return len(telling) > 1 and said == {stem(column.words[-1])} and not column.unit

    def names_column(self, column: Column) -> bool:
        """Whether some word of the sentence is one that tells a column from others."""
        return bool(_telling(column, self.facts) & {stem(word) for word in _WORD.findall(self.text)})

    def _noun(self, numeral: Numeral) -> list[str]:
        """The words right after a number, and after brackets there, up to where another thought begins."""
        aside = _ASIDE.match(self.between(numeral.end, self.end))
        at = numeral.end + aside.end() if aside else numeral.end
        later = min((n.start for n in self.numerals if n.start >= at), default=self.end)
        rest = self.between(at, later)
        stop = _BREAK.search(rest)
        return _WORD.findall(rest[: stop.start()] if stop else rest)[:4]

    def columns_of(self, numeral: Numeral) -> tuple[Column, ...]:
        """The columns that a number may be of; () where the sentence does not tell."""
        found: tuple[Column, ...] = ()
        for way in (
            self._in_order(numeral),
            self.columns_after(numeral),
            self._of_unit(numeral),
            self.columns_before(numeral),
        ):
            both = tuple(c for c in way if c in found)
            found = both if len(found) > 1 and both else found or way
        return found

    def _in_order(self, numeral: Numeral) -> tuple[Column, ...]:
        """Columns and then numbers, as many and in the same order: "cost exceeded revenue: 45 against 42"."""
        run = next((run for run in self._number_runs if numeral in run), [])
        earlier = max((n.end for n in self.numerals if n.end <= run[0].start), default=self.start) if run else 0
        words = _WORD.findall(self.between(earlier, run[0].start)) if len(run) > 1 else []
        named = dict.fromkeys(c for word in words for c in self._best([word]) if c in self.facts.measures)
        return (list(named)[run.index(numeral)],) if run and len(named) == len(run) else ()

    @cached_property
    def _number_runs(self) -> tuple[list[Numeral], ...]:
        """Numbers with nothing but "and" or the like between them."""
        runs: list[list[Numeral]] = []
        for numeral in self.row_numerals:
            joined = runs and _JOINED.fullmatch(self.between(runs[-1][-1].end, numeral.start))
            runs[-1].append(numeral) if joined else runs.append([numeral])
        return tuple(runs)

    def _of_unit(self, numeral: Numeral) -> tuple[Column, ...]:
        unit = numeral.readings[0].unit
        return tuple(c for c in self.facts.measures if c.unit and unit and same_family(c.unit, unit))

    def named_columns(self, text: str) -> tuple[Column, ...]:
        """The columns of numbers that some words name best."""
        return tuple(c for c in self._best(_WORD.findall(text)) if c in self.facts.measures)

    def all_named(self, text: str) -> tuple[Column, ...]:
        """The columns of any kind that some words name best."""
        return self._best(_WORD.findall(text))

    def _best(self, words: list[str], needs: str = "") -> tuple[Column, ...]:
        stems = {stem(word) for word in words}
        score = {c.place: len(stems & _telling(c, self.facts)) for c in self.facts.columns}
        for column in self.facts.columns:
            if (named := column.named_moment) and any(m and m.agrees(named) for m in map(moment_of, words)):
                score[column.place] += 1
        if needs:
            score = {place: n for place, n in score.items() if stem(needs) in _telling(self.facts.columns[place], self.facts) or self.facts.columns[place].named_moment}  # fmt: skip
        most = max(score.values(), default=0)
        return tuple(self.facts.columns[place] for place, n in score.items() if n == most) if most else ()

    def _of_rows(self, numeral: Numeral) -> bool:
        if _BY.search(self.between(self.start, numeral.start)):
            return False
        cells = (
            c for column in self.facts.measures for n in numbers_near(numeral, column) for c in from_cell(n, column)
        )
        if any(fits(numeral, c, -1 if c.value < 0 else 0) for c in cells):
            return True
        is_share = any(reading.kind == "percent" for reading in numeral.readings)
        return is_share and any(fits(numeral, share) for share in self._shares)

    @cached_property
    def _shares(self) -> tuple[Candidate, ...]:
        totals = [(column, self.facts.of_all(column).sum) for column in self.facts.measures]
        return tuple(Candidate(100 * n / total, "percent") for column, total in totals if total for n in column.known)

    def _owners(self, numeral: Numeral, labels: list[Mention]) -> Iterable[Mention]:
        """The names that a number goes with, of one column: by place in a list, by the words between, by nearness."""
        runs = _runs(labels, [n for n in self.row_numerals if n is not numeral] + [numeral])
        at = next(i for i, run in enumerate(runs) if numeral in run)
        place, before, after = runs[at].index(numeral), runs[:at][-1:], runs[at + 1 : at + 2]
        size = len(runs[at])
        earlier = [m for m in (before[0] if before else []) if isinstance(m, Mention)]
        later = [m for m in (after[0] if after else []) if isinstance(m, Mention)]
        if size > 1 and len(earlier) == size:
            return earlier[place : place + 1]
        if size > 1 and not earlier and len(later) == size:
            return later[place : place + 1]
        linked = later and place == size - 1 and _LINK.fullmatch(self.between(numeral.end, later[0].start))
        if later and (not earlier or (linked and not (at == 1 and _alternating(runs)))):
            return later[:1]
        if not earlier:
            return ()
        joined = len(earlier) > 1 and size == 1
        return earlier if joined else earlier[-1:]


def _runs(labels: list[Mention], figures: list[Numeral]) -> list[list[Mention | Numeral]]:
    """Names and numbers in their order, each run of names and each run of numbers together."""
    items: list[Mention | Numeral] = sorted([*labels, *figures], key=lambda item: item.start)
    return [list(run) for _, run in groupby(items, lambda item: isinstance(item, Mention))]


def _alternating(runs: list[list[Mention | Numeral]]) -> bool:
    """Whether each name is followed by its own numbers to the end: name, number, name, number."""
    return len(runs) % 2 == 0 and len(runs) > 2 and isinstance(runs[0][0], Mention)


_GENERIC = frozenset(map(stem, "total number count counts num n of the avg average mean sum id name value values amount per by in and max min median pct percent percentage share rate top all".split()))  # fmt: skip


def _telling(column: Column, facts: Facts) -> frozenset[str]:
    """The words of a column's name that tell it from others; its generic words count only beside those."""
    own = column.stems - _GENERIC
    alike = [c for c in facts.columns if c is not column and c.stems - _GENERIC == own]
    return own | column.stems if alike and own else own or (column.stems if len(facts.measures) > 1 else frozenset())
