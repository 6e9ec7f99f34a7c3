"""The things asked about: the rows or values of a list, a figure or a rank."""

from ai.nl2sql.chart.figures import total_of
from ai.nl2sql.chart.parts import Part, Rank, Wanted
from ai.nl2sql.definitions import is_term
from ai.nl2sql.meaning import Field, Group, Measure
from ai.nl2sql.reading.shape import referred
from ai.nl2sql.reading.sketch import Sketch, is_fact, many_between
from ai.nl2sql.schema import averaged, display, is_key, is_numeric, title
from ai.nl2sql.words import singular

THEIRS = frozenset({"their", "its"})
LISTED = frozenset({"date", "dates", "number", "numbers"})
TO_WHOM = frozenset("to from of for among".split())
OPENING = frozenset("which what list show me all the our give".split())
LINKING = frozenset("by of from with in at for".split())


def settle_wanted(sketch: Sketch) -> list[Wanted]:
    """Return the figures asked for: those said, and numbers of events, totalled."""
    wanted: list[Wanted] = []
    for part in sketch.cover.parts:
        if isinstance(part.data, Wanted) and part.kind == "measure":
            wanted.append(part.data)
            wanted += [Wanted(measure) for measure in part.data.more]
        elif part.kind == "attribute" and (_ends_a_test(sketch, part) or _names_those(sketch, part)):
            continue
        elif part.kind == "attribute" and isinstance(part.data, Field) and _totalled(sketch, part):
            measure = total_of(part.data)
            if wanted and _of_one(sketch, part):
                sketch.doubt(f"I cannot tell that figure of a single one of {title(part.data)}.")
            wanted.append(Wanted(measure))
            word = "average" if measure.function == "avg" else "total"
            sketch.assume(f"{title(part.data)} is the {word}")
        elif part.kind == "attribute" and isinstance(part.data, Field):
            sketch.shown.append(part.data)
    return wanted


def _of_one(sketch: Sketch, part: Part) -> bool:
    """Whether a unit is named, “price of an install”, not a further figure."""
    before = [word.key for word in sketch.lattice.words[max(0, part.start - 2) : part.start]]
    return before in (["of", "a"], ["of", "an"], ["of", "one"])


def _ends_a_test(sketch: Sketch, part: Part) -> bool:
    """Whether a column is only named after its own condition: “trips with more than 10 minutes delay”."""
    before = [found for found in sketch.parts("filter") if found.end == part.start]
    return any(test.field == part.data for found in before for test in found.data) and bool(sketch.parts("noun"))


def _names_those(sketch: Sketch, part: Part) -> bool:
    """“total discount given to property advertisers”: whom the figure is of, no split."""
    kind = next((found for found in sketch.parts("filter") if found.end == part.start), None)
    figure = min((found.end for found in sketch.parts("measure")), default=part.end)
    told = kind and figure <= kind.start and sketch.lattice.words[kind.start - 1].key in TO_WHOM
    return bool(
        told and kind and kind.data and kind.data[0].field.table == part.data.table and not sketch.data("group")
    )


def _totalled(sketch: Sketch, part: Part) -> bool:
    """Whether a column of numbers stands for its total: of events always, of things when they are grouped."""
    field = part.data
    if not is_numeric(sketch.lexicon, field):
        return False
    others = [found for found in sketch.parts("noun") if found.data != field.table]
    if part.start and not others and sketch.lattice.words[part.start - 1].key in THEIRS:
        return False
    if _row_ranked(sketch) == field.table:
        return False
    listing = any(part.data.value == "rows" for part in sketch.flags("list"))
    if is_fact(sketch.lexicon, field.table):
        return not ((listing and averaged(field) and not sketch.data("group")) or _in_list(sketch, field))
    groups = [group for found in sketch.data("group") for group in found]
    named = any(part.data == field.table for part in sketch.parts("noun"))
    reached = [
        p for p in others if any(link.many for link in sketch.lexicon.links.path(str(p.data), field.table) or ())
    ]
    own = any(group.column is None and group.table == field.table for group in groups)
    grouped = _of_a_parent(sketch, field) or (bool(groups) and not own)
    return grouped or bool(reached and not named and averaged(field) and not display(sketch.lexicon, field.table))


def _of_a_parent(sketch: Sketch, field: Field) -> bool:
    """“rating of Gabbro”: the many ratings of one thing."""
    tests = [test for part in sketch.parts("filter") for test in part.data]
    called = [
        test for test in tests if test.operator == "=" and test.field in display(sketch.lexicon, test.field.table)
    ]
    tables = {test.field.table for test in called} - {field.table}
    one = len(called) == len(tables) == 1 and not sketch.parts("noun") and not sketch.flags("list")
    return one and averaged(field) and many_between(sketch.lexicon, tables.pop(), field.table)


def _row_ranked(sketch: Sketch) -> str:
    """Return the table of “list the 10 biggest contracts with customer and size”: single rows are ranked."""
    first = next((part for part in sketch.parts("rank") if isinstance(part.data.key, Field)), None)
    asked = sketch.flags("list") or any(part.said.lower().startswith("list") for part in sketch.parts("rank"))
    if first is None or not asked or sketch.data("group"):
        return ""
    others = [part for part in sketch.cover.parts if part.kind in ("noun", "attribute") and part.start >= first.end]
    listed = others and "with" in {word.key for word in sketch.lattice.words[first.end : others[0].start]}
    return first.data.key.table if listed else ""


def _in_list(sketch: Sketch, field: Field) -> bool:
    """Whether several columns of named rows are asked for: “invoices over 50: number, date, amount”."""
    if sketch.data("group") or not any(part.data == field.table for part in sketch.parts("noun")):
        return False
    if _beside_rows(sketch, field):
        return True
    columns = [part for part in sketch.parts("attribute") if part.data.table == field.table]
    words = [part for part in (*sketch.flags("unit"), *sketch.flags("count")) if part.said.lower() in LISTED]
    return len(columns) + len(words) > 1


def _beside_rows(sketch: Sketch, field: Field) -> bool:
    """“overdue invoices with school and total” lists rows."""
    first = next(iter(sketch.cover.parts), None)
    rows = next(part for part in sketch.parts("noun") if part.data == field.table)
    column = next((part for part in sketch.parts("attribute") if part.data == field), None)
    said = {word.key for word in sketch.lattice.words[rows.end : column.start]} if column else set()
    figures = any(sketch.flags(sign) for sign in ("aggregate", "average", "much", "count"))
    return bool(first and first.start == 0 and "with" in said and not figures)


def settle_target(sketch: Sketch, wanted: list[Wanted]) -> None:
    """Find the thing listed or ranked: the first table named, or a column with the things as values."""
    nouns = [(part, str(part.data)) for part in sketch.parts("noun")]
    tables = [table for _, table in nouns]
    if ranked := _row_ranked(sketch):
        sketch.target = Group(ranked)
        return
    if sketch.shown:
        first = sketch.shown[0]
        if their := _with_theirs(sketch, nouns, first):
            sketch.target = Group(their)
            return
        own = first.table in _apart(sketch, nouns) or first in display(sketch.lexicon, first.table)
        table = sketch.lexicon.table(first.table)
        keyed = is_key(table, sketch.lexicon.column(first))
        keyed = keyed and not (len(table.primary_key) > 1 and not first.column.lower().endswith("id"))
        common = _commonest(sketch)
        kinds = common or (_ranks_or_counts(sketch) and not is_numeric(sketch.lexicon, first))
        if kinds and (common or not own) and not keyed:
            sketch.target = Group(first.table, first.column)
            sketch.shown = [f for f in sketch.shown if f != first]
            return
        sketch.target = (
            referred(sketch, Group(first.table, first.column)) if keyed and _ranks_or_counts(sketch) else None
        )
        if sketch.target and sketch.target.column is None and sketch.target.table != first.table:
            sketch.shown = [f for f in sketch.shown if f != first]
            return
        sketch.target = Group(first.table)
        if (
            tables
            and first.table not in tables
            and _names_row(sketch, first)
            and not display(sketch.lexicon, first.table)
        ):
            sketch.target = Group(tables[0])
        return
    if tables:
        sketch.target = Group(_asked(sketch, nouns, wanted))


def _with_theirs(sketch: Sketch, nouns: list[tuple[Part, str]], first: Field) -> str:
    """“apps with their team and region” lists apps, each with the name and the column of its one team."""
    if len(nouns) < 2 or first.table != nouns[1][1] or sketch.wanted or _ranks_or_counts(sketch):
        return ""
    (one, rows), (other, parent) = nouns[:2]
    between = {word.key for word in sketch.lattice.words[one.end : other.start]}
    path = sketch.lexicon.links.path(rows, parent)
    if not between & {"their", "its"} or not path or any(link.many for link in path):
        return ""
    names = (*display(sketch.lexicon, rows), *display(sketch.lexicon, parent))
    sketch.shown = list(dict.fromkeys((*names, *sketch.shown)))
    return rows


def _apart(sketch: Sketch, nouns: list[tuple[Part, str]]) -> list[str]:
    """The tables named, but for those of an absence: “categories with no web app” names no apps."""
    absent = {(part.end, part.data.table) for part in sketch.parts("presence") if not part.data.present}
    return [table for part, table in nouns if (part.start, table) not in absent]


def _asked(sketch: Sketch, nouns: list[tuple[Part, str]], wanted: list[Wanted]) -> str:
    """The table asked about: the first named, unless a figure is of it."""
    if (things := _called_by_kind(sketch, nouns)) and not wanted:
        return things
    counted = {w.measure.table for w in wanted if w.measure.column is None}
    keys = {r.key.table for r in sketch.data("rank") if isinstance(r, Rank) and isinstance(r.key, Measure)}
    free = [table for _, table in nouns if table not in counted]
    if keys and len(free) > 1 and free[0] in keys:
        free = [table for table in free if table not in keys] or free
    return (free or [table for _, table in nouns])[0]


def _called_by_kind(sketch: Sketch, nouns: list[tuple[Part, str]]) -> str:
    """“games made by teams in Asia” lists games, called by their category, not teams."""
    first = next(iter(sketch.parts("filter")), None)
    if first is None or len(nouns) != 1 or first.end > nouns[0][0].start or len(first.data) != 1:
        return ""
    test, words = first.data[0], sketch.lattice.words
    opened = all(word.key in OPENING for word in words[: first.start])
    between = {word.key for word in words[first.end : nouns[0][0].start]} & LINKING
    said = words[first.end - 1].key
    if is_term(test.field) or test.operator != "=" or not opened or not between or singular(said) == said:
        return ""
    own = test.field.table
    return own if own != nouns[0][1] and sketch.lexicon.links.path(own, nouns[0][1]) else ""


def _commonest(sketch: Sketch) -> bool:
    """Whether the values of a column are ranked by how often they occur: “the most common birth place of people”."""
    commons = [part for part in sketch.parts("rank") if isinstance(part.data, Rank) and part.data.common]
    first = next(part for part in sketch.parts("attribute") if part.data == sketch.shown[0])
    between = [part for part in sketch.parts("noun") if commons and commons[0].end <= part.start < first.start]
    apart = [part for part in between if part.end < first.start]  # “most popular app name” has its noun right before
    return bool(commons) and commons[0].end <= first.start and not apart


def _ranks_or_counts(sketch: Sketch) -> bool:
    ranks = [r for r in sketch.data("rank") if not isinstance(r.key, Field) or is_fact(sketch.lexicon, r.key.table)]
    averages = any(isinstance(r.key, Measure) for r in sketch.data("rank"))
    averages = averages or any(isinstance(s.key, Measure) and s.loose for s in sketch.data("order"))
    tables = {field.table for field in sketch.shown}
    averages = averages or any(isinstance(r.key, Field) and r.key.table not in tables for r in sketch.data("rank"))
    own = [p for p in sketch.data("presence") if p.where and sketch.shown and p.table == sketch.shown[0].table]
    return bool(ranks or averages or own or sketch.data("having"))


def _names_row(sketch: Sketch, field: Field) -> bool:
    return field.column.lower() == "name" and bool(sketch.lexicon)
