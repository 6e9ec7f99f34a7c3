"""Take out of a model's words what could lead somewhere or notify somebody."""

import re
from unicodedata import category

ADDRESS = re.compile(
    r"\b(?:https?|ftp|mailto|slack)[:\uff1a][/\uff0f]{1,2}\S*|\b(?:www\.|mailto:)\S+"
    r"|[<\uff1c][@!#][^>\uff1e]*[>\uff1e]",
    re.IGNORECASE,
)
UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})  # kinds of characters that show nothing, and may hide an address


def unaddressed(text: str) -> str:
    """Return a text on one line, without links, mentions and invisible characters."""
    seen = "".join(sign for sign in text if sign.isspace() or category(sign) not in UNSEEN)
    return " ".join(ADDRESS.sub("", seen).split())
