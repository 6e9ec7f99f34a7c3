"""The names of a person said as one: “Ada Lovelace”, not “Ada / Lovelace”."""

from collections.abc import Sequence

LAST_OF = {"first name": "last name", "given name": "family name", "forename": "surname", "vorname": "nachname"}


def is_whole_name(first: str, last: str) -> bool:
    """Whether two columns, by their titles, are the first and the last name of one person."""
    for one, other in LAST_OF.items():
        if first.endswith(one):
            return last == f"{first.removesuffix(one)}{other}"
    return False


def whole_names(said: Sequence[str], titles: Sequence[str]) -> list[str]:
    """Join each first name with the last name behind it."""
    found: list[str] = []
    for at, words in enumerate(said):
        if at and is_whole_name(titles[at - 1], titles[at]):
            found[-1] = f"{found[-1]} {words}"
        else:
            found.append(words)
    return found
