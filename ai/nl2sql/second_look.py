"""A reading judged once more, by what its SQL gave."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from ai.nl2sql.choose import Doubt
from ai.nl2sql.confidence.asking import doubted
from ai.nl2sql.confidence.derivation import Derivation
from ai.nl2sql.confidence.judging import asked_below, confidence
from ai.nl2sql.lexicon import lexicon_of
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.reader import as_typed, derived
from ai.results.table import ResultTable
from ai.sql.catalog import Catalog
from ai.sql.semantics import NO_SEMANTICS, Semantics


def judged(
    result: ResultTable,
    text: str,
    catalog: Catalog,
    today: date,
    before: Sequence[Meaning] = (),
    *,
    semantics: Semantics = NO_SEMANTICS,
    unanswered: tuple[str, ...] = (),
    least: float | None = None,
) -> Doubt | None:
    """Return what to ask back of a message whose reading has this result; None where it is likely enough.

    `before` are the earlier meanings, newest first; the rest is as in `read`. `least` is another likelihood to answer.
    """
    made = _derived(text, catalog, today, before, semantics, unanswered=unanswered)
    if isinstance(made, Doubt):
        return None
    looked = replace(made, result=result)
    if confidence(looked) >= (asked_below(looked) if least is None else least):
        return None
    return as_typed(doubted(looked), text, lexicon_of(catalog, semantics))


def asked_back(
    text: str,
    catalog: Catalog,
    today: date,
    before: Sequence[Meaning] = (),
    *,
    semantics: Semantics = NO_SEMANTICS,
    unanswered: tuple[str, ...] = (),
) -> Doubt:
    """Return what there is to ask back of a message, however likely its reading."""
    made = _derived(text, catalog, today, before, semantics, unanswered=unanswered)
    return made if isinstance(made, Doubt) else doubted(made)


def _derived(
    text: str,
    catalog: Catalog,
    today: date,
    before: Sequence[Meaning],
    semantics: Semantics,
    *,
    unanswered: tuple[str, ...],
) -> Derivation | Doubt:
    previous = before[0] if before else None
    return derived(text, catalog, today, previous, semantics, before[1:], unanswered=unanswered)
