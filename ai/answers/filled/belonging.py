"""Hold each figure of a sentence to its row and its column.

Names and figures are cut into groups in the order of the sentence: "Berlin 20, Bonn 29", "20 in Berlin and 29 in
Bonn". A sentence without such groups is not proved.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ai.answers.filled.sheet import ResultSheet
from ai.answers.filled.slots import Token

MOST = 24  # names and figures of a sentence that are looked at
ENDS = ("max", "min")  # of one row, though no row is named


def stand_together(tokens: Sequence[Token], sheet: ResultSheet) -> str:
    """Return the text of a misplaced slot, "" if all stand well."""
    figures = [token for token in tokens if token.role in ("figure", "pair")]
    if not figures:
        return ""
    if len(tokens) > MOST:
        return tokens[MOST].text
    by_row = [token for token in tokens if token.role in ("label", "figure")]
    if any(token.role == "label" for token in by_row):
        by_row = [replace(token, free=token.free and token.function not in ENDS) for token in by_row]
    by_row = [token for token in by_row if not _is_end(token, tokens)]
    by_column = [token for token in tokens if token.role in ("column", "figure", "pair")]
    rows_fit = len(sheet.rows) == 1 or not any(t.role == "figure" for t in by_row) or _cut(by_row, _is_row_group)
    columns_fit = all(t.role != "column" for t in by_column) or _cut(by_column, _is_column_group)
    pairs_fit = all(_pair_fits(at, tokens) for at, token in enumerate(tokens) if token.role == "pair")
    return "" if rows_fit and columns_fit and pairs_fit else figures[0].text


def _is_end(figure: Token, tokens: Sequence[Token]) -> bool:
    """A start or end of a change needs no label unless labels tell the two apart."""
    if figure.role != "figure" or figure.function:
        return False
    pairs = [t for t in tokens if t.role == "pair" and t.column == figure.column and set(figure.rows) <= set(t.rows)]
    labels = [token.rows for token in tokens if token.role == "label"]
    return any(all((pair.rows[0] in rows) == (pair.rows[1] in rows) for rows in labels) for pair in pairs)


Group = Callable[[Sequence[Token], Sequence[Token]], bool]


def _cut(tokens: Sequence[Token], fits: Group, before: tuple[Token, ...] = ()) -> bool:
    """Whether the tokens form groups; `before` are already cut off."""
    if not tokens or (fits is _is_row_group and _is_tail(tokens, before)) or _is_in_turn(tokens, fits):
        return True
    sizes = range(len(tokens), 0, -1)
    return any(fits(tokens[:n], before) and _cut(tokens[n:], fits, (*before, *tokens[:n])) for n in sizes)


def _is_row_group(group: Sequence[Token], before: Sequence[Token]) -> bool:
    figures = [token for token in group if token.role == "figure"]
    labels = [token for token in group if token.role == "label"]
    if len(group) == 1 and figures and figures[0].free:
        return True
    if not figures:
        return False
    bound = [figures[0], *(figure for figure in figures[1:] if not figure.free)]
    columns = {label.column for label in labels}
    carried = [label for label in before if label.role == "label" and label.column not in columns]
    last = {label.column: label for label in carried}
    rows = _meant([*labels, *last.values()])
    return bool(labels) and all(set(figure.rows) == rows for figure in bound)


def _meant(labels: Sequence[Token]) -> set[int]:
    """Return the rows of "Berlin and Bonn" (either) or "Berlin in May" (both)."""
    by_column: dict[int, set[int]] = {}
    for label in labels:
        by_column.setdefault(label.column, set()).update(label.rows)
    return set.intersection(*by_column.values()) if by_column else set()


def _is_tail(tokens: Sequence[Token], before: Sequence[Token]) -> bool:
    """Accept labels alone at the end, "ahead of Bonn", but not behind a share: "40 % of Bonn"."""
    named = any(token.role == "label" for token in before)
    return named and before[-1].function != "share" and all(token.role == "label" for token in tokens)


def _is_in_turn(tokens: Sequence[Token], fits: Group) -> bool:
    """Accept "Berlin and Bonn have 20 and 29"."""
    half = len(tokens) // 2
    first, second = tokens[:half], tokens[half:]
    names = [token.role in ("label", "column") for token in tokens]
    if half < 2 or len(tokens) % 2 or len(set(names[:half])) > 1 or names[:half] == names[half:]:
        return False
    return len(set(names[half:])) == 1 and all(fits(pair, ()) for pair in zip(first, second, strict=True))


def _is_column_group(group: Sequence[Token], _before: Sequence[Token]) -> bool:
    columns = {token.column for token in group}
    return len(columns) == 1 and any(token.role != "column" for token in group)


def _pair_fits(at: int, tokens: Sequence[Token]) -> bool:
    """Check the labels and figures around a change or comparison."""
    pair, old, new = tokens[at], *tokens[at].rows
    around = [(place, token) for place, token in enumerate(tokens) if token.role == "label"]
    told = {row for token in tokens if token.role in ("figure", "pair") for row in token.rows}
    if any(not told & set(label.rows) for _, label in around):
        return False
    olds = [place for place, label in around if old in label.rows and new not in label.rows]
    news = [place for place, label in around if new in label.rows and old not in label.rows]
    if pair.function == "compare":
        return bool(olds and news) and olds[0] < at < news[0]
    if pair.function == "difference" and bool(olds) != bool(news):
        return False
    if olds and news and (olds[0] < at < news[0] or (olds[0] > news[0] and not news[0] < at < olds[0])):
        return False
    ways = [token for token in tokens if token.role == "pair" and token.function == "direction"]
    before = [token for token in tokens[:at] if token in ways] or ways
    if before and (before[-1].rows, before[-1].column) != (pair.rows, pair.column):
        return False
    return _ends_fit(
        [token.rows for token in tokens[:at] if token.role == "figure" and token.column == pair.column],
        [token.rows for token in tokens[at:] if token.role == "figure" and token.column == pair.column],
        pair,
    )


def _ends_fit(before: Sequence[tuple[int, ...]], after: Sequence[tuple[int, ...]], pair: Token) -> bool:
    """Expect the start before a change, the end behind it, or both behind it."""
    old, new = pair.rows
    if len(after) >= 2:
        return old in after[0] and new in after[1]
    if after:
        return new in after[0] and (not before or old in before[-1])
    return len(before) < 2 or (old in before[-2] and new in before[-1])
