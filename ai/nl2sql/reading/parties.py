"""Rows called by what they are to others: the “buyers” are the users that orders refer to as theirs, and not all users."""

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Meaning, Presence
from ai.nl2sql.phrases import IN_ROLE, without_key
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import noun
from ai.nl2sql.words import name_parts, singular


def in_their_role(sketch: Sketch) -> None:
    """Keep to the rows that have the role that their noun tells; of several tables that give it, ask for one."""
    meaning, lexicon = sketch.meaning, sketch.lexicon
    said = [(word.key, ways) for word in sketch.lattice.words if (ways := _keys(lexicon, meaning.root, word.key))]
    present = {presence.table for presence in meaning.presences if presence.present}
    _left_out(sketch)
    if not said or (meaning.tables | present) & {way.table for _, ways in said for way in ways}:
        return
    own = {
        part for test in meaning.filters if test.field.table == meaning.root for part in name_parts(test.field.column)
    }
    if own & {singular(word) for word, _ in said}:
        return  # “pro sellers” by their seller tier
    word, ways = said[0]
    absent = {presence.table for presence in meaning.presences}
    found = [_having(meaning, way) for way in ways if way.table not in absent]
    if len(ways) == len(found) == 1:
        sketch.meaning = found[0]
    elif found and not sketch.problems:
        rows = noun(lexicon, meaning.root)
        others = " or ".join(noun(lexicon, way.table) for way in ways if way.table not in absent)
        sketch.ask_back(f"“{word}” can be {rows} with {others}: which do you mean?", found)
    else:
        sketch.doubt(f"I cannot tell which {noun(lexicon, meaning.root)} “{word}” means.")


def _left_out(sketch: Sketch) -> None:
    """“rating of sellers” is not the rating of all: a role that tells nothing of the answer is doubted."""
    for part in sketch.parts("noun"):
        table, word = str(part.data), sketch.lattice.words[part.end - 1].key
        ways = _keys(sketch.lexicon, table, word) if table not in sketch.spoken else []
        if ways and not sketch.spoken & {way.table for way in ways}:  # each payout is one to a seller
            sketch.doubt(f"I cannot tell which {noun(sketch.lexicon, sketch.meaning.root)} are of “{word}”.")


def _having(meaning: Meaning, key: Field) -> Meaning:
    """Return a meaning with only the rows that a key of other rows leads to."""
    some = Presence(key.table, present=True)
    return meaning.changed(presences=(*meaning.presences, some), keys=tuple(dict.fromkeys((*meaning.keys, key))))


def _keys(lexicon: Lexicon, table: str, word: str) -> list[Field]:
    """Return the keys that call rows of a table so, where nothing else does."""
    said = (singular(word),)
    if not table or not any(s.table == table and s.cost == IN_ROLE for s in lexicon.senses(said) if s.column is None):
        return []
    steps = lexicon.links.steps.get(table, ())
    keyed = [Field(*link.keys[0]) for link in steps if link.many and link.referred == table and len(link.keys) == 1]
    return [key for key in keyed if without_key(name_parts(key.column)) == said]
