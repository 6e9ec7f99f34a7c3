"""What a sentence says about order without a number: who has the most, who ranks second, who is ahead, what rose.

A claim is wrong when the rows that it names contradict it in every column that it may be about. Claims about nothing that
is named are left alone: this finds contradictions, it proves nothing.
"""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import pairwise

from ai.answers.facts import Column
from ai.answers.fitting import fits, from_cell
from ai.answers.mentions import Mention
from ai.answers.pairs import value_of
from ai.answers.plain_text import Span
from ai.answers.scene import Scene

_HIGH = r"highest|most (?:expensive|costly)|most|largest|biggest|greatest|best(?:[ -]\w+)?|leads?|leading|leader|top(?!\s+(?:\d|two|three|four|five|ten))|first place|maximum|peaked|peaks?|number one|strongest|dominates|fastest-growing|busiest|priciest|longest|heaviest"
_LOW = r"lowest|fewest|least|smallest|minimum|worst(?:[ -]\w+)?|weakest|last place|cheapest|shortest|lightest|quietest|bottom(?!\s+(?:\d|two|three))"
_SUPERLATIVE = re.compile(
    rf"(?<!at )(?<!at the )\b(?:(?P<rank>second|third|fourth|fifth|2nd|3rd|4th|5th)[ -](?:place|(?P<rank_low>lowest|fewest|smallest|worst)|(?:highest|most|largest|biggest|best)(?:[ -]\w+)?)|(?:rank(?:s|ed)?|comes|came|is|placed|finished|sits)(?: in)? (?:the )?(?P<place>second|third|fourth|fifth|2nd|3rd|4th|5th)(?!\s+\w+est\b)(?: place)?(?=\s*(?:[,.;:(]|with|at|by|in|$))|(?P<high>{_HIGH})|(?P<low>{_LOW}))\b(?! of\b(?! the)| recent| likely)",
    re.IGNORECASE,
)
_ORDINALS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5}
_EXCEPT = re.compile(r"\b(?:after|behind|besides|except|excluding|apart from|aside(?: from)?|not|without|other than|unlike|if|neither|nor|until|than any|rather|changes?|growth|increase|gain|drop|decline|jump|fall|rise|improvement|difference|gap|one of|among)\b|n['’]t\b", re.IGNORECASE)  # fmt: skip
_AHEAD = re.compile(
    r"\b(?:followed by|ahead of|outsold|outsells|outperform\w*|beats?|surpass\w*|exceeds?|exceeded|leads(?! with)|overtook|tops)\b|\b(?:more|higher|larger|greater|bigger|better|longer|faster|above)\b(?:[^.;]{0,40}?)\bthan\b",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"\b(?:trails|trailed|lags|lagged|behind)\b|\b(?:less|fewer|lower|smaller|worse|shorter|cheaper)\b[^.;]{0,40}?\bthan\b", re.IGNORECASE)  # fmt: skip
_TREND = re.compile(
    r"\b(?:(?P<up>rise|grow|increase|climb|jump|rose|rises|risen|grew|grows|grown|increased|increases|climbed|climbs|jumped|surged|went up|up)|(?P<down>fall|drop|decline|decrease|slip|fell|falls|fallen|dropped|drops|declined|declines|decreased|decreases|slipped|dipped|shrank|slid|went down|down))\b",
    re.IGNORECASE,
)
_FROM_TO = re.compile(r"\s*(?:(?:in|for)\s+)?$")
_BARE = frozenset("common frequent popular at in with for by is are was were of on from and to the".split())
_IN_TERMS_OF = re.compile(r"^\s*(?:in|by|for)\s+(?:terms of\s+)?")
_ITS = re.compile(
    r"\b(?:its|their)\s+$|\b(?:hit|reached|is|was|are|were|remains)\s+(?:(?:an?|the)\s+)?$", re.IGNORECASE
)
_AT = re.compile(r"\s*,?\s*(?:at|with|\()\s*[$€£]?")
_LOSS = re.compile(r"\s*(?:[a-z-]+ )?(?:shortfall|loss|losses|deficit|decline|drop|decrease|fall|dip)\b", re.IGNORECASE)
_WINDOW = re.compile(r"[\s\w'’%$&/-]{0,60}?\b(?:for|in|is|was|by|from|at|were|are|went to|goes to|belongs to|of|came from)\s+(?:the\s+)?[\"“'(]*|[\s:(\"“—–-]*", re.IGNORECASE)  # fmt: skip


def wrong_claims(scene: Scene) -> Iterator[Span]:
    """The words of each claim that the result contradicts."""
    for check in (_superlatives, _orders, _trends):
        yield from check(scene)


def _superlatives(scene: Scene) -> Iterator[Span]:
    if scene.facts.held < 2 or scene.facts.held < scene.facts.row_count:
        return
    for found in _SUPERLATIVE.finditer(scene.text):
        start, end = scene.start + found.start(), scene.start + found.end()
        rest = scene.between(end, scene.end)
        lost = _LOSS.match(rest) and any(c.is_signed for c in scene.facts.measures)
        if _EXCEPT.search(scene.between(max(scene.start, start - 25), start)) or (
            _EXCEPT.match(rest.lstrip()) and not lost
        ):
            continue
        if found.group().lower() in ("most", "least") and not _is_about_a_measure(scene, end):
            continue
        nth = _ORDINALS[(found["rank"] or found["place"] or "second").lower()] if found["rank"] or found["place"] else 1
        low = bool(found["low"] or found["rank_low"]) != bool(lost)
        subjects = list(_subjects(scene, start, end))
        if subjects and not any(_is_nth(scene, m, nth, low, start, end) for m in subjects):
            yield Span(start, end, scene.between(start, end))


def _is_about_a_measure(scene: Scene, end: int) -> bool:
    """Whether "most" is of a column, or of what was said: "the most orders", "sold the most"; "the most punctual" is not."""
    after = re.match(r"\s*([\w-]+)(?:\s+([\w-]+))?", scene.between(end, scene.end))
    if after is None or after[1].lower() in _BARE:
        return True
    return bool(scene.named_columns(after.group()))


def _subjects(scene: Scene, start: int, end: int) -> Iterator[Mention]:
    """Who a superlative is about: who is named before it, or right after it with a word that links them."""
    before = [m for m in scene.mentions if m.end <= start]
    after = [m for m in scene.mentions if m.start >= end]
    nearest = [m for m in before if not any(n.start > m.start and n.column is m.column for n in before)]
    linked = [m for m in after if _WINDOW.fullmatch(scene.between(end, m.start)) and m.start == after[0].start]
    kinds = [c for c in scene.all_named(scene.between(start, end + 20)) if c in scene.facts.names]
    of_kind = [m for m in [*nearest, *after] if m.column in kinds]  # "its best quarter" is about quarters
    main = _main_column(of_kind or [*nearest, *after])
    passive = re.search(r"\b(?:led|topped|headed|followed|dominated)\b.{0,12}$", scene.between(scene.start, start))
    own = [m for m in nearest if m.column is main]
    joined = (
        [m for m in before if m.column is main]
        if re.search(r"\b(?:both|tie|tied|and)\b", scene.between(scene.start, start))
        else own
    )
    yield from [m for m in linked if m.column is main]
    if not passive and not (linked and _only_behind(scene, own, start)):
        yield from joined or ([] if linked else [m for m in after[:1] if m.column is main])


def _only_behind(scene: Scene, own: list[Mention], start: int) -> bool:
    """Whether the name before a superlative belongs to another part of the sentence."""
    return bool(own) and re.search(r"[,;]|\b(?:and|but|while)\b", scene.between(own[-1].end, start)) is not None


def _main_column(named: list[Mention]) -> Column | None:
    """The column whose names are compared: the one with the most different rows."""
    columns = {m.column.place: m.column for m in named}
    return max(columns.values(), key=lambda c: len({str(cell) for cell in c.cells}), default=None)


def _is_nth(scene: Scene, mention: Mention, nth: int, low: bool, start: int, end: int) -> bool:
    """Whether the rows of a name are the nth highest or lowest in some column, over all or within the other names."""
    scopes = [scene.facts.every_row, *(m.rows for m in scene.mentions if m.column is not mention.column)]
    for column in _measured(scene, mention, start, end):
        for scope in scopes:
            if mention.rows & scope and _rank(column, mention, scope, low) == nth:
                return True
    position = min(mention.rows) + 1 if len(mention.rows) == 1 else 0
    return not scene.facts.measures and position == nth and not low


def _measured(scene: Scene, mention: Mention, start: int, end: int) -> tuple[Column, ...]:
    """The columns that a place may be in: by the figure at it, by its words, by the figures of its name, or any."""
    rest = _IN_TERMS_OF.sub(" ", scene.between(end, min(scene.end, end + 40)))
    after = re.split(r"[,.;:(]|\b(?:and|with|for|in|at|is|was)\b", rest)[0]
    if direct := _told(scene, mention, end) or scene.named_columns(after):
        return direct
    since = max([scene.start, start - 40, *(m.end for m in scene.mentions if m.end <= start)])
    if (own := scene.named_columns(scene.between(since, start))) and _ITS.search(scene.between(since, start)):
        return own
    before = scene.named_columns(scene.between(max(scene.start, start - 40), start))
    if told := _told(scene, mention):
        return (*before, *told)
    return (*before, *scene.unnamed) if before else scene.facts.measures


def _told(scene: Scene, mention: Mention, end: int | None = None) -> tuple[Column, ...]:
    """The columns of the figures that are given for a name: right after a place, or those that no word tells better."""
    own = [n for n in scene.row_numerals if scene.rows_of(n) == (mention.rows,)]
    if end is None:
        of_name = [n for n in own if not scene.columns_of(n)] or own[: len(own) == 1]
    else:
        of_name = [n for n in own if _AT.fullmatch(scene.between(end, n.start))]
    cells = [(c, number, n) for n in of_name for c in scene.facts.measures if (number := value_of(c, mention.rows)) is not None]  # fmt: skip
    told = {c.place: c for c, number, n in cells if any(fits(n, said) for said in from_cell(number, c))}
    return tuple(told.values())


def _rank(column: Column, mention: Mention, scope: frozenset[int], low: bool) -> int:
    """The place of a name's rows among those of the other names of its column; equal values share a place."""
    groups: dict[str, set[int]] = {}
    for row in scope:
        groups.setdefault(str(mention.column.cells[row]), set()).add(row)
    own = next(iter(mention.rows & scope))
    sums = {name: value for name, rows in groups.items() if (value := value_of(column, frozenset(rows))) is not None}
    mine = sums.get(str(mention.column.cells[own]))
    if mine is None:
        return 0
    return 1 + sum((value < mine) if low else (value > mine) for value in sums.values())


def _orders(scene: Scene) -> Iterator[Span]:
    """Names in an order: "A is ahead of B", "A has fewer than B", "A, followed by B" and the like."""
    for place in {m.column.place for m in scene.mentions}:
        named = [m for m in scene.mentions if m.column.place == place]
        for first, second in pairwise(named):
            gap = scene.between(first.end, second.start)
            low = re.search(rf"\b(?:{_LOW})\b", scene.text, re.IGNORECASE) is not None
            ahead, behind = _AHEAD.search(gap), _BEHIND.search(gap)
            if bool(ahead) == bool(behind) or first.rows & second.rows or re.search(r"\bfrom\b|n['’]t|\bnot\b", gap):
                continue
            mark = -1 if behind or (low and ahead and "followed" in ahead.group()) else 1
            found = ahead or behind
            if found and not _some(scene, first, second, lambda a, b, mark=mark: (a - b) * mark >= 0, found.group()):  # type: ignore[misc]
                yield Span(first.end + found.start(), first.end + found.end(), found.group())


def _trends(scene: Scene) -> Iterator[Span]:
    """Trends with two ends: "it rose from January to March", "it fell from 120 to 100" and the like."""
    for found in _TREND.finditer(scene.text):
        rest = scene.text[found.end() : found.end() + 90]
        ends = re.search(r"\b(?:from|between)\b(.*?)\b(?:to|and)\b(.{0,40})", rest)
        if not ends:
            continue
        at = scene.start + found.end()
        up = 1 if found["up"] else -1
        values = [
            n.readings[0].value for n in scene.numerals if at + ends.start(1) <= n.start and n.end <= at + ends.end(2)
        ]
        dated = [
            m
            for m in scene.mentions
            if m.column.is_date and at + ends.start(1) <= m.start and m.end <= at + ends.end(2)
        ]
        wrong = len(values) >= 2 and (values[1] - values[0]) * up < 0
        if len(dated) >= 2 and not values and dated[0].rows != dated[1].rows:
            wrong = not _some(scene, dated[0], dated[1], lambda a, b, up=up: (b - a) * up >= 0, scene.text)  # type: ignore[misc]
        if wrong:
            yield Span(scene.start + found.start(), at, found.group())


def _some(scene: Scene, first: Mention, second: Mention, holds: Callable[[Decimal, Decimal], bool], hint: str) -> bool:
    """Whether something holds of two names in some column that the words may be about."""
    told = tuple(c for c in scene.named_columns(hint) if not scene.barely_named(c, hint))
    named = scene.named_columns(hint) or scene.named_columns(scene.text)
    columns = told or (*named, *scene.unnamed) or scene.facts.measures
    others = [m.rows for m in scene.mentions if m.column not in (first.column, second.column)]
    compared = False
    for column in columns:
        for scope in [scene.facts.every_row, *others]:
            one, two = value_of(column, first.rows & scope), value_of(column, second.rows & scope)
            if one is not None and two is not None:
                compared = True
                if holds(one, two):
                    return True
    return not compared
