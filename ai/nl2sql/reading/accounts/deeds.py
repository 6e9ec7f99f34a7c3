"""Checks of deeds: their day, their number, their object."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from ai.nl2sql.chart.parts import Part, Wanted, When
from ai.nl2sql.deeds import rows_made
from ai.nl2sql.definitions import is_term
from ai.nl2sql.meaning import Field, Measure, Period
from ai.nl2sql.phrases import CANCELLED
from ai.nl2sql.reading.rows.happenings import day_of_deed, day_of_value
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import display, end_day, noun, title
from ai.nl2sql.spans import DATED, dates, verb_of
from ai.nl2sql.wording import ACTORS, DID, is_state
from ai.nl2sql.words import Word, is_participle, keys, name_parts, singular, stem


def _done_then(sketch: Sketch) -> None:
    """“orders shipped last week”, “cancellations in May” by a state: it began on another day than the order."""
    if sketch.flags("share"):
        return  # “what share of orders were cancelled in May” is of those ordered then
    days_read = {(p.field.table, p.field) for p in sketch.meaning.periods}
    states = [(part, part.data[0]) for part in sketch.parts("filter")]
    states += [(p, p.data.filters[0]) for p in sketch.parts("measure") if isinstance(p.data, Wanted) and p.data.filters]
    for (part, test), period in product(states, sketch.parts("period")):
        said = part.said.lower().split()[-1:]
        between = any(part.end <= other.start < period.start for other in sketch.cover.parts)
        if not said or between or test.operator != "=" or not _tells_deed(said[0], next(iter(test.values), None)):
            continue
        if is_term(test.field) or not 0 <= period.start - part.end <= 1 or day_of_value(sketch, period):
            continue
        day = next((field for table, field in days_read if table == test.field.table), None)
        several = day and len(dates(sketch.lexicon.table(day.table))) > 1 and not _of_the_rows(day)
        if day and several and day != day_of_deed(sketch, period) and not _same_deed(day, said[0]):
            sketch.doubt(
                f"I know no day on which they were {str(test.values[0]).lower()}; {title(day)} is another one.", 1.0
            )


def _state_of_others(sketch: Sketch) -> None:
    """“orders got cancelled” is no state of their titles where orders are cancelled themselves."""
    root = sketch.meaning.root
    for part in sketch.parts("filter"):
        test = part.data[0]
        alike = [s for s in sketch.lexicon.values.get(keys(part.said), ()) if s.table == root and is_state(s)]
        behind = any(rows.end <= part.start <= rows.end + 2 and root in rows.tables for rows in sketch.cover.parts)
        if (
            test.field.table != root
            and not is_term(test.field)
            and alike
            and behind
            and is_participle(keys(part.said)[-1])
        ):
            others, rows = noun(sketch.lexicon, test.field.table), noun(sketch.lexicon, root)
            sketch.doubt(f"“{part.said}” is said of the {others} here; I cannot tell which {rows} are.")


def _of_the_rows(day: Field) -> bool:
    """Whether a day is the rows' own: `week_starting` of boxes."""
    own = {"week", "month", "period", *map(singular, name_parts(day.table))}
    parts = verb_of(day.column)
    return bool(own & {*parts}) and not any(map(is_participle, parts))


BESIDE = 0.8  # less than what a reading costs that counts them
ENDING = frozenset("cancelled canceled churned terminated lapsed".split())


def _done_along(sketch: Sketch) -> None:
    """“cancellations per month” go by no month of a beginning."""
    split = [group for group in sketch.meaning.all_groups if group.unit and group.column]
    states = [test for part in sketch.parts("filter") for test in part.data[:1]]
    states += [test for part in sketch.parts("measure") if isinstance(part.data, Wanted) for test in part.data.filters]
    said = {word.stem for word in sketch.lattice.words if singular(word.key) != word.key}
    for test, group in product(states, split):
        state = str(next(iter(test.values), "")).lower()
        table = sketch.lexicon.table(test.field.table)
        named = is_participle(state) and stem(state) in said and not is_term(test.field)
        named = named or (state in ENDING and end_day(table, "over") is not None)
        several = group.table == test.field.table and len(dates(sketch.lexicon.table(group.table))) > 1
        day = Field(group.table, group.column or "")
        if named and several and not _same_deed(day, state):
            sketch.doubt(f"I know no day on which they were {state}; {title(day)} is another one.")


def _tells_deed(said: str, state: object) -> bool:
    """Whether a word says what was done: “shipped”, or “cancellations” for what is cancelled."""
    if not isinstance(state, str):
        return False
    named = is_participle(state.lower()) and stem(singular(said)) == stem(state.lower()) and said != state.lower()
    return said.endswith("ed") or named


def _same_deed(day: Field, said: str) -> bool:
    return stem(said) in {stem(part) for part in name_parts(day.column)}


def _how_often(sketch: Sketch) -> None:
    """“how often was each voucher used”, or one, counts no vouchers."""
    said = {part.said.lower() for part in (*sketch.flags("count"), *sketch.parts("measure"))}
    often = any(text.startswith(("how often", "how many times")) for text in said)
    counted = {measure.table for measure in sketch.meaning.measures if measure.function == "count"}
    named = [test.field for test in sketch.meaning.filters if test.operator == "="]
    singled = {field.table for field in named if field in display(sketch.lexicon, field.table)}
    nouns = {str(part.data) for part in sketch.parts("noun")}
    if often and counted & (nouns if sketch.flags("each") else singled):
        sketch.doubt("I cannot tell what is counted here; name it, such as “number of orders”.")


def _what_was_done(sketch: Sketch) -> None:
    """“what did Ann order” asks for things, not for the number and the day of an order."""
    words, meaning = sketch.lattice.words, sketch.meaning
    asks = len(words) > 2 and words[0].key == "what" and words[1].key in DID
    told = sketch.shown or any(measure.function not in ("min", "max") for measure in meaning.all_measures)
    if asks and meaning.subject and not told and not display(sketch.lexicon, meaning.subject):
        things = noun(sketch.lexicon, meaning.subject)
        sketch.doubt(f"I cannot tell what of the {things} you want to see; name a column or a figure.")


def _other_day(sketch: Sketch) -> None:
    """“coaches who sold in May”: the day of a verb that names one is not another day."""
    meaning = sketch.meaning
    tests = (*meaning.periods, *(test for presence in meaning.presences for test in presence.where))
    used = {test.field for test in tests if isinstance(test, Period)}
    for verb in sketch.flags("verb"):
        before = any(0 <= period.start - verb.end <= 1 for period in sketch.parts("period"))
        named = {item.sense.field for item in sketch.lattice.at(verb.start, "column") if item.sense}
        named = {f for f in named if sketch.lexicon.column(f).kind in DATED and "last" not in name_parts(f.column)}
        if before and used and named and not named & used:
            sketch.doubt(f"I cannot tell which day “{verb.said}” is about.")


GAINED = frozenset("get gain have had got add acquire win welcome onboard make create receive take".split())


def _done_by_us(sketch: Sketch) -> None:
    """“how many patients did we see last month”: the day they were registered is no day of that."""
    words = [word.key for word in sketch.lattice.words]
    asked = [at for at, word in enumerate(words[:-2]) if word in DID and words[at + 1] in ACTORS]
    verbs = [words[at + 2] for at in asked if words[at + 2] not in GAINED]
    counted = {measure.table for measure in sketch.meaning.measures if measure.function == "count"}
    for verb, period in product(verbs, sketch.meaning.periods):
        table = period.field.table
        named = {stem(part) for part in name_parts(period.field.column)}
        begun = verb in COMING and bool(named & BEGUN)  # what we launched began then
        begun = begun or (verb == "lose" and bool(CANCELLED & {*name_parts(period.field.column)}))
        if table in counted and display(sketch.lexicon, table) and stem(verb) not in named and not begun:
            _another_day(sketch, verb, period.field)


def _end_of_others(sketch: Sketch) -> None:
    """“how many customers did we lose” asks for none whose account manager left."""
    spoken = {table for part in (*sketch.parts("noun"), *sketch.parts("measure")) for table in part.tables}
    for part in sketch.parts("period") if any(word.key in DID for word in sketch.lattice.words) else ():
        day = part.data.field if isinstance(part.data, When) else None
        said = {stem(word) for word in keys(part.said)}
        if day and spoken and day.table not in spoken and said.isdisjoint(map(stem, name_parts(day.column))):
            _another_day(sketch, sketch.lattice.words[part.start].key, day)


def _another_day(sketch: Sketch, verb: str, day: Field) -> None:
    sketch.doubt(f"I cannot tell which day “{verb}” is about; {title(day)} is another one.")


# Of things with a name these say no more than that they came to be.
COMING = frozenset(
    "did do have has had get got gain gained add added join joined register registered sign signed start started found"
    " founded open opened create created launch launched begin began become became was were made".split()
)


BEGUN = frozenset(map(stem, "start begin launch open create found".split()))


def _deed_of_others(sketch: Sketch) -> None:
    """“how many members visited us last month”: the day of joining is none of that."""
    words, meaning = sketch.lattice.words, sketch.meaning
    counted = {m.table for m in meaning.all_measures if m.function == "count" and display(sketch.lexicon, m.table)}
    things = [part for part in (*sketch.parts("measure"), *sketch.parts("noun")) if part.tables <= counted]
    for period in meaning.periods:
        parts = [part for part in sketch.parts("period") if any(part.start >= thing.end for thing in things)]
        if period.field.table not in counted or not parts or not things:
            continue
        own = {stem(part) for part in name_parts(period.field.column)}
        between = words[min(thing.end for thing in things) : parts[0].start]
        verbs = [word for at, word in enumerate(words) if word in between and sketch.lattice.at(at, "verb")]
        other = next((word for word in verbs if word.key not in COMING and word.stem not in own), None)
        if other is not None:
            _another_day(sketch, other.text, period.field)


def _other_deed_often(sketch: Sketch) -> None:
    """“which team ships most often” does not count apps: they are no shipments."""
    counted = [o.key.table for o in sketch.meaning.order if o.key == Measure("count", o.key.table)]
    ranks = {part.start for part in sketch.parts("rank") if part.said.lower().endswith("often")}
    verbs = [part for part in sketch.parts("flag") if part.end in ranks and sketch.lattice.at(part.start, "verb")]
    deeds = [key for part in verbs if (key := sketch.lattice.words[part.start].key) not in COMING]
    if len(counted) == 1 and deeds and not any(rows_made(deeds[0], [sketch.lexicon.table(counted[0])], sketch.lexicon)):
        things = [group.table for group in sketch.meaning.groups] or counted
        sketch.doubt(f"I cannot tell what to count for each of the {noun(sketch.lexicon, things[0])}.")


def _none_or_some(sketch: Sketch) -> None:
    """“customers with unpaid bills”: not those without any payment; some bill lacks one."""
    root, lexicon = sketch.meaning.root, sketch.lexicon
    for absent in {p.table for p in sketch.meaning.presences if not p.present and not p.where}:
        way = [link.target for link in lexicon.links.path(root, absent) or ()]
        between = [t for t in map(str, sketch.data("noun")) if t in way[:-1] and many_between(lexicon, root, t)]
        if between:
            sketch.doubt(f"I cannot tell whether all or only some of the {noun(lexicon, between[0])} are meant.")


def _counted_beside(sketch: Sketch) -> None:
    """“orders and revenue” are two figures: the number of the rows is asked for as well."""
    kept = {measure.table for measure in sketch.meaning.all_measures if measure.function == "count"}
    kept |= {group.table for group in sketch.meaning.groups if not group.column}
    for rows, figure in _joined(sketch):
        if figure.kind in ("measure", "attribute") and sketch.meaning.all_measures and str(rows.data) not in kept:
            what = noun(sketch.lexicon, str(rows.data))
            sketch.doubt(f"I cannot read the number of {what} beside that figure.", BESIDE)


def _split_lost(sketch: Sketch) -> None:
    """“apps and revenue by platform” is of each platform: no other rows are shown with theirs."""
    words = sketch.lattice.words
    for part in sketch.parts("attribute"):
        before = [word.key for word in words[max(0, part.start - 2) : part.start]]
        if before[-1:] == ["by"] and sketch.meaning.groups and not is_participle(before[0]):
            sketch.doubt("I cannot tell what “by” means here.")


def _joined(sketch: Sketch) -> Iterator[tuple[Part, Part]]:
    """Yield the nouns before or after an “and”, each with what stands on its other side."""
    parts, words = [part for part in sketch.cover.parts if part.kind != "flag"], sketch.lattice.words
    for at in (at for at, word in enumerate(words) if word.key == "and"):
        before = [part for part in parts if part.end == at and not _is_of(words, part)]
        after = [part for part in parts if part.start == at + 1]
        for part, others in ((part, after) for part in before if part.kind == "noun" and not part.such):
            told = [other for other in parts for noun in others if noun.kind == "noun" and other.start == noun.end]
            yield from ((part, other) for other in (*others, *told))
        yield from ((part, other) for part in after if part.kind == "noun" and not part.such for other in before)


def _is_of(words: Sequence[Word], part: Part) -> bool:
    """Whether a part only says whose: “revenue of apps and …”."""
    return part.start > 0 and words[part.start - 1].key in ("of", "for", "with", "per", "by", "between", "from")


DEEDS: tuple[Callable[[Sketch], None], ...] = (
    _other_day,
    _how_often,
    _what_was_done,
    _done_then,
    _state_of_others,
    _done_along,
    _done_by_us,
    _end_of_others,
    _deed_of_others,
    _other_deed_often,
    _none_or_some,
    _counted_beside,
    _split_lost,
)
