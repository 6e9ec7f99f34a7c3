"""The change of the things shown: “which one grew the most?”."""

from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.comparison import comparison_of
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Having, Meaning, Order
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.figures.compared import between_times, checked_comparison, compared, grown
from ai.nl2sql.threads.fragments import Sketches, best_of
from ai.nl2sql.threads.referents import referent
from ai.nl2sql.threads.steps import Followed

WHICH_CHANGE = "I cannot pick the biggest change along time; I can show the change of each."


def changed_most(text: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Compare with the time named, else with that of the answer before, else with the one before."""
    most = signals.GREW.match(text)
    grew = most or signals.CHANGED.match(text)
    said = next(iter(read(text)), None) if grew else None
    if grew is None or said is None:
        return None
    earlier = [_of_those_shown(meaning, lexicon) for meaning in earlier]
    shown = earlier[0]
    if not shown.measures or shown.fold:
        return None
    whole = [replace(meaning, limit=None, offset=0) for meaning in earlier]
    if any(group.unit for group in shown.groups):
        along = grown(shown, said.today, lexicon)
        return Followed(None, problem=WHICH_CHANGE, choices=(along.meaning,) if along and along.meaning else ())
    if not shown.groups:
        return None
    if comparison_of(shown.measures):
        made: Followed | None = Followed(whole[0])
    elif grew["base"]:
        made = compared(grew["base"], best_of(read, grew["base"]), whole, lexicon)
    else:
        made = between_times(whole, said.today, lexicon) or grown(whole[0], said.today, lexicon)
    if made is None or made.meaning is None:
        return made
    change, is_down = made.meaning.measures[2], any(grew.groupdict().get(name) for name in ("down", "drop", "falls"))
    only = () if most else (Having(change, "<" if is_down else ">", 0),)
    ranked = replace(made.meaning, order=(Order(change, not is_down),), limit=1 if most else None)
    return checked_comparison(replace(ranked, havings=(*ranked.havings, *only)), lexicon)


def _of_those_shown(meaning: Meaning, lexicon: Lexicon) -> Meaning:
    """Return a ranking with its figure told, of the things that it shows: “which grew most” after the top 5."""
    figures = meaning.measures or (meaning.all_measures[:1] if meaning.groups else ())
    about = referent(meaning, lexicon) if (meaning.limit or 1) > 1 and not meaning.among else None
    among = (*meaning.among, about) if isinstance(about, Among) else meaning.among
    return replace(meaning, measures=figures, among=among)
