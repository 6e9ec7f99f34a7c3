"""When two names are the same to an engine. Letter case is folded for ASCII only: a Kelvin sign is no K."""

from string import ascii_lowercase, ascii_uppercase

from sqlglot import exp

_FOLD = str.maketrans(ascii_uppercase, ascii_lowercase)


def folded(name: exp.Identifier | str) -> str:
    """The name with its ASCII letters in lower case, quoted or not."""
    return _text(name).translate(_FOLD)


def unless_quoted(name: exp.Identifier | str) -> str:
    """As `folded`, but a quoted name keeps its letters. Text (a name of the catalogue) is as if quoted."""
    kept = isinstance(name, str) or name.args.get("quoted")
    return _text(name) if kept else folded(name)


def exact(name: exp.Identifier | str) -> str:
    """The name as it is."""
    return _text(name)


def caseless(name: exp.Identifier | str) -> str:
    """The name without letter case in any script, for engines that compare names by a collation."""
    return _text(name).casefold()


def _text(name: exp.Identifier | str) -> str:
    return name if isinstance(name, str) else name.name
