"""Reads what a message wants drawn: a result or a question's answer, its kind, and changes of a chart. Pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Literal

from ai.agents.wishes.exports import NUMBER
from ai.agents.wishes.polite import POLITE
from ai.charts.design import ChartEdits, Grain
from ai.language.numbers import COUNT, number_of

Subject = Literal["result", "question", "chart"]
NOUN = r"(?:charts?|graphs?|plots?|diagrams?|visuali[sz]ations?|pictures?)"
OPENING = re.compile(
    rf"^{POLITE}(?:(?:i(?:'d| would)? (?:want|need|like)(?: to)?(?: see| have)?|let me see|let'?s|how about|what about"
    r"|try|make|give|show|get|have|see|put|turn|change|switch|render|display|use|do)\b ?(?:me |us |it |that |this )?"
    r"(?:(?:in)?to )?)*",
    re.IGNORECASE,
)
VERB = re.compile(rf"^{POLITE}(?:plot|chart|graph|draw|visuali[sz]e)\b(?: (?:me|us|out))?\b ?", re.IGNORECASE)
CLOSING = re.compile(
    r"(?:[ ,]*\b(?:please|pls|thanks?(?: you)?|now|again|too|also|instead|then|for me|rather))*[?.! ]*$", re.I
)
LYING, STANDING = r"horizontal(?:ly)?|sideways|lying", r"vertical(?:ly)?|upright|standing"
KINDS: tuple[tuple[str, ChartEdits], ...] = (
    (r"stacked(?: (?:bars?|columns?|areas?))?", ChartEdits(stacked=True)),
    (
        r"(?:grouped|side[- ]by[- ]side|clustered|unstacked|not stacked)(?: (?:bars?|columns?))?",
        ChartEdits(stacked=False),
    ),
    (r"small multiples|(?:small |separate )?panels|facets|trellis", ChartEdits(kind="small_multiples")),
    (r"(?:pie|donut|doughnut|ring)s?", ChartEdits(kind="pie")),
    (r"histograms?", ChartEdits(kind="histogram")),
    (r"scatter ?(?:plots?)?|dots?(?: plots?)?|x[ -]?y", ChartEdits(kind="scatter")),
    (r"(?:trend ?)?lines?|curves?|areas?|time ?series", ChartEdits(kind="line")),
    (rf"(?:{LYING}) (?:bars?|columns?)", ChartEdits(kind="bar", standing=False)),
    (rf"(?:{STANDING}) (?:bars?|columns?)", ChartEdits(kind="bar", standing=True)),
    (r"(?:simple |sorted )?(?:bars?|columns?)", ChartEdits(kind="bar")),
)
AS = r"(?:as|into|in|with|using|to)(?: an?| the)?(?: simple| nice)? "
OF = r"(?:,? (?:of|for|showing|with|from)\b)"
ALONE = re.compile(r"histogram|pie|scatter|small multiples")  # nothing else is called so
FRAMES = (
    r"(?:histograms?|pies?|donuts?|doughnuts?|scatter(?: ?plots?)?|small multiples|facets|(?:small |separate )?panels)"
)
FRAMED = re.compile(rf"^(?:an? )?{FRAMES}(?:{OF}|\s*[:,–-])|[,;:–-]\s*(?:an? )?{FRAMES}$", re.IGNORECASE)
EACH = re.compile(
    r"^(?:an?|one|separate)(?: (?:little|small|separate|tiny|own))? (?:panel|chart|graph|plot)s? "
    r"(?:per|for each|for every) (?P<key>[\w ]+?)(?:,| with| of| showing) (?:the |its |their )?(?P<what>.+)$",
    re.IGNORECASE,
)  # “a panel per country with installs by week”
ONE = r"(?:chart|graph|plot|diagram)"
PLAIN = re.compile(
    rf"\b(?:as|in|into|with|using)(?: an?| one)? {ONE}\b|^(?:an? |another |one )?{ONE}\b{OF}?|\ban? {NOUN}{OF}", re.I
)
LOG = re.compile(rf"(?:{AS}|on an? |use an? )?(?:log|logarithmic)(?:[ -](?:scale|axis|y))?\b", re.IGNORECASE)
LINEAR = re.compile(
    rf"(?:{AS}|on an? )?(?:linear (?:scale|axis)|(?:no|without)(?: the| an?)? log(?:arithmic)?(?: scale)?)\b", re.I
)
AXES = re.compile(
    rf"(?P<turned>(?:flip|swap|switch|rotate|turn|change|exchange|invert|transpose)(?: (?:the|its|this|that|it))*"
    rf"(?: (?:axes|axis|x(?:[ -]axis)?(?: and |[/& ]+)(?:the )?y(?:[ -]axis)?|(?:bars?|columns?|{NOUN}))"
    r"(?: a?round| over)?| a?round| sideways)|(?:flip|transpose)(?: it| that| this)?)"
    rf"|(?:(?:make|turn|draw|show|with|as|it|them|the|bars?|columns?) )*(?:(?P<lying>{LYING})|"
    rf"(?P<standing>{STANDING}))",
    re.IGNORECASE,
)
AXIS = re.compile(rf"\bax[ei]s\b|\bx\b|\b{NOUN}\b|\b(?:bars?|columns?)\b", re.IGNORECASE)
SHARES = re.compile(rf"(?:{AS})?(?:shares|percentages?|percent|100 ?%|parts of (?:the )?whole)\b", re.IGNORECASE)
POINTING = frozenset(
    "this that it these those them the result results data table numbers figures figure last previous above same "
    "answer all everything for of and here a an one rows chart graph plot from".split()
)
GRAINS: dict[str, Grain] = {
    "day": "day", "days": "day", "daily": "day", "week": "week", "weekly": "week", "month": "month", "monthly": "month",
    "quarter": "quarter", "quarterly": "quarter", "year": "year", "yearly": "year", "annually": "year",
    "annual": "year",
}  # fmt: skip
# “and last year?” names a time, not how fine the axis is.
TIME = re.compile(r"(?:this|that|last|previous|the same|same) (?:day|week|month|quarter|year)\b", re.IGNORECASE)
BY = re.compile(rf"(?:(?:by|per|each|every) (?:the )?)?(?P<grain>{'|'.join(GRAINS)})", re.IGNORECASE)
TOP = re.compile(
    rf"(?:only |just )?(?:the )?top (?P<top>{COUNT})"
    r"(?: ones)?(?P<rest>(?:,? and| \+|,| plus| with)(?: the| all| an?)? (?:rest|others?|remaining"
    r"|remainder))?(?: only)?",
    re.I,
)
WITHOUT = re.compile(
    r"(?:without|excluding|except|leave out|drop|hide|remove|minus|exclude|ignore) (?:the )?(?P<names>.+?)(?: ones)?",
    re.IGNORECASE,
)
ONLY = re.compile(r"(?:only|just|keep) (?:the )?(?P<names>.+?)(?: ones)?", re.IGNORECASE)
AGAIN = re.compile(
    r"(?:show |with )?(?:all|everything|everyone)(?: of them)?(?: again| back)?|with (?:all|everything)", re.IGNORECASE
)
FIRST_WORD = re.compile(r"[\s,]*([\w'-]+)[\s,]*")
LISTED = re.compile(r",? and |, | & ")
SPLIT = re.compile(
    r",? and (?=without|only|just|top|the top|by|per|as|on|log|stacked)"
    r"|, (?=without|only|top|by|as|on|log|stacked)| (?=without )",
    re.I,
)


@dataclass(frozen=True, slots=True)
class ChartWish:
    """A wish for a chart. `what` is a question or an earlier query, `outright` if the words alone say so."""

    edits: ChartEdits
    subject: Subject = "result"
    what: str = ""
    outright: bool = True


def chart_wish(text: str) -> ChartWish | None:
    """Return the wish, None for a message about something else."""
    said = CLOSING.sub("", " ".join(text.split()))
    bare = VERB.sub("", said)
    has_verb = bare != said
    asked = EACH.sub(r"small multiples of \g<what> per \g<key>", bare)
    edits, rest, named = _looks(asked if has_verb else OPENING.sub("", asked))
    outright = has_verb or named
    rest = CLOSING.sub("", rest.strip(" ,:"))
    if turn := AXES.fullmatch(bare):
        standing = None if turn["turned"] else bool(turn["standing"])
        return ChartWish(
            ChartEdits(standing=standing, turned=bool(turn["turned"])), "chart", outright=bool(AXIS.search(bare))
        )
    if number := NUMBER.search(rest):
        return ChartWish(edits, "result", number.group()) if outright else None
    changes = _changes(rest)
    if changes is not None:
        edits = _merged(edits, changes)
        return ChartWish(edits, "result" if has_verb else "chart", outright=outright) if outright or edits else None
    if not outright or _is_aside(asked, has_verb=has_verb):
        return None
    return ChartWish(edits, "question", rest.strip(" ,:"))


def _is_aside(text: str, *, has_verb: bool) -> bool:
    """Tell words such as "stacked" within a question about something else."""
    return not (
        has_verb
        or FRAMED.search(OPENING.sub("", text))
        or re.search(NOUN, text, re.IGNORECASE)
        or re.search(rf"\b{AS}|^an? ", text, re.IGNORECASE)
    )


def _looks(text: str) -> tuple[ChartEdits, str, bool]:
    """Take out the words for how to draw; say whether there were any."""
    edits, rest = ChartEdits(), text
    for pattern, is_log in ((LINEAR, False), (LOG, True)):
        if found := pattern.search(rest):
            edits, rest = replace(edits, log=is_log), _out(rest, found)
    for words, kind in KINDS:
        named = re.compile(rf"(?:\b{AS})?(?:\ban? )?\b(?:{words}) {NOUN}\b{OF}?", re.IGNORECASE)
        bare = re.compile(rf"\b{AS}(?:{words})\b|^(?:an? )?(?:{words})$", re.IGNORECASE)
        of = re.compile(rf"^(?:an? )?(?:{words})(?:{OF}|\s*[:,–-])", re.IGNORECASE)
        alone = ALONE.search(words)
        end = re.compile(rf"\s*[,;:–-]\s*(?:an? )?(?:{words})$", re.IGNORECASE)
        found = named.search(rest) or bare.search(rest) or (of.search(rest) or end.search(rest) if alone else None)
        if found:
            edits, rest = _merged(edits, kind), _out(rest, found)
    found = PLAIN.search(rest)
    return edits, _out(rest, found) if found else rest, bool(edits) or found is not None


def _out(text: str, found: re.Match[str]) -> str:
    return " ".join(f"{text[: found.start()]} {text[found.end() :]}".split())


def _changes(text: str) -> ChartEdits | None:
    """Return the changes that words make of what is pointed at, None if they say more."""
    if AGAIN.fullmatch(text):
        return ChartEdits(all_again=True)
    if TIME.fullmatch(text):
        return None
    while (word := FIRST_WORD.match(text)) and word[1].lower() in POINTING:
        text = text[word.end() :]
    edits = ChartEdits()
    for part in filter(None, SPLIT.split(text)):
        made = next((edit for rule in CHANGES if (edit := rule(part.strip(" ,"))) is not None), None)
        if made is None:
            return None
        edits = _merged(edits, made)
    return edits


def _by(text: str) -> ChartEdits | None:
    found = BY.fullmatch(text)
    return ChartEdits(grain=GRAINS[found["grain"].lower()]) if found else None


def _top(text: str) -> ChartEdits | None:
    found = TOP.fullmatch(text)
    count = number_of(found["top"]) if found else None
    return None if count is None or found is None or count < 1 else ChartEdits(top=int(count), rest=bool(found["rest"]))


def _without(text: str) -> ChartEdits | None:
    found = WITHOUT.fullmatch(text)
    return ChartEdits(without=_named(found)) if found else None


def _only(text: str) -> ChartEdits | None:
    found = ONLY.fullmatch(text)
    return ChartEdits(only=_named(found)) if found else None


def _shares(text: str) -> ChartEdits | None:
    return ChartEdits(shares=True) if SHARES.fullmatch(text) else None


def _again(text: str) -> ChartEdits | None:
    return ChartEdits(all_again=True) if AGAIN.fullmatch(text) else None


def _named(found: re.Match[str]) -> tuple[str, ...]:
    return tuple(name.strip(" \"'“”").casefold() for name in LISTED.split(found["names"]) if name.strip())


CHANGES: tuple[Callable[[str], ChartEdits | None], ...] = (_by, _top, _without, _only, _shares, _again)


def _merged(one: ChartEdits, other: ChartEdits) -> ChartEdits:
    values = ((field, getattr(other, field.name)) for field in fields(other))
    return replace(one, **{field.name: value for field, value in values if value != field.default})
