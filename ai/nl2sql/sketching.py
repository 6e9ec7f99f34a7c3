"""From the words of a question to its sketches: lattice, chart, meanings, each with what it costs."""

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from ai.nl2sql.chart.cover import UNREAD, WIDE, Width, covers
from ai.nl2sql.checks import complaint, ways
from ai.nl2sql.contradictions import in_columns
from ai.nl2sql.echo import echo
from ai.nl2sql.german import in_english
from ai.nl2sql.grammar import kinds_of
from ai.nl2sql.lattice import lattice
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Meaning
from ai.nl2sql.reading.assemble import assembled
from ai.nl2sql.reading.roles import named as named_people
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.rewording import reworded
from ai.nl2sql.schema import noun
from ai.nl2sql.slips import mended
from ai.nl2sql.vocabulary import abbreviations
from ai.nl2sql.wording import is_called
from ai.nl2sql.words import Word, name_parts, spelled_out, split

PERCENT = re.compile(r"\s?%(?=\s+of\b)|(?<=\s)%(?!\w)|^%(?=\s)")
EXAMPLES = re.compile(r"\s*\([^()]*(?:\.\.+|…|\betc\.?)\s*\)")  # “per kind (movie, series..)”
HASH = re.compile(r"#\s*(?=of\b)")
LONGEST = 80  # words
LONGEST_TEXT = 1_500  # characters
SEVERAL_WAYS = 1.0


def words_of(text: str, lexicon: Lexicon) -> tuple[Word, ...]:
    """Cut a question into words, short forms written out."""
    said = in_english(text, lambda word: bool(kinds_of(word) or lexicon.senses((word,))))
    written = reworded(HASH.sub("number ", PERCENT.sub(" percent", EXAMPLES.sub("", said))), lexicon)
    words = spelled_out(split(written), abbreviations(), lambda word: is_called((word,), lexicon))
    kept = _defined(words, lexicon)
    return tuple(other for at, word in enumerate(words) for other in ((word,) if at in kept else mended(word, lexicon)))


def _defined(words: Sequence[Word], lexicon: Lexicon) -> frozenset[int]:
    """Return the places of words in names of the semantics file: “unpaid premium”, no premium not paid."""
    keys = tuple(word.key for word in words)
    spans = ((start, start + length) for start in range(len(keys)) for length in (2, 3))
    return frozenset(at for start, end in spans if lexicon.defines(keys[start:end]) for at in range(start, end))


def sketches(text: str, lexicon: Lexicon, today: date, context: Meaning | None = None) -> list[Sketch]:
    """Return the readings of a question, the likeliest first, each once. `context` is the subject of the thread."""
    return [sketch.copy() for sketch in _kept(text, lexicon, today, context)]


@lru_cache(maxsize=128)  # a thread reads its messages again with each that follows
def _kept(text: str, lexicon: Lexicon, today: date, context: Meaning | None) -> list[Sketch]:
    words = words_of(text, lexicon)
    found = sketched(words, lexicon, today, context)
    said = {
        part for word in split(text) for part in (word.text.lower(), *(w.text.lower() for w in mended(word, lexicon)))
    }
    foreign = frozenset(word.text.lower() for word in words) - said
    for sketch in found:
        sketch.foreign = foreign
    return found


def sketched(
    words: Sequence[Word], lexicon: Lexicon, today: date, context: Meaning | None = None, width: Width = WIDE
) -> list[Sketch]:
    """Return the readings of words."""
    if not words or len(words) > LONGEST:
        return []
    over = lattice(tuple(words), lexicon, today)
    spoken = frozenset(context.tables) if context else frozenset()
    found = [assembled(cover, over, lexicon, today, context) for cover in covers(over, lexicon, spoken, width)]
    for sketch in found:
        named_people(sketch)
        sketch.cost += UNREAD * len(sketch.unread()) - sketch.cover.charged
        if not sketch.problems and (why := complaint(sketch.meaning, lexicon)):
            _doubted(sketch, why)
    found.sort(key=lambda sketch: sketch.cost)
    seen: list[Meaning] = []
    kept = []
    for sketch in found:
        said = in_columns(sketch.meaning, lexicon)
        if context is not None or said not in seen:
            seen.append(said)
            kept.append(sketch)
    return kept


def _doubted(sketch: Sketch, why: str) -> None:
    """Ask which of several links is meant; else tell what is wrong."""
    found = ways(sketch.meaning, sketch.lexicon)
    if len(found) < 2 or sketch.choices:
        sketch.doubt(why)
        return
    keys = " or ".join(key_said(way.keys[-1], way, sketch.lexicon) for way in found)
    sketch.cost += SEVERAL_WAYS
    sketch.vague = f"Which do you mean: {keys}?"
    sketch.choices = [(echo(way, sketch.lexicon), way) for way in found]


def key_said(key: Field, meaning: Meaning, lexicon: Lexicon) -> str:
    """Return what a link is called by: “lead” for `lead_id`, “rider home zone” for one of rows not spoken of."""
    called = " ".join(name_parts(key.column)).removesuffix(" id")
    spoken = key.table in meaning.tables | {presence.table for presence in meaning.presences}
    return called if spoken else f"{noun(lexicon, key.table, many=False)} {called}"


def names_something(text: str, lexicon: Lexicon, today: date) -> bool:
    """Whether a message names anything of the data; a related or misspelt word counts if no other is unknown."""
    words = words_of(text[:LONGEST_TEXT], lexicon)[:LONGEST]
    over = lattice(words, lexicon, today)
    named = [item for found in over.items.values() for item in found if item.sense is not None]
    return any(not item.note for item in named) or (bool(named) and len(over.known) == len(words))


def nothing_unknown(text: str, lexicon: Lexicon, today: date) -> bool:
    """Whether every word of a message is grammar, a number, a day or a name of the data."""
    words = words_of(text[:LONGEST_TEXT], lexicon)[:LONGEST]
    return len(lattice(words, lexicon, today).known) == len(words)
