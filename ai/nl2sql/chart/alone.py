"""Constituents of one word or name: columns, things, words of grammar."""

from collections.abc import Iterator
from dataclasses import replace

from ai.nl2sql.chart.figures import field_of, table_named
from ai.nl2sql.chart.parts import Flag, Part
from ai.nl2sql.chart.rules import Rule, Run, implied_tables, part_of
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.lasting import age_field, said_unit
from ai.nl2sql.lattice import Item
from ai.nl2sql.meaning import Field
from ai.nl2sql.phrases import WEAK_PARTS
from ai.nl2sql.schema import columns_named, display, is_numeric
from ai.nl2sql.spans import DATED
from ai.nl2sql.values import truths
from ai.nl2sql.words import is_participle, name_parts, singular, stem, stems

EXACT = 0.2  # a table that the words name rather than the column
ASKED_AS_VERB = 2.0  # a column that is named where the question has its verb
STATED = 0.4  # a word for the rows that is also one for the state of some of them: “booked”
DONE_TO = 1.5  # “jobs tagged urgent” are no rows of `job_tags`
RELATIVE = 1.5  # a yes or no that tells which rows are meant
OF_ROWS = 0.8  # “everything launched” is no wish for all columns
OF_OTHERS = 1.5  # “how old is the Comet” asks for no age of its sailors
BEFORE_ROWS = 0.6  # a day in the place of an adjective
PART_OF_DAY = 1.5  # “year” of “this year”
MERE_DATE = 0.7  # “date” is rather the day of what is listed than a column of another table

BUSY = frozenset("busiest quietest slowest peak which what".split())


def attribute(run: Run) -> Iterator[Part]:
    field = field_of(run.item(0))
    said = {singular(word.key) for word in run.lattice.words[run.start : run.end]}
    if is_metric(field) or (_is_day(run, field) and not said & {*_telling_parts(field), "birthday", "date", "day"}):
        return
    cost = 0.02 + ASKED_AS_VERB * _is_verb(run) + MERE_DATE * (said == {"date"}) + RELATIVE * _tells_which(run, field)
    cost += BEFORE_ROWS * (_describes_rows(run, field) or _is_own_deed(run, field))
    yield part_of(run, "attribute", field, cost, frozenset({field.table}))
    if (start := _names_of(run, field)) is not None:
        yield replace(part_of(run, "attribute", field, cost, frozenset({field.table})), start=start)


def _describes_rows(run: Run, field: Field) -> bool:
    """Whether a word tells which rows are meant: “retired apps”."""
    said = run.lattice.words[run.start].key
    optional = _is_day(run, field) and run.lexicon.column(field).nullable
    rows = any(item.cost < EXACT and table_named(item) == field.table for item in run.lattice.at(run.end, "table"))
    return optional and rows and run.end == run.start + 1 and is_participle(said)


def _is_own_deed(run: Run, field: Field) -> bool:
    """“invoiced” is no invoice number."""
    said = run.lattice.words[run.start].key
    table = stems(name_parts(field.table))
    return (
        run.end == run.start + 1
        and said.endswith("ed")
        and stem(said) in table
        and said not in name_parts(field.column)
    )


def _telling_parts(field: Field) -> set[str]:
    return {part for part in name_parts(field.column) if part not in WEAK_PARTS}


def _names_of(run: Run, field: Field) -> int | None:
    """Where “the names of” begins before a column whose values are names themselves: “the names of the directors”."""
    at = run.start
    while at and run.lattice.words[at - 1].key in ("the", "all", "different", "distinct"):
        at -= 1
    named = at > 1 and run.lattice.words[at - 1].key == "of" and run.lattice.words[at - 2].key in ("name", "names")
    things = any(item.end == run.end and item.cost < EXACT for item in run.lattice.at(run.start, "table"))
    whole = run.item(0).cost < EXACT and run.lexicon.column(field).kind == "text"
    return at - 2 if named and whole and not things else None


def _is_verb(run: Run) -> bool:
    """Whether a word stands where a verb does: “what did we pay”."""
    before = [word.key for word in run.lattice.words[max(0, run.start - 2) : run.start]]
    return len(before) == 2 and before[0] in ("do", "did", "does") and before[1] in ("we", "they", "you", "i", "it")


def _tells_which(run: Run, field: Field) -> bool:
    """Whether a yes or no narrows the rows: “listings that allow pets” are not all listings."""
    before = run.lattice.words[run.start - 1].key if run.start else ""
    owned = [word.key for word in run.lattice.words[max(0, run.start - 2) : run.start]]
    having = len(owned) > 1 and owned[0] in ("have", "has", "had") and owned[1] in ("the", "a", "an")
    return (before in ("that", "which", "who") or having) and bool(truths(run.lexicon.column(field)))


def _is_day(run: Run, field: Field) -> bool:
    return run.lexicon.column(field).kind in DATED


def sibling(run: Run) -> Iterator[Part]:
    """“first and last name”: the column named alike but for its first word."""
    field = field_of(run.item(-1))
    if is_metric(field):
        return
    parts = name_parts(field.column)
    wanted = (run.lattice.words[run.start].key, *parts[1:])
    for column in run.lexicon.table(field.table).columns:
        if len(parts) > 1 and name_parts(column.name) == wanted:
            other = Field(field.table, column.name)
            yield Part("attribute", run.start, run.start + 1, 0.05, other, frozenset({field.table}))


def included(run: Run) -> Iterator[Part]:
    """“incl. tax”: whether a figure includes the column."""
    sign = next(item for item in run.items if isinstance(item, Item) and item.kind == "included")
    column = next(item for item in run.items if isinstance(item, Item) and item.kind == "column")
    word = run.lattice.words[column.start].key
    if column.end == sign.start and not run.lattice.words[sign.start].key.startswith(("incl", "excl")):
        return  # “titles without a rating”
    yield part_of(run, "flag", Flag("included", f"{sign.value}|{word}"), 0.05)


def asked(run: Run) -> Iterator[Part]:
    """“how old is Ann”: the column of the adjective, or the time since her birth."""
    words = run.item(0).value.split()
    named = {item.sense.table for kind in ("table", "value") for item in _after(run, kind) if item.sense}
    for table in implied_tables(run):
        other = OF_OTHERS * bool(named and table.name not in named)
        for column in dict.fromkeys(column for word in words for column in columns_named(run.lexicon, table, word)):
            field = Field(table.name, column.name)
            if is_numeric(run.lexicon, field):
                yield part_of(run, "attribute", field, 0.1 + other, frozenset({table.name}))
    for name in sorted(named) if "age" in words else ():
        if age := age_field(run.lexicon.table(name), said_unit(run.lattice.words)[0]):
            yield part_of(run, "attribute", age, 0.1, frozenset({name}))


def _after(run: Run, kind: str) -> list[Item]:
    """Return the names right behind, an article between or not."""
    ends = {run.end, *(item.end for item in run.lattice.at(run.end, "filler"))}
    return [item for end in sorted(ends) for item in run.lattice.at(end, kind)]


def noun(run: Run) -> Iterator[Part]:
    table = table_named(run.item(0))
    states = [item for item in run.lattice.at(run.start, "value") if item.end == run.end and table_named(item) == table]
    said = run.lattice.words[run.end - 1].key
    done = run.end > run.start + 1 and is_participle(said) and said not in name_parts(table)
    yield part_of(run, "noun", table, STATED * bool(states) + DONE_TO * done, frozenset({table}))


def kinds_of(run: Run) -> Iterator[Part]:
    """“app categories”: a column of the things named in the singular before it."""
    owner, field = table_named(run.item(0)), field_of(run.item(1))
    one, several = run.lattice.words[run.item(1).start - 1].key, run.lattice.words[run.end - 1].key
    kinds = singular(several) != several and singular(one) == one
    if not kinds or owner != field.table or is_metric(field) or field in display(run.lexicon, owner):
        return
    if run.lexicon.column(field).kind == "text":
        yield part_of(run, "attribute", field, 0.0, frozenset({owner}))


def everything_done(run: Run) -> Iterator[Part]:
    """“everything launched in 2026”."""
    field, said = field_of(run.item(1)), run.lattice.words[run.item(1).start].key
    if not is_metric(field) and _is_day(run, field) and is_participle(said):
        rows = part_of(run, "noun", field.table, 0.1, frozenset({field.table}))
        yield replace(rows, end=run.item(0).end, cost=rows.cost - run.item(1).cost)


def moving(run: Run) -> Iterator[Part]:
    """“7 day moving average”: the window."""
    number, unit = run.item(0).number, run.item(1).value
    if isinstance(number, int) and number > 1:
        yield part_of(run, "flag", Flag("moving", f"{number} {unit}"), 0.05)


def flagged(run: Run) -> Iterator[Part]:
    item = run.item(0)
    if item.kind == "list" and run.start and run.lattice.words[run.start].key == "name":
        return
    of_day = item.kind == "unit" and any(date.end >= run.end for date in run.lattice.at(max(0, run.start - 1), "date"))
    of_rows = item.kind == "everything" and any(is_participle(w.key) for w in run.lattice.words[run.end : run.end + 1])
    said = run.lattice.words[run.start].key
    rated = item.kind == "verb" and said in ("rate", "rates") and run.start > 0
    bound = item.kind == "verb" and said == "rated" and bool(run.lattice.at(run.end, "compare"))  # “rated over 4”
    cost = 0.05 + PART_OF_DAY * of_day + OF_ROWS * of_rows + PART_OF_DAY * (rated or bound)
    yield part_of(run, "flag", Flag(item.kind, item.value), cost)


def busiest_hour(run: Run) -> Iterator[Part]:
    """“the busiest hour”: of the day."""
    if run.start and run.lattice.words[run.start - 1].key in BUSY:
        yield part_of(run, "flag", Flag("unit", "hour"), 0.05)


ALONE = (
    Rule("clock", busiest_hour),
    Rule("included ~column", included),
    Rule("column ~included", included),
    Rule("column", attribute),
    Rule("ordinal|top|adjective and column", sibling),
    Rule("table", noun),
    Rule("table ~column", kinds_of),
    Rule("everything column", everything_done),
    Rule("asks", asked),
    Rule("number ~unit ~moving", moving),
    Rule(
        "new|contrast|gain|unit|verb|list|when|who|everything|share|versus|growth|earlier|moving|running"
        "|each|all|other|back|only|open|or|and|have|distinct|count|much"
        "|aggregate|ordinal|average|yesno|order|group|both|unused|counted_last",
        flagged,
    ),
)
