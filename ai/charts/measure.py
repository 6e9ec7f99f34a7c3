"""Widths of texts in Liberation Sans, the font drawn with, and lines that fit."""

from unicodedata import combining, east_asian_width

WIDTHS = (  # of the characters from the space to the tilde, in thousandths of the size
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
)  # fmt: skip
OTHER, WIDE, BOLD = 640, 1050, 1.09


def width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a text in pixels."""
    return sum(map(_width, text)) * size / 1000 * (BOLD if bold else 1)


def _width(character: str) -> int:
    at = ord(character) - 32
    if 0 <= at < len(WIDTHS):
        return WIDTHS[at]
    if combining(character):
        return 0
    return WIDE if east_asian_width(character) in "WF" or ord(character) > 0xFFFF else OTHER


def cut(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """Return the text, its end replaced by … where it is too wide."""
    if width(text, size, bold=bold) <= room:
        return text
    kept = text
    while kept and width(f"{kept}…", size, bold=bold) > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def wrapped(text: str, room: float, size: float, lines: int, *, bold: bool = False) -> list[str]:
    """Break a text between words into at most so many lines; the last one is cut."""
    found, rest = list[str](), text
    while rest and len(found) < lines - 1 and width(rest, size, bold=bold) > room:
        words = rest.split(" ")
        count = next(
            (n for n in range(len(words) - 1, 0, -1) if width(" ".join(words[:n]), size, bold=bold) <= room), 0
        )
        if not count:
            break
        found.append(" ".join(words[:count]))
        rest = " ".join(words[count:])
    return [*found, cut(rest, room, size, bold=bold)] if rest else found
