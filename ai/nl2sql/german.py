"""Questions in German: their words of grammar and time in English, names and values as they stand."""

import re
from collections.abc import Callable
from functools import cache

from ai.language.tables import rows

SURE = 2  # words of German grammar
WORD = re.compile(r"[^\W\d_]+")
SHORTEST = 4  # letters before an ending
ENDINGS = ("en", "em", "er", "es", "e", "n")
ENGLISH = frozenset("the of by with how which show what and for per last this are is do did our there where".split())
# No words of English questions.
GERMAN = frozenset(
    "wie viele viel wieviel wieviele wir haben hatten welche welcher welches welchen gibt gab und nicht ohne nach je "
    "seit letzten letzte letztes letzter dieses diesen diese diesem für aller alle monat jahr woche gestern heute "
    "anzahl anteil durchschnittlicher durchschnittliche zeig zeige wer wann ist sind wurde wurden einen kein keine nie "
    "mehr als höchste höchster teuerste teuerster teuersten oktober märz dezember juni juli januar februar bitte "
    "meisten summe".split()
)
SHARED = frozenset(
    "tag im mit von der das den dem des eine hat war pro mai die am".split()
)  # words of other languages too


def is_german(text: str) -> bool:
    """Whether a question has words of German grammar, and none of English if it has only one."""
    words = [word.lower() for word in WORD.findall(text)]
    sure, shared = sum(word in GERMAN for word in words), sum(word in SHARED for word in words)
    return sure > 0 and (sure + shared >= SURE or not ENGLISH & {*words})


def in_english(text: str, known: Callable[[str], bool]) -> str:
    """Put English words for German ones of grammar, and names without endings; any other text stays."""
    if not is_german(text):
        return text
    pattern, table = _phrases()
    told = pattern.sub(lambda found: table[" ".join(found[0].lower().split())], text)
    return WORD.sub(lambda found: _without_ending(found[0], known), told)


def _without_ending(word: str, known: Callable[[str], bool]) -> str:
    """Return “vegan” for “veganen”, “Artikel” for “Artikeln”, where only that is known."""
    forms = (word.removesuffix(end) for end in ENDINGS if word.endswith(end) and len(word) - len(end) >= SHORTEST)
    return word if known(word.lower()) else next((form for form in forms if known(form.lower())), word)


@cache
def _phrases() -> tuple[re.Pattern[str], dict[str, str]]:
    table = {said: english for said, english, *_ in rows("ai.nl2sql", "german", "german", "english")}
    longest = sorted(table, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", re.IGNORECASE), table
