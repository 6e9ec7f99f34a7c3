"""All features of a derivation, by name."""

from collections.abc import Callable
from functools import partial

from ai.nl2sql.chart.parts import Flag
from ai.nl2sql.confidence.costs import COSTS
from ai.nl2sql.confidence.derivation import PARTS, Derivation
from ai.nl2sql.confidence.edits import EDITS, changes_of
from ai.nl2sql.confidence.picks import PICKS
from ai.nl2sql.confidence.results import RESULTS
from ai.nl2sql.confidence.sayings import SAYINGS, lacks, numbers_lost, says, unasked
from ai.nl2sql.confidence.shapes import SHAPES

Feature = Callable[[Derivation], float]
KINDS = (
    "measure", "attribute", "noun", "filter", "period", "presence", "having", "group", "rank", "order", "limit",
    "ratio",
)  # fmt: skip


SIGNS = (
    "verb", "list", "who", "when", "yesno", "have", "only", "all", "new", "distinct", "other", "open", "long", "none",
    "not", "each", "compare", "everything", "count", "aggregate", "and", "or",
)  # fmt: skip
OPENINGS = ("how", "what", "which", "who", "when", "where", "list", "show", "is", "and", "number")


def _of_sign(sign: str, made: Derivation) -> float:
    return sum(part.data.sign == sign for part in made.flags if isinstance(part.data, Flag))


def _opens(word: str, made: Derivation) -> float:
    return made.text.lower().startswith(word)


def _dearest(kind: str, made: Derivation) -> float:
    return max((part.cost for part in made.parts if part.kind == kind), default=0.0)


def _of_kind(kind: str, made: Derivation) -> float:
    return sum(part.kind == kind for part in made.parts)


FEATURES: dict[str, Feature] = {
    **{feature.__name__: feature for feature in (*COSTS, *SHAPES, *PICKS, *EDITS, *RESULTS, numbers_lost)},
    **{f"parts of {kind}": partial(_of_kind, kind) for kind in KINDS},
    **{f"dearest {kind}": partial(_dearest, kind) for kind in KINDS},
    **{f"flags of {sign}": partial(_of_sign, sign) for sign in SIGNS},
    **{f"opens with {word}": partial(_opens, word) for word in OPENINGS},
    **{f"changes {name}": partial(changes_of, name) for name in PARTS},
    **{f"says {name}": partial(says, name) for name in SAYINGS},
    **{f"lacks {name}": partial(lacks, name) for name in SAYINGS},
    **{f"has unasked {name}": partial(unasked, name) for name in SAYINGS},
}
