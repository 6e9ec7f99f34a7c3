"""Figures by construction: code writes each figure of a model's text.

A sentence stands when its slots have values, its own words claim nothing beyond the question and the names of the data,
and each figure stands with its row and column. Else the computed sentence takes its place.
"""

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from ai.answers.filled.belonging import stand_together
from ai.answers.filled.mentions import Mention, mentions_of
from ai.answers.filled.sheet import ResultSheet, SlotError
from ai.answers.filled.slots import SLOT, Token, token_of
from ai.language.claims import FILLED, PROVABLE, Language, claims_in, languages_of

SENTENCE = re.compile(
    r"(?:\{\{.*?\}\}|(?!\n)[^.!?。\uff01\uff1f\n]|[.!?](?=[^\s\"”»*_)\]]))+(?:[.!?。\uff01\uff1f]+[\"”»*_)\]]*)?\s*|\s+",
    re.DOTALL,
)
DIGITS = re.compile(r"[A-Za-z\u00c0-\u024f.,:/-]*\d[A-Za-z\u00c0-\u024f\d.,:/%-]*")
EDGES = " .,;:!?()[]{}*_\"'“”„»«。、\uff01\uff1f\uff08\uff09「」"
SUPPORT = {"more": "up", "less": "down", "up": "more", "down": "less"}


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A text with its figures. `unbound` names a fault of each lost sentence."""

    text: str
    unbound: tuple[str, ...] = ()


def written(
    text: str,
    sheet: ResultSheet,
    *,
    question: str = "",
    computed: str = "",
    said: Callable[[str], str] = str,
    shown: Callable[[str], str] = str,
) -> CheckedText:
    """Fill the slots; `said` escapes words for the surface, `shown` values."""
    known = languages_of(SLOT.sub(" ", text), question)
    spoken = known[0] if known else None
    local = _localised(sheet, spoken)
    kept: list[str] = []
    unbound: list[str] = []
    for sentence in (found.group() for found in SENTENCE.finditer(text)):
        try:
            parts = _filled(sentence, local, question, known)
            kept += [(shown if at % 2 else said)(part) for at, part in enumerate(parts)]
        except SlotError as wrong:
            if not unbound and computed:
                kept.append(computed.strip() + (_ending(sentence) or " "))
            unbound.append(str(wrong))
    whole = _balanced("".join(kept)).strip()
    return CheckedText(whole or computed.strip(), tuple(unbound))


def _localised(sheet: ResultSheet, spoken: Language | None) -> ResultSheet:
    """Write figures in the language of the text, in the asker's own locale where it is the same."""
    if spoken is None or spoken.code == "en":
        return replace(sheet, formats=tuple(replace(f, native=False) for f in sheet.formats))
    locale = sheet.locale if sheet.locale.startswith(spoken.code) else spoken.locale
    return replace(sheet, locale=locale, formats=tuple(replace(f, locale=locale, native=True) for f in sheet.formats))


def _filled(sentence: str, sheet: ResultSheet, question: str, known: tuple[Language, ...]) -> list[str]:
    """Return words and values by turns, or raise `SlotError`."""
    slots = [(found, _token(found, sheet, known[0] if known else None)) for found in SLOT.finditer(sentence)]
    tokens = [token for _, token in slots]
    bare = SLOT.sub(lambda found: FILLED * len(found.group()), sentence)
    mentions = mentions_of(bare, sheet)
    kinds = _check_words(bare, mentions, tokens, sheet, question, known)
    placed = sorted(
        [*((found.start(), token) for found, token in slots), *((each.start, each.token) for each in mentions)],
        key=lambda each: each[0],
    )
    _check_aggregates(slots, sentence, kinds, sheet, known)
    if wrong := stand_together([token for _, token in placed], sheet):
        raise SlotError(wrong)
    signed = not any(token.function in ("direction", "compare") for token in tokens)
    parts = SLOT.split(sentence)
    parts[1::2] = [_signed(token) if signed else token.text for token in tokens]
    if not parts[0].strip(EDGES) and tokens and tokens[0].function == "quantifier":
        parts[1] = parts[1][:1].upper() + parts[1][1:]
    return parts


def _token(found: re.Match[str], sheet: ResultSheet, spoken: Language | None) -> Token:
    try:
        return token_of(found[1].strip(), sheet, spoken)
    except SlotError:
        raise SlotError(found.group()) from None


def _signed(token: Token) -> str:
    """Write a change with a sign, for sentences without a direction."""
    if token.function != "change" or not token.value:
        return token.text
    return f"{'+' if token.value > 0 else '−'}{token.text}"


def _check_words(
    bare: str,
    mentions: list[Mention],
    tokens: list[Token],
    sheet: ResultSheet,
    question: str,
    known: tuple[Language, ...],
) -> set[str]:
    """Return the kinds of claiming words; raise for one from nowhere."""
    text = bare
    for each in mentions:
        text = text[: each.start] + " " * (each.end - each.start) + text[each.end :]
    if "{{" in text or "}}" in text:
        raise SlotError("{{")
    asked = _figures_in(question)
    limits = {limit for token in tokens for limit in _figures_in(token.limit)}
    for figure in _figures_in(text.replace(FILLED, " ")):
        if figure not in asked or (limits and figure not in limits):
            raise SlotError(figure)
    claims = claims_in(text, known)
    for start, end, kind in claims:
        if not _may_stand(text[start:end], kind, tokens, sheet, question):
            raise SlotError(text[start:end])
    return {kind for _, _, kind in claims} | {each.token.role for each in mentions}


def _figures_in(text: str) -> list[str]:
    return [found.group().strip(EDGES).casefold() for found in DIGITS.finditer(text)]


def _may_stand(word: str, kind: str, tokens: list[Token], sheet: ResultSheet, question: str) -> bool:
    """Whether the question says a claiming word and a slot bears it out."""
    said = re.search(rf"(?<!\w){re.escape(word)}(?!\w)" if word.isascii() else re.escape(word), question, re.IGNORECASE)
    borne = {claim for token in tokens for claim in _borne_out(token, sheet)}
    if kind == "per":
        return not any(token.function == "sum" for token in tokens)
    if kind in PROVABLE:
        return kind in borne and not (kind == "total" and any(token.function in ("max", "min") for token in tokens))
    if not said:
        return False
    rows = {token.rows for token in tokens if token.role == "figure" and not token.free}
    return kind == "number" or (kind in ("time", "month") and (len(sheet.rows) < 2 or not rows)) or kind in borne


def _borne_out(token: Token, sheet: ResultSheet) -> Iterator[str]:
    yield from token.claims
    if token.role == "pair" and token.value is not None:
        way = "up" if token.value > 0 else "down" if token.value else "flat"
        yield from (way, SUPPORT.get(way, "same"))
    if token.function in ("max", "min"):
        yield "high" if token.function == "max" else "low"
    if token.role == "figure" and not (token.function or sheet.cut or token.value is None) and len(token.rows) == 1:
        values = [row[token.column] for row in sheet.rows if row[token.column] is not None]
        if len(values) > 1 and min(values) < max(values):
            yield from ["high"] * (max(values) == sheet.rows[token.rows[0]][token.column])
            yield from ["low"] * (min(values) == sheet.rows[token.rows[0]][token.column])


def _check_aggregates(
    slots: Sequence[tuple[re.Match[str], Token]],
    sentence: str,
    kinds: Set[str],
    sheet: ResultSheet,
    known: tuple[Language, ...],
) -> None:
    """Raise for a mean not called one, a lone end, a part of another whole."""
    tokens = [token for _, token in slots]
    ends = {token.function for token in tokens} & {"max", "min"}
    labelled = any(token.role == "label" for token in tokens) or kinds & {"high", "low", "label"}
    for at, (found, token) in enumerate(slots):
        if token.free and token in tokens[:at]:
            raise SlotError(token.text)
        if token.function == "mean" and "mean" not in kinds:
            raise SlotError(token.text)
        if token.function in ends and len(ends) < 2 and not labelled and len(sheet.rows) > 1:
            raise SlotError(token.text)
        before, earlier = slots[at - 1] if at else (None, None)
        is_part = before is not None and _is_of(sentence[before.end() : found.start()], known)
        if is_part and earlier is not None and not _is_whole(token, earlier, sheet):
            raise SlotError(token.text)
        goes_on = any(language.of.match(sentence[found.end() :].lstrip(" *")) for language in known)
        told = any(each.role == "figure" and not each.free and each.column == token.column for each in tokens[:at])
        if token.function == "sum" and told and not is_part and ("total" not in kinds or goes_on):
            raise SlotError(token.text)


def _is_of(gap: str, known: tuple[Language, ...]) -> bool:
    words = gap.strip(" *_")
    return any(language.of.match(words) for language in known) and len(words.split()) <= 2


def _is_whole(whole: Token, part: Token, sheet: ResultSheet) -> bool:
    """Accept behind "of" a total of the first, or its neighbour in the only row."""
    if part.role != "figure" or whole.role != "figure" or part.value is None or whole.value is None:
        return True
    totals = whole.function in ("sum", "count") and whole.column == part.column and whole.rows != part.rows
    counted = whole.function == part.function == "count"
    cells = len(sheet.rows) == 1 and not whole.function and not part.function
    return (totals or counted or cells) and part.value <= whole.value


def _ending(sentence: str) -> str:
    return sentence[len(sentence.rstrip()) :]


def _balanced(text: str) -> str:
    """Drop bold marks without their other half."""
    return text if text.count("**") % 2 == 0 else text.replace("**", "")
