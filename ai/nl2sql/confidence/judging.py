"""How likely a reading is right: its features by the weights learned by `benchmarks/abstaining.py`."""

import json
import re
from collections.abc import Sequence
from functools import cache, partial
from math import exp
from pathlib import Path
from typing import Literal, NamedTuple

from ai.nl2sql.confidence import costs, picks
from ai.nl2sql.confidence.derivation import Derivation
from ai.nl2sql.confidence.edits import changes_nothing
from ai.nl2sql.confidence.features import FEATURES, Feature
from ai.nl2sql.confidence.plain_edits import is_plain_edit, narrows_a_list
from ai.nl2sql.confidence.results import LENGTHS, READ, RESULTS, adds_to_none, for_each, gives_nothing, gives_zero
from ai.nl2sql.confidence.sayings import WANTING, lacks, numbers_lost
from ai.nl2sql.confidence.shapes import repeats_kinds

WEIGHTS = Path(__file__).with_name("weights.json")
FARTHEST = 4.0  # standard deviations; beyond, a value counts no more
# Less likely readings are asked back once their result is known; a message in a thread leans on one that was read.
ASKED_BELOW, ASKED_BELOW_IN_THREADS = 0.75, 0.63
EDIT_ASKED_BELOW = 0.55  # of 48 edits between, 42 were right with the companies
CERTAIN = 1.0
LONGEST_LIST = 500  # rows; of more, people rather want the number
HOPELESS = 0.4  # asked back without running
CLEAR = 0.3  # how much dearer another reading of a plain question must be
PLAIN = 0.9  # how likely a plain question is read right at least
DOUBTED = 0.6  # unless the weights say less: on public sets 10 of 27 such were right

WHETHER = re.compile(r"(?:and |so )?(?:any|are there|is there|did any|do any|were there|was there)\b", re.IGNORECASE)
ASKING = re.compile(r"(?:how|what|which|who|when|where)\b", re.IGNORECASE)
POINTING = frozenset("it its they them their those these that this same ones one he she his her him then".split())

DOUBTFUL: tuple[Feature, ...] = (
    numbers_lost, picks.shows_open_days, picks.bare_rows, picks.nullable_days, picks.short_values,
    picks.days_of_verbs, repeats_kinds, *(partial(lacks, name) for name in WANTING),
)  # fmt: skip


class Weight(NamedTuple):
    """The weight of a feature for each standard deviation from its mean."""

    feature: Feature
    weight: float
    mean: float
    scale: float

    def of(self, made: Derivation) -> float:
        """Return what it adds for a reading."""
        return self.weight * max(-FARTHEST, min(FARTHEST, (self.feature(made) - self.mean) / self.scale))


@cache
def weights(kind: Literal["alone", "threads"]) -> tuple[float, tuple[Weight, ...]]:
    """Return the bias and the weights of messages alone, or in threads."""
    kept = json.loads(WEIGHTS.read_text("utf-8"))[kind]
    found = (Weight(FEATURES[name], *numbers) for name, numbers in kept["features"].items())
    return float(kept["bias"]), tuple(found)


def weights_of(made: Derivation) -> tuple[float, tuple[Weight, ...]]:
    return weights("alone" if _is_whole(made) else "threads")


def confidence(made: Derivation) -> float:
    """Return the probability of a reading being right, by its result too where it is known."""
    chance = weighed(made, *weights_of(made))
    plain = is_plain_edit(made) or (chance >= DOUBTED and is_plain(made))
    return round(max(chance, PLAIN) if plain else chance, 3)


def weighed(made: Derivation, bias: float, found: Sequence[Weight]) -> float:
    """Return the probability by these weights."""
    return 1 / (1 + exp(-bias - sum(weight.of(made) for weight in telling(made, found))))


def telling(made: Derivation, found: Sequence[Weight]) -> Sequence[Weight]:
    """Return the weights that count: of a known result, but not the length of a sure list."""
    if made.result is None:
        return [weight for weight in found if weight.feature not in RESULTS]
    if WHETHER.match(made.text) and _is_exact(made):
        return [weight for weight in found if weight.feature not in (gives_nothing, gives_zero)]  # “no” is an answer
    one_each = for_each(made) and (len(made.meaning.groups) == 1 or bool(made.meaning.within))
    is_long = made.result.row_count > READ and (one_each or narrows_a_list(made))
    is_sure = made.result.row_count <= LONGEST_LIST and (is_long or _is_list(made))
    return [weight for weight in found if weight.feature not in LENGTHS] if is_sure else found


def _is_exact(made: Derivation) -> bool:
    """Whether every word is an exact name, or grammar."""
    return costs.dearest_part(made) < costs.SURE and not costs.guesses(made) and not costs.places_left(made)


def _is_list(made: Derivation) -> bool:
    """Whether rows are surely listed: the sentence counts them, too."""
    meaning = made.meaning
    listed = bool(meaning.columns) and not (meaning.all_measures or meaning.distinct or meaning.groups)
    return listed and _is_exact(made) and bool(meaning.filters or meaning.periods)


def is_plain(made: Derivation) -> bool:
    """Whether a whole question has exact names, all of them used; nine of ten such are read right."""
    if not _is_whole(made) or costs.dearest_part(made) >= costs.SURE:
        return False
    if gives_nothing(made) and made.meaning.periods:
        return False
    if costs.guesses(made) or costs.places_left(made) or costs.margin(made) < CLEAR or picks.days_ahead(made):
        return False
    figure_of_a_time = {"measure", "period"} <= made.kinds <= {"measure", "period", "group"}
    return figure_of_a_time or not any(feature(made) for feature in DOUBTFUL)


def _is_whole(made: Derivation) -> bool:
    """Whether a message opens a thread, or is a question that points at nothing said before."""
    if not (made.deep or made.lost):
        return True
    return made.before is None and bool(ASKING.match(made.text)) and not made.keys & POINTING


def asked_below(made: Derivation) -> float:
    """Return how likely a reading must be to be answered; a question that was answered is answered again."""
    if changes_nothing(made) and any(sketch.meaning == made.meaning for sketch in made.sound):
        return 0.0
    if made.result is None:
        return HOPELESS
    if made.before is not None and not made.lost:
        return CERTAIN if adds_to_none(made) else EDIT_ASKED_BELOW
    return ASKED_BELOW if _is_whole(made) else ASKED_BELOW_IN_THREADS
