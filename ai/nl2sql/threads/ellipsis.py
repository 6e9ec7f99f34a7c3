"""Read messages of a mere thing, figure or rank; the question before gives the rest."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ai.language.numbers import COUNT, number_of
from ai.nl2sql.chart.figures import total_of
from ai.nl2sql.chart.parts import Flag, Wanted
from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Group, Having, Meaning, Measure, Order
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import is_numeric
from ai.nl2sql.threads import edits, signals
from ai.nl2sql.threads.change import checked, edited
from ai.nl2sql.threads.columns import with_columns
from ai.nl2sql.threads.figures.first import ranked
from ai.nl2sql.threads.referents import the_one, thing, unranked
from ai.nl2sql.threads.signals import ASKS
from ai.nl2sql.threads.steps import Followed
from ai.nl2sql.words import keys, name_parts, singular

FEW = 6  # words of a message that names a figure and nothing else
BARE = re.compile(
    r"^(?:and |so |but )?(?:(?:for|in|at|on|from|by|with|of) (?=which|what))?"
    r"(?:(?:which|what) (?:are the |are |were the |were |is the |is )?|the )?[\w'-]+(?: names?)?[?.! ]*$",
    re.IGNORECASE,
)
THE = re.compile(r"^(?:what|which|show|list|give)\b.*\bthe\b", re.IGNORECASE)
ABOUT = re.compile(r"^(?:and )?(?:what|how) about\b", re.IGNORECASE)
NUMBER = re.compile(
    rf"^(?:instead |only |just |over |above |under |below |what about |how about |to |and |the )*"
    rf"(?P<number>\d[\d,.]*|{COUNT})(?: instead| rather)?[.!? ]*$",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?:19|20)\d\d")
SUCH = re.compile(r"(?:able|ible|ed)$", re.IGNORECASE)  # “only billable” picks rows; “only revenue” is a figure
OPEN = ("open", "only", "list", "each", "and", "all")


def elliptic(sketch: Sketch, before: Meaning, lexicon: Lexicon, text: str, *, leaning: bool) -> Followed | None:
    """Complete a message from the meaning before; None when it says more than a fragment."""
    if sketch.unread():
        return None
    return (
        ranked(sketch, before, lexicon)
        or _figure_alone(sketch, before, lexicon, text, leaning=leaning)
        or _thing_alone(sketch, before, lexicon, text)
    )


def renumbered(text: str, earlier: Sequence[Meaning]) -> Followed | None:
    """“make that 4”: change the number of the latest bound or limit."""
    found = NUMBER.match(text)
    if not found:
        return None
    number = number_of(found["number"].rstrip("."))
    if number is None:
        return None
    value = int(number) if number == number.to_integral_value() else float(number)
    if YEAR.fullmatch(found["number"]):
        return None
    before, last = earlier[0], earlier[1] if len(earlier) > 1 else None
    changes: list[Meaning] = []
    if before.havings and (last is None or last.havings != before.havings):
        *kept, old = before.havings
        changes.append(replace(before, havings=(*kept, Having(old.measure, old.operator, value))))
    bounds = [f for f in before.filters if f.operator in (">", ">=", "<", "<=") and not f.than]
    if bounds and (last is None or last.filters != before.filters):
        new = Filter(bounds[-1].field, bounds[-1].operator, (value,))
        changes.append(replace(before, filters=tuple(new if f == bounds[-1] else f for f in before.filters)))
    if before.limit and isinstance(value, int) and (last is None or last.limit != before.limit):
        changes.append(replace(before, limit=value))
    return Followed(changes[0]) if len(changes) == 1 else None


def numbered(text: str, before: Meaning, lexicon: Lexicon) -> Followed | None:
    """Keep one value of the number the figure is split by: “only level 3” after open fees by dunning level."""
    found, group = signals.NUMBERED.match(text), before.groups[0] if len(before.groups) == 1 else None
    if not found or not found["what"] or group is None or group.unit or not group.column:
        return None
    field = Field(group.table, group.column)
    named = [each.word for each in lexicon.semantics.synonyms if each.target == f"{field.table}.{field.column}"]
    said = {*name_parts(field.column), *(part for word in named for part in keys(word))}
    if lexicon.column(field).kind != "integer" or singular(found["what"].lower()) not in said:
        return None
    kept = tuple(test for test in before.filters if test.field != field)
    return Followed(replace(before, filters=(*kept, Filter(field, "=", (int(found["number"]),)))))


def of_those_or_all(sketch: Sketch, before: Meaning, lexicon: Lexicon, text: str) -> Followed | None:
    """“what did the notes say?” after some rows were picked: theirs, or all? Asked back."""
    counted = before.measures[0].table if before.measures else ""
    parts = [part for part in sketch.cover.parts if not isinstance(part.data, Flag) and part.data != counted]
    fields = tuple(part.data for part in parts if isinstance(part.data, Field))
    if not THE.search(text) or sketch.unread() or sketch.problems or len(fields) < len(parts) or not fields:
        return None
    picked = before.filters or before.periods or before.limit or before.among or before.presences or before.havings
    if not picked or sketch.meaning.measures or any(f.table not in (thing(before, lexicon), counted) for f in fields):
        return None
    if {field.table for field in fields} == {counted} != {thing(before, lexicon)}:
        shown: Meaning | None = replace(
            before, subject=counted, columns=fields, measures=(), groups=(), order=(), limit=None, fold=None
        )
    else:
        shown = with_columns(before, fields, lexicon)
    if shown is None or complaint(shown, lexicon):
        return None
    return Followed(None, problem="Do you mean of those, or of all?", choices=(shown, sketch.meaning), asks=True)


def _figure_alone(sketch: Sketch, before: Meaning, lexicon: Lexicon, text: str, *, leaning: bool) -> Followed | None:
    """“revenue then”, “by installs, this year”: another figure of the same."""
    each = "each" in {word.key for word in sketch.lattice.words}
    if (before.limit == 1 or each) and signals.pointers(sketch.lattice.words):
        return None
    named = [part for part in sketch.cover.parts if not isinstance(part.data, Flag)]
    own = not {word.key for word in sketch.lattice.words} & signals.DEMONSTRATIVE
    kinds = {part.kind for part in named if part.kind != "noun" or part.data != before.root or not own}
    groups = {group for found in sketch.data("group") for group in found}
    if not kinds & {"measure", "attribute"} or not kinds <= {"measure", "attribute", "period", "group"}:
        return None
    if not groups <= set(before.groups):
        return None
    signs = {part.data.sign for part in sketch.parts("flag") if isinstance(part.data, Flag)}
    asks = ASKS.match(text) and not ABOUT.match(text)
    if asks or len(text.split()) > FEW or not signs <= {*OPEN, "aggregate", "average"} or not before.all_measures:
        return None
    if "period" in kinds and not (leaning or text.lower().startswith("by ")):
        return None
    fields = [part.data for part in sketch.parts("attribute") if isinstance(part.data, Field)]
    if any(not is_numeric(lexicon, field) for field in fields):
        return None
    if signals.NARROWS.search(text) and len(fields) == 1 and "measure" not in kinds and SUCH.search(fields[0].column):
        such = Filter(fields[0], ">", (0,))
        return checked(replace(before, filters=(*before.filters, such)), before, lexicon, (), sketch)
    if not sketch.wanted:
        sketch.wanted, sketch.shown = [Wanted(total_of(field)) for field in fields], []
    if not sketch.wanted:
        return None
    adding = bool(edits.BESIDE.search(text))
    return edited(sketch, before if adding else unranked(before, sketch), lexicon, text, add=adding)


def _thing_alone(sketch: Sketch, before: Meaning, lexicon: Lexicon, text: str) -> Followed | None:
    """“which apps?” after a figure: list its own."""
    nouns = [str(part.data) for part in sketch.parts("noun")]
    others = [part for part in sketch.cover.parts if part.kind not in ("noun", "flag")]
    if len(nouns) != 1 or others or not BARE.match(text) or any(part.such for part in sketch.parts("noun")):
        return None
    figures = before.measures or before.all_measures
    if nouns[0] in (before.subject, thing(before, lexicon)) and not before.groups:
        meaning: Meaning | None = edits.listed(before, lexicon)
    else:
        meaning = by_thing(before, figures or (Measure("count", before.subject),), nouns[0], lexicon)
    return checked(meaning, before, lexicon, (), sketch) if meaning is not None and meaning != before else None


def by_thing(before: Meaning, figures: tuple[Measure, ...], table: str, lexicon: Lexicon) -> Meaning | None:
    """Split figures by the things they belong to; those of the one row shown keep to it."""
    if lexicon.links.path(figures[0].table, table) is None or many_between(lexicon, figures[0].table, table):
        return None
    about = the_one(before, lexicon)
    return replace(
        before,
        among=(*before.among, about) if about else before.among,
        measures=figures,
        groups=(Group(table),),
        columns=(),
        order=(Order(figures[0], True),),
        limit=None,
        fold=None,
        offset=0,
        distinct=False,
    )
