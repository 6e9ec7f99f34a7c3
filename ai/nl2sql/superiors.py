"""Questions about who is above or below whom: “who does Mia report to”, “the manager of Sales”."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Field, Filter, Meaning, Measure
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import display, referred_table
from ai.nl2sql.vocabulary import single_words_of
from ai.nl2sql.words import name_parts, stem

HEAD = r"(?:(?:direct |line |immediate )?(?:manager|boss|supervisor|superior|superviser))"
ENDING = r"[?.! ]*$"
ABOVE = (
    rf"^who(?:m)? (?:does|do|did|is) (?P<who>.+?) (?:reports?|reporting|works?|working) (?:to|for|under){ENDING}",
    rf"^(?:who(?:'s|s| is| was)? |what is |(?:show|tell|give) me |and )?(?:the |an? )?"
    rf"(?:name of the )?{HEAD} (?:of|for) (?P<who>.+?){ENDING}",
    rf"^(?:who(?:'s|s| is| was) |what is |(?:show|tell|give) me |and )?(?P<who>.+?)['\u2019]s? {HEAD}{ENDING}",
    rf"^who (?:manages|supervises|managed|supervised) (?P<who>.+?){ENDING}",
)
ROLE = re.compile(rf"^who(?:'s|s| is| was) (?P<who>.+?)['\u2019]s? (?P<role>[a-z]+){ENDING}", re.IGNORECASE)
BELOW = (
    r"^(?P<count>how many )?(?:who|(?:which |list |show (?:me )?|all )*(?:the )?\w+(?: that| who)?)(?: all)?"
    rf" (?:reports?|reporting|works?|working) (?:directly )?(?:to|for|under) (?P<who>.+?){ENDING}",
    rf"^who(?:m)? (?:does|did) (?P<who>.+?) (?:manage|supervise){ENDING}",
    rf"^(?:who are |list |show (?:me )?)?(?:the )?direct reports of (?P<who>.+?){ENDING}",
    rf"^(?:who are |list |show (?:me )?)?(?P<who>.+?)['\u2019]s? direct reports{ENDING}",
)


def in_line(text: str, lexicon: Lexicon, read: Callable[[str], Sequence[Sketch]]) -> Sketch | None:
    """Return the reading of such a question, where a key leads to the one above."""
    for patterns, made in ((ABOVE, _above), (BELOW, _below)):
        for pattern in patterns:
            found = re.match(pattern, text.strip(), re.IGNORECASE)
            for at, sketch in enumerate(read(found["who"]) if found else ()):
                tests = _naming(sketch)
                if at and tests and tests[0].field not in display(lexicon, tests[0].field.table):
                    continue  # somebody else may bear the name, but that is all
                key = _key_above(tests[0].field.table, lexicon) if tests else None
                meaning = made(key, tests, lexicon) if key else None
                if found and meaning and found.groupdict().get("count"):
                    meaning = replace(meaning, columns=(), measures=(Measure("count", meaning.subject),))
                if meaning:
                    return replace(sketch, meaning=meaning)
    return _in_role(text, lexicon, read)


def _in_role(text: str, lexicon: Lexicon, read: Callable[[str], Sequence[Sketch]]) -> Sketch | None:
    """Return the reading of “who is Una’s mentor?”, where a key is called so."""
    found = ROLE.match(text.strip())
    sketch = next(iter(read(found["who"])), None) if found else None
    tests = _naming(sketch) if sketch else ()
    key = _key_called({stem(found["role"].lower())}, tests[0].field.table, lexicon) if found and tests else None
    meaning = _above(key, tests, lexicon) if key else None
    return replace(sketch, meaning=meaning) if sketch and meaning else None


def _naming(sketch: Sketch) -> tuple[Filter, ...]:
    """Return the conditions that name somebody or something, where nothing else is said."""
    meaning = sketch.meaning
    tables = {test.field.table for test in meaning.filters}
    bare = Meaning(meaning.subject, columns=meaning.columns, filters=meaning.filters, distinct=meaning.distinct)
    plain = all(test.operator == "=" and not test.than and not test.other for test in meaning.filters)
    sound = not sketch.unread() and not any(part.note for part in sketch.cover.parts)
    return meaning.filters if sound and plain and meaning == bare and len(tables) == 1 else ()


def _key_above(table: str, lexicon: Lexicon) -> Field | None:
    """Return the only key called by a word for somebody above."""
    return _key_called({stem(word) for word in single_words_of("above")}, table, lexicon)


def _key_called(words: set[str], table: str, lexicon: Lexicon) -> Field | None:
    fields = (Field(table, column.name) for column in lexicon.table(table).columns)
    found = [
        field
        for field in fields
        if words & {stem(part) for part in name_parts(field.column)} and referred_table(lexicon, field)
    ]
    return found[0] if len(found) == 1 else None


def _above(key: Field, tests: tuple[Filter, ...], lexicon: Lexicon) -> Meaning | None:
    person = referred_table(lexicon, key)
    if person is None or len(person.primary_key) != 1 or not (shown := display(lexicon, person.name)):
        return None
    source = Meaning(key.table, columns=(key,), filters=tests)
    return Meaning(person.name, columns=shown, among=(Among(Field(person.name, person.primary_key[0]), source),))


def _below(key: Field, tests: tuple[Filter, ...], lexicon: Lexicon) -> Meaning | None:
    person = referred_table(lexicon, key)
    if person is None or person.name != key.table or not (shown := display(lexicon, key.table)):
        return None
    source = Meaning(key.table, columns=(Field(key.table, person.primary_key[0]),), filters=tests)
    return Meaning(key.table, columns=shown, among=(Among(key, source),))
