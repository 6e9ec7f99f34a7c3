"""Reads what a message wants exported: the last result, a described one, a question, or several. Pure."""

import re
from dataclasses import dataclass, replace
from typing import Literal

from ai.agents.wishes.polite import POLITE
from ai.memory.search import place_of, places_of
from ai.results.files import FileKind

Subject = Literal["result", "question"]
FORMAT = r"(?:csv|xlsx?|parquet|excel|(?:google )?(?:spread)?sheet|workbook|file|download)s?"
OTHER = r"(?:pdf|json|xml|tsv|html|markdown|word|docx?|power ?point|pptx?|slide|image|google doc)s?"
AS = r"\b(?:as|to|in|into|via)(?: an?| one| the)?(?: single| nice| new)?"
AS_OTHER = re.compile(rf"{AS} (?P<format>{OTHER})\b(?: {FORMAT})?", re.IGNORECASE)
AS_FORMAT = re.compile(
    rf"[ ,]*{AS}(?: {FORMAT})+\b(?: of\b)?|[ ,]*{AS_OTHER.pattern}"
    rf"|\b(?:an? |the )?{FORMAT}(?: {FORMAT})* (?:of|for|with|from)\b|[ ,]*\b(?:csv|xlsx?|parquet|excel)"
    rf"(?: {FORMAT})*\b"
    rf"|(?<=\bthe )(?:file|(?:spread)?sheet)$|^(?:an? |the )?{FORMAT}$",
    re.IGNORECASE,
)
OPENING = re.compile(
    rf"^{POLITE}(?:(?:i(?:'d| would)? (?:want|need|like)(?: to)?|let me|can i (?:have|get)|how do i|i|we|you)\b ?)*"
    r"(?:(?:(?:re-?)?export|download|save|send|share|give|get|grab|pull|dump|write|show|put|make|create|have|want|need"
    r"|turn)\b ?)*"
    r"(?:(?:me|us|over)\b ?)*",
    re.IGNORECASE,
)
CLOSING = re.compile(
    r"(?:[ ,]*\b(?:please|pls|thanks?(?: you)?|now|again|too|also|instead|then|(?:for|with|to) (?:me|us)))*[?.! ]*$",
    re.I,
)
FILE = re.compile(r"\b(?:export|download|csv|xlsx?|parquet|excel|(?:spread)?sheet|workbook|file)", re.IGNORECASE)
PARQUET = re.compile(r"\bparquet\b", re.IGNORECASE)
EXCEL = re.compile(r"\b(?:xlsx?|excel|workbook|(?:spread)?sheets?)\b", re.IGNORECASE)
ALL_ROWS = re.compile(
    r"\b(?:all|every)(?: of)?(?: the| its| their)? (?:rows?|data|results?)\b|\beverything\b"
    r"|\b(?:full|complete|entire|whole) (?:result|data|set|list|table|export)\b",
    re.IGNORECASE,
)
BEHIND = re.compile(
    r"\b(?:rows?|records?|lines?|data|details?|entries|raw data)(?: that (?:are|were|is|lie|lies|stand|stands))? "
    r"(?:behind|underneath|underlying|beneath|under|that make up)\b"
    r"|\b(?:underlying|raw|detail(?:ed)?|individual|single) (?:rows?|records?|data|lines?|entries)\b",
    re.IGNORECASE,
)
ONE_BOOK = re.compile(r"\b(?:one|a single|the same) (?:excel |xlsx )?(?:workbook|file|excel|spreadsheet|xlsx)\b", re.I)
EVERY = re.compile(r"(?:each|every)\b|everything (?:from|in|of) this thread", re.IGNORECASE)
POINTING = frozenset(
    "this that it these those them the result results data table rows row list answer all everything last latest "
    "previous above same of for from and now full whole complete entire every again here a an one".split()
)
POINTED_ROWS = re.compile(
    r"(?:this|that|it|these|those|them|the (?:result|table|list|rows))(?:,| but| and)? "
    r"(?!of\b|for\b|from\b|about\b)(?P<steps>.+)",
    re.IGNORECASE,
)
STEP = re.compile(r"(?:without|excluding|except|sorted|ordered|only the columns?)\b", re.IGNORECASE)
LISTED = re.compile(
    r"^(?:the |a |an )?(?:full |complete |whole )?(?:list|table) (?:of|with) | (?:data )?table$", re.IGNORECASE
)
NUMBER = re.compile(r"\bquery \d+\b", re.IGNORECASE)  # of a query, as buttons say it
NAMED = (
    re.compile(rf"^(?P<what>{NUMBER.pattern})$", re.IGNORECASE),
    re.compile(r"^(?:the )?(?:results?|answer|query) (?:of|for|about|from|to) (?P<what>.+)$", re.IGNORECASE),
    re.compile(
        r"^(?:the |that |your )?(?P<what>.+?) (?:one|ones|results?|query|answer)(?: from before| above)?$", re.I
    ),
)


@dataclass(frozen=True, slots=True)
class ExportWish:
    """A wish for files. `subject` tells whether `what` describes an earlier result or asks for data; "" is the last."""

    kind: FileKind
    what: str = ""
    subject: Subject = "result"
    steps: str = ""  # words about the rows of the last result: “without the id column”
    all_rows: bool = False
    behind: bool = False
    several: tuple[int, ...] | None = None  # the places of results in the thread, () for all of it, None for one
    instead_of: str = ""  # a format that is not made: “pdf”

    @property
    def is_of_kept_rows(self) -> bool:
        return not (self.what or self.all_rows or self.behind)


def export_wish(text: str) -> ExportWish:
    other = AS_OTHER.search(text)
    wish = _wish(text)
    return replace(wish, instead_of=other["format"].lower()) if other else wish


def _wish(text: str) -> ExportWish:
    kind: FileKind = "parquet" if PARQUET.search(text) else "xlsx" if EXCEL.search(text) else "csv"
    said = " ".join(text.split())
    rest = _plain(said)
    if (several := _several(said, rest)) is not None:
        return ExportWish(kind, several=several)
    if BEHIND.search(said):
        number = NUMBER.search(said)
        return ExportWish(kind, number.group() if number else "", behind=True)
    whole = ALL_ROWS.search(said) is not None
    if _points(rest):
        return ExportWish(kind, all_rows=whole)
    if place_of(rest) is not None:
        return ExportWish(kind, rest, all_rows=whole)
    if found := next(filter(None, (pattern.match(rest) for pattern in NAMED)), None):
        return ExportWish(kind, found["what"], all_rows=whole)
    if steps := _about_the_rows(rest):
        return ExportWish(kind, steps=steps, all_rows=whole)
    subject: Subject = "question" if FILE.search(said) else "result"
    return ExportWish(kind, LISTED.sub("", rest), subject, all_rows=whole)


def _several(text: str, plain: str) -> tuple[int, ...] | None:
    """Return the places of several results, () for all of the thread, None for one: “all results” are rows of it."""
    places = places_of(plain)
    if places or (places is not None and (ONE_BOOK.search(text) or EVERY.match(plain))):
        return places
    return None


def _plain(text: str) -> str:
    """Return the words without the wish for a file around them."""
    bare = CLOSING.sub("", OPENING.sub("", AS_FORMAT.sub("", CLOSING.sub("", text)).strip(" ,")))
    return bare.strip(" ,:")


def _points(text: str) -> bool:
    return all(word.lower() in POINTING for word in re.findall(r"[\w'-]+", text))


def _about_the_rows(text: str) -> str:
    """Return what is wanted of the rows pointed at, "" where the words point at none."""
    found = POINTED_ROWS.match(text)
    return found["steps"] if found else text if STEP.match(text) else ""
