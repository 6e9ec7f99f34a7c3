"""A reading judged once more, by what its SQL gave."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from ai.nl2sql.choose import Doubt
from ai.nl2sql.confidence.asking import doubted
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
) -> tuple[float, Doubt | None]:
    """Return how likely the reading of a message with this result is right, and what to ask back where too little.

    `before` are the earlier meanings, newest first; the rest is as in `read`. Without a reading it is 1 and None.
    """
    previous = before[0] if before else None
    made = derived(text, catalog, today, previous, semantics, before[1:], unanswered=unanswered)
    if isinstance(made, Doubt):
        return 1.0, None
    looked = replace(made, result=result)
    sure = confidence(looked)
    if sure >= asked_below(looked):
        return sure, None
    return sure, as_typed(doubted(looked), text, lexicon_of(catalog, semantics))


def asked_about(
    text: str,
    catalog: Catalog,
    today: date,
    before: Sequence[Meaning] = (),
    *,
    semantics: Semantics = NO_SEMANTICS,
    unanswered: tuple[str, ...] = (),
) -> Doubt | None:
    """Return what is asked back about a reading; None without one."""
    previous = before[0] if before else None
    made = derived(text, catalog, today, previous, semantics, before[1:], unanswered=unanswered)
    return None if isinstance(made, Doubt) else as_typed(doubted(made), text, lexicon_of(catalog, semantics))
