"""Names in letters without a font: numbers stand for them in the picture, explained beside it.

System fonts are used where they have a letter. Other signs, such as emoji, are left out of a name.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from unicodedata import category
from xml.sax.saxutils import escape

from ai.answers.phrase import literal
from ai.charts.plot import Plot
from ai.charts.theme import FONT, ChartWords

LATIN = 0x250  # all characters below it are in the font that comes with the drawer
UNKNOWN = "\U0010fffd"  # no font has it, so it is drawn as every missing letter is
MARKS = frozenset(("Mn", "Me", "Cf"))  # drawn with the character before
MOST = 12  # numbers explained in words
CUT, NUMBER = "…", "No. "
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48">'
    '<text x="4" y="36" font-family="{}" font-size="32">{}</text></svg>'
)


@dataclass(frozen=True, slots=True)
class Letters:
    """The drawn form of each name that cannot be written as it is."""

    drawn: Mapping[str, str] = field(default_factory=dict)

    @property
    def legend(self) -> str:
        """Say which names the numbers stand for; "" without numbers."""
        numbered = [(drawn, name) for name, drawn in self.drawn.items() if drawn.startswith(NUMBER)]
        told = [f"{drawn} is {literal(name)}" for drawn, name in numbered[:MOST]]
        more = f", and {len(numbered) - MOST} more" if len(numbered) > MOST else ""
        return f"No font here has the letters of some names, so in the picture {', '.join(told)}{more}." if told else ""

    def plot(self, plot: Plot) -> Plot:
        def name(text: str) -> str:
            return self.drawn.get(text, text)

        places = tuple(replace(place, label=name(place.label), short=name(place.short)) for place in plot.places)
        return replace(plot, places=places, lines=tuple(replace(line, name=name(line.name)) for line in plot.lines))

    def words(self, words: ChartWords) -> ChartWords:
        return replace(words, title=self._text(words.title), subtitle=self._text(words.subtitle))

    def _text(self, text: str) -> str:
        """Write a text with the drawn names, and … for other letters that are missing."""
        for name in sorted(self.drawn, key=len, reverse=True):
            text = text.replace(name, self.drawn[name])
        kept = "".join(each if is_written(each) else CUT if category(each)[0] in "LN" else "" for each in text)
        return re.sub(f"{CUT}+", CUT, kept).strip()


def letters_of(plot: Plot) -> Letters:
    """Find drawn forms for the names of a plot, all apart from each other."""
    names = dict.fromkeys(_names(plot))
    missing = [name for name in names if not all(map(is_written, name))]
    taken, drawn = {name for name in names if name not in missing}, dict[str, str]()
    for name in missing:
        form = _without_signs(name)
        numbered = sum(each.startswith(NUMBER) for each in drawn.values())
        drawn[name] = form if form and form not in taken else f"{NUMBER}{numbered + 1}"
        taken.add(drawn[name])
    return Letters(drawn)


def _names(plot: Plot) -> Iterator[str]:
    for place in plot.places:
        yield from filter(None, (place.label, place.short))
    yield from (line.name for line in plot.lines)


def _without_signs(name: str) -> str:
    """Drop signs that cannot be written; "" where letters are missing or none is left."""
    left = [each for each in name if not is_written(each)]
    if any(category(each)[0] in "LN" for each in left):
        return ""
    kept = " ".join("".join(each for each in name if each not in left and category(each) not in MARKS).split())
    return kept if any(map(str.isalnum, kept)) else ""


def is_written(character: str) -> bool:
    """Whether some font at hand has a character."""
    if ord(character) < LATIN or category(character) in MARKS or character.isspace():
        return True
    return _drawn(character) != _drawn(UNKNOWN)


@cache
def _drawn(character: str) -> bytes:
    import vl_convert  # only for the first name in other letters

    return bytes(vl_convert.svg_to_png(SVG.format(FONT, escape(character)), scale=1.0))
