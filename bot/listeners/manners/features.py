"""The features of a message: its wording by patterns, its place in the thread, and what follows from both."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from ai.language.remarks import in_full, is_agreed

US = ""  # who said a line of ours
LONG_PAUSE = 120.0  # minutes
LATELY = 3  # lines of people that a message may continue
MENTIONS_US = "@datathread"
OFFERED = re.compile(r"\?(?:\n- .+)+\s*$")  # a question back with its choices
COMMON = frozenset(
    "a an the of to in on at for and or is are was were be been it its this that these those with by per as we i "
    "you he she "
    "they our your their do does did have has had not no so if but from up out about than then there here what "
    "which who how "
    "many much when where why can could will would should me my us them his her ok yes just only all more last "
    "week month "
    "year day today now".split()
)
PICKS = re.compile(
    r"(?:the |option |number |no\.? ?|#)*"
    r"(?:[1-4]|first|second|third|fourth|last|1st|2nd|3rd|4th)(?: one| option)?[.)! ]*",
    re.IGNORECASE,
)
LAUGHED = re.compile(r"\b(?:lol|lmao|rofl|ha(?:ha)+|heh(?:e|eh)*)\b", re.IGNORECASE)
Features = dict[str, bool]


@dataclass(frozen=True, slots=True)
class Line:
    """One message of a thread; `who` is `US` for the bot."""

    who: str
    text: str


def features(thread: Sequence[Line], said: Line, minutes: float) -> Features:
    if not LAUGHED.search(said.text):  # what people laugh about is among them
        said = replace(said, text=in_full(said.text))
    found = {"always": True} | _place(thread, said, minutes) | _words(thread, said)
    for row in _rows():
        found[row.name] = row.holds(said.text, found)
    return found


def _place(thread: Sequence[Line], said: Line, minutes: float) -> Features:
    since = _lines_since(thread)
    last = thread[-1] if thread else None
    ours = [line.text for line in thread if line.who == US]
    mentioned = [line.who for line in thread if MENTIONS_US in line.text]
    return {
        "after us": last is not None and last.who == US,
        "one line since": since == 1,
        "two lines since": since >= 2,
        "offered": last is not None and last.who == US and OFFERED.search(last.text) is not None,
        "open question": bool(ours) and "?" in ours[-1][-40:],
        "somebody asked": last is not None and last.who not in (US, said.who) and "?" in last.text,
        "goes on": last is not None and last.who == said.who,
        "alone with us": all(line.who in (US, said.who) for line in thread),
        "asked us before": bool(mentioned) and mentioned[-1] == said.who,
        "long pause": minutes > LONG_PAUSE,
    }


def _lines_since(thread: Sequence[Line]) -> int:
    """Count what people said since our last line."""
    return next((at for at, line in enumerate(reversed(thread)) if line.who == US), len(thread))


def _words(thread: Sequence[Line], said: Line) -> Features:
    """Say how long a message is, whom it names, and whose words it takes up."""
    count = len(said.text.split())
    own = _content(said.text)
    data = {word for line in thread if _is_about_data(line) for word in _content(line.text)}
    people = {word for line in thread[-LATELY:] for word in _content(line.text)} - data
    return {
        "picks": PICKS.fullmatch(said.text.strip()) is not None or is_agreed(said.text),
        "one word": count == 1,
        "two to four words": 2 <= count <= 4,
        "four words at most": count <= 4,
        "five words at most": count <= 5,
        "six words at most": count <= 6,
        "eight words": count >= 8,
        "fourteen words": count >= 14,
        "names somebody": _names(thread, said, r"(?:^|\W)@?{}\b"),
        "speaks to somebody": _names(thread, said, r"^\W*(?:hey |hi |ok |and )?@?{}\b[ ,:]|,\s*{}\s*\?"),
        "shares words": any(word in data for word in own),
        "shares half": 2 * sum(word in data for word in own) >= max(1, len(own)),
        "takes up people's words": 2 * sum(word in people for word in own) >= max(1, len(own)),
    }


def _is_about_data(line: Line) -> bool:
    return line.who == US or MENTIONS_US in line.text


def _content(text: str) -> list[str]:
    found = re.findall(r"[^\W\d_]+|\d[\d.,]*", text.lower())
    return [word.rstrip("s") for word in found if word not in COMMON and len(word) > 2]


def _names(thread: Sequence[Line], said: Line, pattern: str) -> bool:
    people = {line.who for line in thread if line.who != US}
    people |= {name for line in thread for name in re.findall(r"@(\w+)", line.text) if f"@{name}" != MENTIONS_US}
    others = {name for name in people if name.lower() != said.who.lower()}
    return any(re.search(pattern.replace("{}", re.escape(name)), said.text, re.IGNORECASE) for name in others)


@dataclass(frozen=True, slots=True)
class FeatureRule:
    """A feature: a pattern, or others that must all or partly hold, those with "-" the other way round."""

    name: str
    says: re.Pattern[str] | None = None
    all: tuple[str, ...] = ()
    any: tuple[str, ...] = ()

    def holds(self, text: str, found: Mapping[str, bool]) -> bool:
        if self.says is not None:
            return self.says.search(text) is not None
        combine = all if self.all else any
        return combine(found[name.removeprefix("-")] != name.startswith("-") for name in self.all or self.any)


@cache
def _rows() -> list[FeatureRule]:
    lines = files("bot.listeners.manners").joinpath("features.jsonl").read_text("utf-8").splitlines()
    return [
        FeatureRule(
            row["name"],
            re.compile(row["says"], re.IGNORECASE) if "says" in row else None,
            tuple(row.get("all", ())),
            tuple(row.get("any", ())),
        )
        for row in map(json.loads, lines)
    ]
