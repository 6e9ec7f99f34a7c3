"""What a text costs as a value where its word rather means something else."""

from collections.abc import Sequence

from ai.nl2sql.lexicon import Lexicon, Sense
from ai.nl2sql.phrases import IN_ROLE
from ai.nl2sql.words import Word, name_parts, singular

QUALIFIED, PARTY = 0.4, 2.0


def cost_of_value(words: Sequence[Word], start: int, key: tuple[str, ...], value: Sense, lexicon: Lexicon) -> float:
    """What a text costs where another column has it by a plainer name, or where its word is rather people's role."""
    qualified = _is_qualified(value, lexicon.values.get(key, ()))
    return QUALIFIED * qualified + PARTY * _is_party(words, start, key, value, lexicon)


def _is_party(words: Sequence[Word], start: int, key: tuple[str, ...], value: Sense, lexicon: Lexicon) -> bool:
    """Whether what may be a value rather names rows by their role: “sellers”, but not of disputes “opened by sellers”."""
    by = start > 0 and words[start - 1].key == "by"
    roles = (sense for sense in lexicon.senses(key) if sense.column is None and sense.cost == IN_ROLE)
    return not by and singular(key[-1]) != key[-1] and any(sense.table != value.table for sense in roles)


def _is_qualified(value: Sense, alike: Sequence[Sense]) -> bool:
    """Whether another column with that value has a plainer name: city, not home city."""
    own = {*name_parts(value.column or "")}
    return any({*name_parts(other.column or "")} < own for other in alike if other.table != value.table)
