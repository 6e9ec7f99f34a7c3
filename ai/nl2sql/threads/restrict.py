"""Edit the conditions of a meaning: add one, or replace those it excludes."""

from dataclasses import replace

from ai.nl2sql.contradictions import EXACT, conditions_of, excludes, impossible, plain_tests
from ai.nl2sql.definitions import is_term
from ai.nl2sql.joins import turns
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Field, Filter, Meaning, Measure, Period, Presence
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import display, noun, title
from ai.nl2sql.values import truths
from ai.nl2sql.words import name_parts

PLACES = frozenset("city town country region continent county province".split())


def with_filters(before: Meaning, sketch: Sketch, *, back: bool = False, wider: bool = False) -> Meaning:
    """Add conditions; one excluding an earlier one, or setting its column anew, takes its place.

    With `back` a value left out before comes back: “with cash again”; with `wider` the state of the others does, too.
    """
    lexicon, filters = sketch.lexicon, before.filters
    among = tuple(
        each for each in before.among if not any(_names_another(each, f, lexicon) for f in sketch.meaning.filters)
    )
    for new in (nearer(test, before, lexicon) for test in sketch.meaning.filters):
        if back and (out := tuple(f for f in filters if _leaves_out(f, new))):
            filters = tuple(f for f in filters if f not in out)
            continue
        if wider and (out := tuple(f for f in filters if _is_opposite(f, new))):
            filters = tuple(f for f in filters if f not in out)
            continue
        old = tuple(f for f in filters if gives_way(f, new, lexicon))
        inside = () if old else tuple(_within(each, new, lexicon) for each in among)
        if inside != among and inside:
            among = inside
        else:
            filters = (*(f for f in filters if f not in old), new)
    moved = {m: replace(m, where=_swapped(m.where, sketch)) for m in before.measures}
    order = tuple(replace(o, key=moved.get(o.key, o.key)) if isinstance(o.key, Measure) else o for o in before.order)
    taken = {
        new for new in sketch.meaning.filters for old in before.measures for w in old.where if _swaps(w, new, lexicon)
    }
    filters = tuple(f for f in filters if f not in taken or f in before.filters)
    either = (*before.either, *sketch.meaning.either)
    presences = _presences(before, sketch)
    return replace(before, filters=filters, either=either, measures=(*moved.values(),), order=order,
                   presences=presences, among=among)  # fmt: skip


def nearer(test: Filter, before: Meaning, lexicon: Lexicon) -> Filter:
    """Put a column of the same name and values that each row has one of for that of rows with only a parent in common."""
    links, root = lexicon.links, before.root
    path = links.path(root, test.field.table) or ()
    if not turns(path) or is_term(test.field) or test.field.table in before.tables:
        return test
    for table in lexicon.tables.values():
        way = links.path(root, table.name)
        column = table.column(test.field.column) if way is not None and not any(step.many for step in way) else None
        if column and {*test.values} <= {*column.values}:
            return replace(test, field=Field(table.name, column.name))
    return test


def uncontradicted(meaning: Meaning, sketch: Sketch) -> tuple[Meaning, str]:
    """Solve what no row can be: a new figure lifts an old condition; a new condition makes a metric a plain count."""
    lexicon = sketch.lexicon
    if pinned := _pinned(meaning, sketch):
        freed = replace(meaning, filters=tuple(test for test in meaning.filters if test not in pinned))
        return freed, f"of any {title(pinned[0].field)}"
    if impossible(meaning, lexicon) is None:
        return meaning, ""
    if sketch.wanted:
        old = (test for test in meaning.filters if test not in sketch.meaning.filters)
        trials = (replace(meaning, filters=tuple(f for f in meaning.filters if f != test)) for test in old)
        return next((trial for trial in trials if impossible(trial, lexicon) is None), meaning), ""
    return _undefined(meaning, sketch.meaning.filters, lexicon)


def _pinned(meaning: Meaning, sketch: Sketch) -> list[Filter]:
    """Return old conditions that leave a new figure one value: the average rating of those of 5 stars is 5."""
    fields = {Field(wanted.measure.table, wanted.measure.column or "") for wanted in sketch.wanted}
    figures = [m for m in meaning.measures if m.function in ("avg", "min", "max", "median")]
    own = fields & {Field(measure.table, measure.column or "") for measure in figures}
    old = [test for test in meaning.filters if test not in sketch.meaning.filters]
    return [test for test in old if test.field in own and test.operator == "=" and len(test.values) == 1]


def _undefined(meaning: Meaning, new: tuple[Filter, ...], lexicon: Lexicon) -> tuple[Meaning, str]:
    """Put the plain figure in the place of a defined one that leaves out what is asked now.

    “and holidays” after sick days, the sum of the days of one kind: the rest of its definition stays.
    """
    figure = meaning.measures[0] if len(meaning.measures) == 1 else None
    metric = lexicon.metric_of(figure) if figure and not figure.per else None
    if figure is None or metric is None:
        return meaning, ""
    table = lexicon.table(figure.table)
    said = metric.expression.replace(" ", "").upper()
    if said in ("COUNT(*)", *(f"COUNT({key})".upper() for key in table.primary_key)):
        note = f"counted are all {noun(lexicon, figure.table)}, as “{metric.name}” leaves these out"
        return meaning.exchanged(figure, Measure("count", figure.table)), note
    summed = next((column.name for column in table.columns if said == f"SUM({column.name})".upper()), None)
    tests = conditions_of(metric.condition, figure.table)
    if summed is None or not tests:
        return meaning, ""
    kept = tuple(test for test in tests if not any(test.field == each.field for each in new))
    plain = meaning.exchanged(figure, replace(figure, function="sum", column=summed))
    note = f"“{metric.name}” leaves these out, so this is the total of {title(Field(table.name, summed))}"
    return replace(plain, filters=tuple(dict.fromkeys((*plain.filters, *kept)))), note


def with_union(before: Meaning, sketch: Sketch) -> Meaning | None:
    """Put another value beside the one there is: “Berlin too”. None where the column has no condition."""
    new = sketch.meaning.filters
    if len(new) != 1 or new[0].operator not in EXACT:
        return None
    tests = {old: _test_of(old, new[0].field, sketch.lexicon) for old in before.filters}
    old = next((old for old, test in tests.items() if test), None)
    if old is None or (test := tests[old]) is None:
        return None
    both = test.joined(new[0])
    both_ways = {value for value, _ in truths(sketch.lexicon.column(both.field))} if not is_term(both.field) else set()
    kept = () if both_ways and both_ways <= {*both.values} else (both,)
    filters = (each for old_one in before.filters for each in (kept if old_one == old else (old_one,)))
    return replace(before, filters=tuple(filters))


def _test_of(old: Filter, field: Field, lexicon: Lexicon) -> Filter | None:
    """Return the condition that tests this column: itself, or all that a term says."""
    term = lexicon.terms.get(old.field) if old.values == (True,) and not is_term(field) else None
    tests = (conditions_of(term.condition, field.table) or ()) if term else (old,)
    return tests[0] if len(tests) == 1 and tests[0].operator in EXACT and tests[0].field == field else None


def gives_way(old: Filter, new: Filter, lexicon: Lexicon) -> bool:
    """Whether a condition goes when a new one is set."""
    if excludes(old, new, lexicon) or _tells_the_same_column(old, new, lexicon) or _is_other_place(old, new):
        return True
    if old.field != new.field or "!=" in (old.operator, new.operator) or new.operator == "not in":
        return False
    return old.operator in EXACT or new.operator not in EXACT


def _is_other_place(old: Filter, new: Filter) -> bool:
    """Whether a city replaces a country: “what about Leeds?”."""
    parts = [name_parts(test.field.column) for test in (old, new)]
    plain = (
        old.field.table == new.field.table
        and old.field != new.field
        and all(part[0] in PLACES and len(part) == 1 for part in parts)
    )
    return plain and {old.operator, new.operator} <= {"=", "in"}


def _tells_the_same_column(old: Filter, new: Filter, lexicon: Lexicon) -> bool:
    """Whether one of two conditions is a term about the other's only column: “not cancelled” and a status."""
    if not (is_term(old.field) or is_term(new.field)) or new.operator not in EXACT:
        return False
    columns = [{plain.field for plain in plain_tests(_affirmed(test), lexicon)} for test in (old, new)]
    return len(columns[0]) == 1 and columns[0] == columns[1]


def _affirmed(test: Filter) -> Filter:
    return replace(test, operator="=", values=(True,)) if is_term(test.field) else test


def _leaves_out(old: Filter, new: Filter) -> bool:
    return old.field == new.field and old.operator in ("!=", "not in") and set(new.values) >= set(old.values)


def _is_opposite(old: Filter, new: Filter) -> bool:
    """Whether a row has one of two states: “including people who left” after those who did not."""
    if old.field != new.field:
        return False
    truths = {value for test in (old, new) for value in test.values}
    is_state = old.operator == new.operator == "=" and len(truths) > 1 and all(isinstance(v, bool) for v in truths)
    return is_state or {old.operator, new.operator} == {"null", "not null"}


def _within(among: Among, new: Filter, lexicon: Lexicon) -> Among:
    """Replace a condition of the rows referred to: “what about Kiel?” after “how many pets do they have?”."""
    source = among.source
    if source.limit or not any(old.field == new.field and gives_way(old, new, lexicon) for old in source.filters):
        return among
    kept = tuple(old for old in source.filters if not gives_way(old, new, lexicon))
    return replace(among, source=replace(source, filters=(*kept, new)))


def _names_another(among: Among, new: Filter, lexicon: Lexicon) -> bool:
    """Whether a thing is named in the place of those shown before: “and Basalt?” after what that team earned."""
    if new.operator not in EXACT:
        return False
    if among.field == new.field and not among.unit:
        return True
    if new.field not in display(lexicon, new.field.table):
        return False
    inner = any(_names_another(each, new, lexicon) for each in among.source.among)
    return inner or among.field.table == new.field.table


def _swaps(old: Filter | Period, new: Filter, lexicon: Lexicon) -> bool:
    """Whether a new condition takes the place of one inside a figure."""
    if not isinstance(old, Filter) or new.operator not in EXACT:
        return False
    return old.field == new.field or excludes(old, new, lexicon)


def _swapped(where: tuple[Filter | Period, ...], sketch: Sketch) -> tuple[Filter | Period, ...]:
    new = sketch.meaning.filters
    return tuple(next((n for n in new if _swaps(w, n, sketch.lexicon)), w) for w in where)


def _presences(before: Meaning, sketch: Sketch) -> tuple[Presence, ...]:
    new = sketch.meaning.presences
    return (*(p for p in before.presences if p.table not in {n.table for n in new}), *new)


def with_periods(before: Meaning, periods: tuple[Period, ...], beside: tuple[Field, ...] = ()) -> Meaning:
    """Another time takes the place of the one before, also inside an absence; a named day's stands beside it."""
    if not periods:
        return before
    if beside and {period.field for period in periods} == set(beside):
        others = tuple(period for period in before.periods if period.field not in beside)
        kept = tuple(test for test in before.filters if (test.field, test.operator) != (beside[0], "not null"))
        return replace(before, periods=(*others, *periods), filters=kept)
    fields = {p.field for p in before.periods}
    if len(fields) > 1 and {period.field for period in periods} < fields:
        new = {period.field for period in periods}
        return replace(before, periods=(*(p for p in before.periods if p.field not in new), *periods))
    moved = tuple(
        replace(p, field=next(iter(fields))) if len(fields) == 1 and p.field not in fields else p for p in periods
    )
    return replace(before, periods=moved)
