"""A reading judged once more, by what its SQL gave."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

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


class ThreadMessage(NamedTuple):
    """A message; `before` are the earlier meanings and `unanswered` the questions since, newest first, as in `read`."""

    text: str
    before: Sequence[Meaning] = ()
    unanswered: tuple[str, ...] = ()


def judged(
    result: ResultTable,
    said: ThreadMessage,
    catalog: Catalog,
    today: date,
    semantics: Semantics = NO_SEMANTICS,
    *,
    least: float | None = None,
) -> Doubt | None:
    """Return what to ask back of a message whose reading has this result; None where it is likely enough.

    `least` is another likelihood to answer than usual.
    """
    made = _derived(said, catalog, today, semantics)
    if isinstance(made, Doubt):
        return None
    looked = replace(made, result=result)
    if confidence(looked) >= (asked_below(looked) if least is None else least):
        return None
    return as_typed(doubted(looked), said.text, lexicon_of(catalog, semantics))


def asked_back(said: ThreadMessage, catalog: Catalog, today: date, semantics: Semantics = NO_SEMANTICS) -> Doubt:
    """Return what there is to ask back of a message, however likely its reading."""
    made = _derived(said, catalog, today, semantics)
    return as_typed(made if isinstance(made, Doubt) else doubted(made), said.text, lexicon_of(catalog, semantics))


def _derived(said: ThreadMessage, catalog: Catalog, today: date, semantics: Semantics) -> Derivation | Doubt:
    previous = said.before[0] if said.before else None
    return derived(said.text, catalog, today, previous, semantics, said.before[1:], unanswered=said.unanswered)
