"""The words of a name of a schema: cut, written out, counted once. `hiredate` -> hire date, `FName` -> first name."""

from functools import lru_cache

from ai.language.shortened import written_out
from ai.language.thesaurus import is_word
from ai.language.words import name_parts as cut

HEADS = (
    "id name names date code type no num number count time year price desc status address level rate amount size "
    "first last title"
    " details key day month city state country room model city place phone email mail age score point points "
    "ranking rank"
).split()
WHOLE = frozenset({"datetime", "timestamp"})
SHORTEST = 5


__all__ = ["cut", "name_parts"]


@lru_cache(maxsize=20_000)
def name_parts(name: str) -> tuple[str, ...]:
    """Cut a name into lower-case words, short forms written out."""
    parts = tuple(word for part in cut(name) for word in _words(part))
    if len(parts) > 1 and parts[-1] == "no":
        return (*parts[:-1], "number")
    if len(parts) == 2 and parts[1] == "name" and parts[0] in ("f", "l"):
        return ("first" if parts[0] == "f" else "last", "name")
    return parts


def _words(part: str) -> tuple[str, ...]:
    if part in written_out():
        return written_out()[part]
    if len(part) < SHORTEST or part in WHOLE or is_word(part) or not part.isalpha():
        return (part,)
    if part[1:] in HEADS:  # `cname`, the name of a course
        return (part[0], part[1:])
    return _cut_at_head(part) or (part,)


def _cut_at_head(part: str) -> tuple[str, ...]:
    """Cut off a common head word, where a known word or a short form is left."""
    for head in HEADS:
        rest = part.removesuffix(head)
        if rest != part and len(rest) > 2 and (is_word(rest) or rest in written_out()):
            return (*_words(rest), *_words(head))
    for head in ("first", "last", "birth", "home", "start", "end", "max", "min", "number", "phone", "street"):
        rest = part.removeprefix(head)
        if rest != part and len(rest) > 2 and (is_word(rest) or rest in written_out()):
            return (*_words(head), *_words(rest))
    return ()
