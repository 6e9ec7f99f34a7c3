"""Features of the words: their costs, how they were guessed, how many came to nothing."""

from ai.nl2sql.confidence.derivation import Derivation
from ai.nl2sql.grammar import kinds_of
from ai.nl2sql.guesses import is_spelt_alike
from ai.nl2sql.lasting import READ
from ai.nl2sql.lexicon import TAIL
from ai.nl2sql.meaning import Filter

MOST = 4.0  # farther is all the same
SURE, LOOSE = 0.2, 0.3
READ_AS = "was read as"


def cost(made: Derivation) -> float:
    return made.sketch.cost if made.sketch else MOST


def cost_of_words(made: Derivation) -> float:
    return made.sketch.cover.cost if made.sketch else MOST


def cost_beyond_words(made: Derivation) -> float:
    return made.sketch.cost - made.sketch.cover.cost if made.sketch else 0.0


def cost_beyond_parts(made: Derivation) -> float:
    """The cost beyond the usual one of each constituent."""
    return cost(made) - 0.3 * len(made.parts)


def cost_of_each(made: Derivation) -> float:
    return cost(made) / max(1, len(made.parts))


def dearest_part(made: Derivation) -> float:
    return max((part.cost for part in made.parts), default=0.0)


def loose_parts(made: Derivation) -> float:
    return sum(part.cost > LOOSE for part in made.parts)


def exact_share(made: Derivation) -> float:
    return sum(part.cost < SURE for part in made.parts) / max(1, len(made.parts))


def margin(made: Derivation) -> float:
    """How much dearer the next sound reading of another meaning is."""
    return min(MOST, max(-MOST, made.rivals[0].cost - cost(made))) if made.rivals else MOST


def near_rivals(made: Derivation) -> float:
    return sum(sketch.cost < cost(made) + 0.6 for sketch in made.rivals)


def obstacle(made: Derivation) -> float:
    """How much likelier a reading beyond answering is."""
    cheapest = min((sketch.likely for sketch in made.found), default=cost(made))
    return min(MOST, max(0.0, cost(made) - cheapest))


def unread_words(made: Derivation) -> float:
    return len(made.sketch.unread()) if made.sketch else 0


def problems(made: Derivation) -> float:
    return len(made.sketch.problems) if made.sketch else 0


def is_unfound(made: Derivation) -> float:
    """Whether an edit was made by its wording alone."""
    return made.sketch is None


def alike_guesses(made: Derivation) -> float:
    return sum(READ_AS in note and is_spelt_alike(note) for note in made.notes)


def guesses(made: Derivation) -> float:
    return sum(READ_AS in note and not is_spelt_alike(note) for note in made.notes)


def assumptions(made: Derivation) -> float:
    return sum(READ_AS not in note for note in made.notes)


def word_count(made: Derivation) -> float:
    return len(made.words) or len(made.text.split())


def part_count(made: Derivation) -> float:
    return len(made.parts)


def flag_count(made: Derivation) -> float:
    return len(made.flags)


def idle_flags(made: Derivation) -> float:
    """Idle words of grammar."""
    used = made.sketch.used if made.sketch else set()
    return sum(part.start not in used for part in made.flags)


def _taken(made: Derivation) -> set[int]:
    return {at for part in (*made.parts, *made.flags) for at in range(part.start, part.end)}


def words_left(made: Derivation) -> float:
    """The share of the words outside all constituents."""
    return 1 - len(_taken(made)) / max(1, len(made.words))


def telling_words_left(made: Derivation) -> float:
    """Words in no constituent, apart from mere grammar."""
    return len(_telling(made))


def _telling(made: Derivation) -> list[int]:
    taken = _taken(made) | _read_with_others(made)
    return [
        at
        for at, word in enumerate(made.words)
        if at not in taken and word.key.isalpha() and "filler" not in kinds_of(word.key)
    ]


def _read_with_others(made: Derivation) -> set[int]:
    """The places of words telling how another is read: “in days” of a duration."""
    items = made.sketch.lattice.items.values() if made.sketch else ()
    told = (item for found in items for item in found if item.kind == "filler" and item.value == READ)
    return {at for item in told for at in range(item.start, item.end)}


def names_left(made: Derivation) -> float:
    """Sure names of the data, not read as such."""
    return len(_names(made))


def _names(made: Derivation) -> list[int]:
    held = {at for part in made.parts for at in range(part.start, part.end)}
    items = made.sketch.lattice.items if made.sketch else {}
    sure = (
        start
        for start, found in items.items()
        if any(item.sense is not None and item.cost < SURE and item.end <= start + 2 for item in found)
    )
    return [start for start in sure if start not in held]


def places_left(made: Derivation) -> list[int]:
    """Where unused telling words stand, names first."""
    return [*_names(made), *_telling(made)]


def tables_left(made: Derivation) -> float:
    """Tables named by their whole name, and not touched."""
    if made.sketch is None:
        return 0.0
    touched = made.meaning.tables | {presence.table for presence in made.meaning.presences}
    named = {
        item.sense.table
        for found in made.sketch.lattice.items.values()
        for item in found
        if item.kind == "table" and item.sense is not None and item.cost < SURE and item.sense.cost < TAIL
    }
    return len(named - touched)


def senses_of_each(made: Derivation) -> float:
    """How many senses the named words have on average."""
    if made.sketch is None:
        return 0.0
    counts = [sum(item.sense is not None for item in found) for found in made.sketch.lattice.items.values()]
    named = [count for count in counts if count]
    return sum(named) / max(1, len(named))


def rival_senses(made: Derivation) -> float:
    """Words with several columns to their name."""
    if made.sketch is None:
        return 0.0
    items = made.sketch.lattice.items
    return min(8, sum(
        len({item.sense.field for item in items.get(part.start, ())
             if item.sense is not None and item.sense.column and item.end == part.end}) > 1
        for part in made.parts
    ))  # fmt: skip


def other_values(made: Derivation) -> float:
    """Texts looked for, and not known to be in the column."""
    tests = [test for test in made.tests if isinstance(test, Filter) and test.values and not test.than]
    return sum(
        isinstance(value, str)
        and (column := made.lexicon.catalog.table(test.field.table)) is not None
        and (known := column.column(test.field.column)) is not None
        and value not in known.values
        for test in tests
        for value in test.values
    )


def foreign_words(made: Derivation) -> float:
    return len(made.sketch.foreign) if made.sketch else 0.0


def _capital(text: str) -> bool:
    return text[:1].isupper() and not text.isupper()


def capitals(made: Derivation) -> float:
    """Words with a capital letter within the sentence."""
    return sum(_capital(word.text) for word in made.words[1:])


COSTS = (
    cost, cost_of_words, cost_beyond_words, cost_beyond_parts, cost_of_each, dearest_part, loose_parts, exact_share,
    margin, near_rivals, obstacle, unread_words, problems, is_unfound, alike_guesses, guesses, assumptions, word_count,
    part_count, flag_count, idle_flags, words_left, telling_words_left, names_left, tables_left, senses_of_each, rival_senses,
    other_values, foreign_words, capitals,
)  # fmt: skip
