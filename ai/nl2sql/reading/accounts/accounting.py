"""Checks of a meaning against its words: the thing asked for is shown, and no word is lost."""

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise

from ai.nl2sql.additivity import held
from ai.nl2sql.chart.parts import Rank, Wanted, When
from ai.nl2sql.definitions import is_metric, is_term
from ai.nl2sql.guesses import is_spelt_alike
from ai.nl2sql.meaning import Field, Group, Measure, Period
from ai.nl2sql.reading.accounts.deeds import DEEDS
from ai.nl2sql.reading.accounts.elsewhere import loosely_linked
from ai.nl2sql.reading.accounts.mistaken import MISTAKEN
from ai.nl2sql.reading.accounts.passed_over import PASSED_OVER
from ai.nl2sql.reading.accounts.unlikely import UNLIKELY
from ai.nl2sql.reading.sketch import Sketch, is_fact, many_between
from ai.nl2sql.reading.times import current
from ai.nl2sql.schema import averaged, averaged_stems, days, is_numeric, noun, summed_by_metric, title
from ai.nl2sql.spans import DATED
from ai.nl2sql.vocabulary import is_kind
from ai.nl2sql.words import keys, name_parts, singular, stem

PRICES = frozenset({"price"})  # adds up over what was sold
AMOUNT = 1.2  # what it costs to group by a column of amounts
BY_MANY = 1.3  # likewise, by one of which each row has many values


def questioned(sketch: Sketch) -> None:
    """“when” must be answered by a day; “who” and “where” by a name."""
    meaning = sketch.meaning
    if sketch.flags("when"):
        fields = [*meaning.columns, *(Field(m.table, m.column) for m in meaning.measures if m.column)]
        if not any(not f.column.startswith("=") and sketch.lexicon.column(f).kind in DATED for f in fields):
            sketch.doubt("I find no date that says when.")
    periods = [part for part in sketch.parts("period") if isinstance(part.data, When)]
    _fresh(sketch)
    if len(periods) > 1 and len({p.field for p in meaning.periods}) == 1 and len(meaning.periods) > 1:
        sketch.doubt("I cannot tell how these times belong together.")
    fixed = {f.field: str(f.values[0]) for f in meaning.filters if f.operator == "=" and f.values}
    fixed |= {p.field: str(p.start) for p in meaning.periods if p.start and p.end == p.start + timedelta(days=1)}
    named = {str(part.data) for part in sketch.parts("noun")}
    known = meaning.columns and not meaning.all_measures and set(meaning.columns) <= {*fixed}
    if known and (meaning.subject not in named or sketch.flags("who")):
        sketch.doubt(f"What do you want to know about {next(iter(fixed.values()))}?")
    for check in CHECKS:
        check(sketch)
    if sketch.lattice.words[0].key in ("where", "why") and not sketch.shown:
        sketch.doubt(f"I cannot answer “{sketch.lattice.words[0].text}” here; ask for a column or a figure.")
    if meaning.subject and is_fact(sketch.lexicon, meaning.subject):
        sketch.cost -= 0.04


def _fresh(sketch: Sketch) -> None:
    """“new” says nothing more where rows are counted by their own day."""
    meaning = sketch.meaning
    counted = {m.table for m in meaning.all_measures if m.function == "count"} or {meaning.subject}
    inside = (test for measure in meaning.all_measures for test in measure.where if isinstance(test, Period))
    dated = {p.field for p in (*meaning.periods, *inside)}
    dated |= {Field(g.table, g.column) for g in meaning.all_groups if g.unit and g.column}
    if any(held(measure, sketch.lexicon) for measure in meaning.all_measures):
        return  # those there are, not those who came
    if dated and any(set(days(sketch.lexicon, table)) & dated for table in counted if table):
        sketch.flag("new")


def _who(sketch: Sketch) -> None:
    """“who left” shows the subjects of the verb, “who looks after clients” not its objects."""
    said = {part.data.field.table for part in sketch.parts("period") if isinstance(part.data, When) and part.data.field}
    meaning = sketch.meaning
    does = min((part.end for part in sketch.flags("verb")), default=len(sketch.lattice.words))
    done_to = {str(part.data) for part in sketch.parts("noun") if part.start >= does and not meaning.groups}
    subject_missing = len(said) == 1 and meaning.subject not in said
    if sketch.flags("who") and not meaning.measures and (subject_missing or meaning.subject in done_to):
        sketch.doubt("I cannot tell who is meant.")
    told = {meaning.subject, *(group.table for group in meaning.groups)}
    told |= {name for field in meaning.columns for name in (field.table, field.column)}
    asked = any(part.start and sketch.lattice.words[part.start - 1].key == "and" for part in sketch.flags("who"))
    if asked and not any(is_kind(table, "people") for table in told if table):
        sketch.doubt("I cannot tell who is meant.")  # “the biggest fee and who did it”
    if sketch.lattice.words[0].key == "who" and meaning.measures and not (meaning.groups or meaning.columns):
        sketch.doubt("I cannot tell who is meant.")


def _theirs(sketch: Sketch) -> None:
    """“vets with their clinics” lists vets, not clinics."""
    first = next(iter(sketch.parts("noun")), None)
    filters = [part for part in sketch.parts("filter") if first and part.end <= first.start]
    if first and filters and sketch.lattice.words[first.start - 1].key in ("their", "its"):
        sketch.cost += 1.0


def _counted_and_described(sketch: Sketch) -> None:
    """“average length of dental visits”: the visits are not counted beside the figure."""
    figures = [part for part in sketch.parts("measure") if isinstance(part.data, Wanted)]
    for before, part in pairwise(figures):
        metric = part.data.measure.function == "metric" and part.data.measure.table == before.data.measure.table
        between = {word.key for word in sketch.lattice.words[before.end : part.start]}
        if metric and "of" in between and not between & {"and", "or", "vs", "per", "by"}:
            sketch.cost += 0.8


def _adjectives(sketch: Sketch) -> None:
    """A definition for one thing says nothing of another: with “active subscription”, “active accounts” is open."""
    spoken = {str(part.data) for part in sketch.parts("noun")} | {w.measure.table for w in sketch.wanted}
    spoken |= {t.field.table for part in sketch.parts("filter") for t in part.data if not is_term(t.field)}
    for part in sketch.parts("filter"):
        for test in part.data:
            half = is_term(test.field) and not sketch.lexicon.defines(keys(part.said))
            if half and test.field.table not in spoken:
                things = noun(sketch.lexicon, test.field.table)
                sketch.doubt(f"“{part.said}” is defined for {things} only; say which {things} you mean.")


def _guessed_alone(sketch: Sketch) -> None:
    """Nothing is answered from words merely near to those of the data."""
    named = [part for part in sketch.cover.parts if part.tables]
    if named and all(part.note and not is_spelt_alike(part.note) for part in named):
        sketch.doubt(f"I cannot tell what “{named[0].said}” means here; say it in words of this data.", 1.0)


def _far_apart(sketch: Sketch) -> None:
    """Columns of several unnamed tables are rarely asked for."""
    nouns = {str(part.data) for part in sketch.parts("noun")}
    tables = {field.table for field in sketch.shown}
    tables |= {
        part.data.field.table for part in sketch.parts("period") if isinstance(part.data, When) and part.data.field
    }
    if not nouns and not sketch.meaning.all_measures:
        sketch.cost += 1.2 * max(0, len(tables) - 1)
    for test in sketch.meaning.filters:
        if test.than and any(other.field == test.field and other is not test for other in sketch.meaning.filters):
            sketch.doubt(f"I cannot tell over which rows the {test.than} of {title(test.field)} is meant.")


def _grouped_by_amount(sketch: Sketch) -> None:
    """Rows are rarely grouped by an amount: “by revenue” ranks."""
    for group in sketch.meaning.groups:
        field = Field(group.table, group.column or "")
        if field.column and not group.unit and not field.column.startswith("=") and _is_amount(sketch, field):
            sketch.cost += AMOUNT


def _ranked_by_rows(sketch: Sketch) -> None:
    """“top 3 products by returns” ranks the products by how many there are, and not those of each return."""
    ranks = [rank for rank in sketch.data("rank") if isinstance(rank, Rank)]
    keys_of = {rank.key.table for rank in ranks if isinstance(rank.key, Measure) and rank.key.column is None}
    things = {str(part.data) for part in sketch.parts("noun")} | {field.table for field in sketch.shown}
    for group in [group for found in sketch.data("group") for group in found] if ranks else ():
        behind = any(many_between(sketch.lexicon, thing, group.table) for thing in things)
        number = group.column and not group.unit and _is_number(sketch, Field(group.table, group.column))
        sketch.cost += AMOUNT * bool(number or (group.column is None and (behind or group.table in keys_of)))
    for part in sketch.parts("filter"):
        word = sketch.lattice.words[part.start - 1].key if part.start else ""
        sketch.cost += AMOUNT * (word in ("top", "bottom") and part.said[:1].isdigit())


def _rates_added(sketch: Sketch) -> None:
    """“total hours” is no total of an hourly rate."""
    said = {word.stem for word in sketch.lattice.words}
    fold = sketch.meaning.fold
    for measure in sketch.meaning.all_measures:
        field = Field(measure.table, measure.column or "")
        by_row = fold is not None and fold.function == "median" and fold.grain == (Group(field.table),)
        if by_row or measure.function != "sum" or not averaged(field) or is_metric(field):
            continue
        rates = averaged_stems() & {stem(part) for part in name_parts(field.column)}
        if not rates & said and not PRICES & rates:
            sketch.doubt(f"{title(field).capitalize()} has no total; ask for its average.")


def _state_of_another(sketch: Sketch) -> None:
    """“completed projects”: a state of the things named beside it, where they have one of that name."""
    nouns = {part.start: str(part.data) for part in sketch.parts("noun")}
    for part in sketch.parts("filter"):
        thing = nouns.get(part.end)
        own = {
            item.sense.table for item in sketch.lattice.at(part.start, "value") if item.sense and item.end == part.end
        }
        if thing in own and all(test.field.table != thing for test in part.data):
            sketch.cost += 0.4


def _ends_of_times(sketch: Sketch) -> None:
    """“stock at the end of May” is of its last day, “sales at the end of May” of days that nobody named."""
    words = [word.key for word in sketch.lattice.words]
    said = any(words[max(0, part.start - 2) : part.start] == ["end", "of"] for part in sketch.parts("period"))
    if said and not any(held(measure, sketch.lexicon) for measure in sketch.meaning.all_measures):
        sketch.doubt("I cannot tell which days are the end of that time; name the days.")


def _is_number(sketch: Sketch, field: Field) -> bool:
    return not is_metric(field) and is_numeric(sketch.lexicon, field) and not averaged(field)


def _is_amount(sketch: Sketch, field: Field) -> bool:
    """Whether a column holds fractions, or is summed by a metric."""
    lexicon = sketch.lexicon
    fractions = lexicon.column(field).kind == "number" and is_numeric(lexicon, field)
    return fractions or summed_by_metric(lexicon, field)


def _either_or_both(sketch: Sketch) -> None:
    """“apps with reviews in Germany and France”: of one row they are alternatives, of many rows perhaps both."""
    meaning = sketch.meaning
    if not meaning.subject:
        return
    root = meaning.root
    for test in meaning.filters:
        parts = [part for part in sketch.parts("filter") if any(f.field == test.field for f in part.data)]
        if parts and test.operator == "in" and many_between(sketch.lexicon, root, test.field.table):
            between = sketch.lattice.words[parts[0].start : parts[-1].end]
            if any(word.key == "and" for word in between):
                said = " and ".join(str(value) for value in test.values)
                sketch.doubt(f"“{said}” can mean either of them or both; please say “or”, or ask for one at a time.")


def _child_columns(sketch: Sketch) -> None:
    """A list of things shows no column of their many rows, unless those rows are listed."""
    meaning = sketch.meaning
    nouns = [str(part.data) for part in sketch.parts("noun")]
    for field in meaning.columns if nouns and not meaning.all_measures else ():
        many = any(link.many for link in sketch.lexicon.links.path(nouns[0], field.table) or ())
        listed = field.table in nouns or (meaning.limit and field.table == meaning.subject)
        if many and not listed and is_numeric(sketch.lexicon, field):
            sketch.doubt("I cannot show several rows of one beside it; ask for their average or their total.")
            return


def _by_many(sketch: Sketch) -> None:
    """“meters by kind”: rows are rarely split by a column of many unnamed things."""
    meaning = sketch.meaning
    named = sketch.lattice.named | {str(part.data) for part in sketch.parts("noun")}
    said = {stem(word) for part in sketch.parts("group") for word in part.said.lower().split()}
    named |= {group.table for group in meaning.groups if said & {stem(part) for part in name_parts(group.table)}}
    tables = {group.table for group in meaning.groups if group.column and group.table not in named}
    counted = any(measure.function == "count" and measure.column is None for measure in meaning.measures)
    sketch.cost += BY_MANY * (counted and any(many_between(sketch.lexicon, meaning.root, table) for table in tables))
    rows = {group.table for group in meaning.groups if group.column is None and group.table != meaning.root}
    one = [table for table in rows if not many_between(sketch.lexicon, table, meaning.root)]  # an app per review
    sketch.cost += BY_MANY * bool(counted and len(meaning.groups) == 1 and one)


def _only_describes(sketch: Sketch) -> None:
    """“number of meter readings” counts readings: one thing right before others describes them."""
    nouns = {part.start for part in sketch.parts("noun")}
    for part in sketch.parts("measure"):
        last = sketch.lattice.words[part.end - 1].key
        sketch.cost += 2 * AMOUNT * (part.end in nouns and singular(last) == last and part.data.measure.column is None)


def _per_nothing(sketch: Sketch) -> None:
    """“crashes per app version”: the things said “per” must be seen in the rows."""
    meaning = sketch.meaning
    seen = {field.table for field in meaning.columns} | {meaning.subject}
    groups = [group for found in sketch.data("group") for group in found if group.table]
    lost = next((group.table for group in groups if group.table not in seen), None)
    if lost and not meaning.all_measures and not meaning.all_groups and not meaning.within:
        sketch.doubt(f"I cannot tell what to count per {noun(sketch.lexicon, lost, many=False)}.")


CHECKS: tuple[Callable[[Sketch], None], ...] = (
    _counted_and_described,
    _who,
    _theirs,
    _child_columns,
    _either_or_both,
    current,
    _adjectives,
    _guessed_alone,
    _far_apart,
    loosely_linked,
    _grouped_by_amount,
    _ranked_by_rows,
    _rates_added,
    _state_of_another,
    _ends_of_times,
    _by_many,
    _per_nothing,
    _only_describes,
    *DEEDS,
    *MISTAKEN,
    *PASSED_OVER,
    *UNLIKELY,
)
