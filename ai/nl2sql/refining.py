"""Refine an answer by choosing among the parts of its meaning.

Only choices with an answer are offered. They are said in words with exact names, and so read back
as chosen: “refine query 12: per “platform”; show “the 5 highest””.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from ai.nl2sql import choices
from ai.nl2sql.additivity import held, settled
from ai.nl2sql.chart.figures import additive
from ai.nl2sql.checks import complaint
from ai.nl2sql.choices import MeaningPart, Option
from ai.nl2sql.echo import conditions
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Group, Meaning
from ai.nl2sql.threads.figures.compared import beside_time_before

Picks = Mapping[str, Sequence[str]]  # the names chosen for each part that changes
NOTHING = "nothing"
SHARE, BESIDE = "share", "beside"
OF_TOTAL, TIME_BEFORE = "of the total", "the time before"
UNFIT = "These choices do not go together: {}"
UNKNOWN = "“{}” can no longer be chosen here; press Refine again."
UNSUMMED = "the figure does not add up over this time."
SAID = re.compile(r"^refine query (?P<number>\d+): (?P<parts>.+)$", re.IGNORECASE | re.DOTALL)
PART = re.compile(r"(?P<name>\w+) (?P<names>nothing|“[^”]*”(?:, “[^”]*”)*)(?:; |$)")
TOLD = {
    "figure": "{}", "time": "{}", "per": "by {}", "only": "only where {}", "show": "{}",
    "share": "as shares {}", "beside": "compared with {}",
}  # fmt: skip
PARTS: Mapping[str, Callable[[Meaning, Lexicon, date], MeaningPart | None]] = {
    "figure": lambda meaning, lexicon, _: choices.figures(meaning, lexicon),
    "time": choices.times,
    "only": lambda meaning, lexicon, _: choices.tests(meaning, lexicon),
    "per": lambda meaning, lexicon, _: choices.groups(meaning, lexicon),
    "show": lambda meaning, lexicon, _: choices.orders(meaning, lexicon),
}
LEFT = {"only": "conditions", "per": "groups"}
QUOTED = re.compile(r"“([^”]*)”")


def parts_of(meaning: Meaning, lexicon: Lexicon, today: date) -> tuple[MeaningPart, ...]:
    """Return the parts with a choice left, each with its answerable choices."""
    if meaning.fold or meaning.stands_apart or meaning.within or meaning.series or meaning.last:
        return ()
    return tuple(part for part in _fitting(meaning, lexicon, today) if len(part.options) > 1 - part.many)


def _fitting(meaning: Meaning, lexicon: Lexicon, today: date) -> Iterator[MeaningPart]:
    for part in _parts(meaning, lexicon, today):
        bare = part.clear(meaning) if part.clear else meaning
        fits = [o for o in part.options if o.name in part.kept or not _wrong(o.change(bare), lexicon, today)]
        yield replace(part, options=tuple(option for option in fits if "”" not in option.name))


def _parts(meaning: Meaning, lexicon: Lexicon, today: date, wanted: Collection[str] = tuple(TOLD)) -> list[MeaningPart]:
    found = (PARTS[name](meaning, lexicon, today) for name in PARTS if name in wanted)
    return [part for part in found if part is not None]


def further(
    meaning: Meaning, lexicon: Lexicon, today: date, wanted: Collection[str] = (SHARE, BESIDE)
) -> list[MeaningPart]:
    """Return what an answer can be turned into as a whole."""
    if not {SHARE, BESIDE} & set(wanted):
        return []
    if meaning.fold or meaning.stands_apart or meaning.series or meaning.last or meaning.havings or meaning.among:
        return []
    if len(meaning.measures) != 1 or meaning.measures[0].less:
        return []
    found = (*_share(meaning, lexicon), *_beside(meaning, lexicon, today))
    return [part for part in found if part.name in wanted]


def _share(meaning: Meaning, lexicon: Lexicon) -> list[MeaningPart]:
    """Return the shares of a figure that adds up over groups without a row in two of them."""
    (measure,) = meaning.measures
    fits = meaning.groups and not (meaning.share or meaning.within or meaning.distinct) and additive(lexicon, measure)
    if not fits or held(measure, lexicon) or not all(_parts_rows(group, meaning, lexicon) for group in meaning.groups):
        return []
    return [MeaningPart(SHARE, (Option(OF_TOTAL, lambda before: before.changed(share=True)),), ())]


def _parts_rows(group: Group, meaning: Meaning, lexicon: Lexicon) -> bool:
    path = lexicon.links.path(meaning.root, group.table)
    return path is not None and not any(link.many for link in path)


def _beside(meaning: Meaning, lexicon: Lexicon, today: date) -> list[MeaningPart]:
    both = None if meaning.share or meaning.limit else beside_time_before(meaning, today, lexicon)
    return [MeaningPart(BESIDE, (Option(TIME_BEFORE, lambda _: both),), ())] if both else []


def refined(meaning: Meaning, picks: Picks, lexicon: Lexicon, today: date) -> Meaning | str:
    """Return the meaning with these choices, or why there is none."""
    parts = [*_parts(meaning, lexicon, today, picks), *further(meaning, lexicon, today, picks)]
    for part in parts:
        known = {option.name: option.change for option in part.options}
        meaning = part.clear(meaning) if part.clear else meaning
        for name in picks[part.name]:
            if name not in known:
                return UNKNOWN.format(name)
            meaning = known[name](meaning)
    why = _wrong(meaning, lexicon, today)
    return UNFIT.format(f"{why[0].lower()}{why[1:]}") if why else meaning


def _wrong(meaning: Meaning, lexicon: Lexicon, today: date) -> str:
    """Return why a meaning cannot be answered as it stands, "" when it can."""
    found = settled(meaning, lexicon, today)
    if found.problem or found.choices or found.meaning != meaning:
        return found.problem or UNSUMMED
    return complaint(meaning, lexicon) or ""


def untouched(meaning: Meaning, lexicon: Lexicon) -> str:
    """Return the conditions outside of all parts, in words."""
    return conditions(replace(meaning, filters=(), periods=()), lexicon)


def told(picks: Picks) -> str:
    """Return choices as people read them: “by month, only where country is Japan”."""
    joined = {part: " and ".join(names) for part, names in picks.items()}
    return ", ".join(TOLD[part].format(names) if names else f"without {LEFT[part]}" for part, names in joined.items())


def in_words(number: int, picks: Picks) -> str:
    """Return the message that asks for these choices."""
    said = (f"{part} {', '.join(f'“{name}”' for name in names) or NOTHING}" for part, names in picks.items())
    return f"refine query {number}: {'; '.join(said)}"


def read_back(text: str) -> tuple[int, Picks] | None:
    """Return the query and the choices of a message, None for any other message."""
    found = SAID.match(text.strip())
    if found is None:
        return None
    said = list(PART.finditer(found["parts"]))
    if "".join(part[0] for part in said) != found["parts"]:
        return None
    return int(found["number"]), {part["name"]: QUOTED.findall(part["names"]) for part in said}
