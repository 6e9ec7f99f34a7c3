"""Conditions on texts: what they hold, how a row is called, whether anything stands there."""

from collections.abc import Iterator
from dataclasses import replace

from ai.nl2sql.chart.figures import field_of, table_named, things_of_kind
from ai.nl2sql.chart.parts import Part, Wanted
from ai.nl2sql.chart.rules import Rule, Run, part_of
from ai.nl2sql.chart.tests import filtered
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.guesses import PART_OF_VALUE, values_with
from ai.nl2sql.items import PARTLY, Item
from ai.nl2sql.lexicon import PARTIAL, Lexicon
from ai.nl2sql.meaning import Field, Filter, Measure, Operator
from ai.nl2sql.schema import display
from ai.nl2sql.words import keys, name_parts, singular
from ai.sql.catalog import Column

EACH_WORD = 0.15  # the more words of a value, the surer
SENTENCE = 5  # words of a value that somebody wrote freely
WRITTEN = frozenset(
    "title subject body text comment comments description note notes message content summary headline".split()
)
KNOWN_ELSEWHERE = 1.0  # a text that another column is known to hold
TITLES = frozenset({"name", "title", "subject", "headline"})
IN_NAME = -0.3  # “with android in the name”, also where a column holds that value
OWNING = frozenset({"of", "for"})
NAMING = frozenset({"is", "named", "called", "titled", "equals", "equal", "=", "are", "of"})


def holding(run: Run) -> Iterator[Part]:
    """“name contains "um"”, “reviews that mention battery”: in the column, else in the texts of the table."""
    sign = next(item for item in run.items if isinstance(item, Item) and item.kind == "contain")
    text = run.item(-1)
    said = text.value
    if text.kind == "value" or text.kind == "number":
        said = run.lattice.text(text.start, text.end)
    before = run.item(0)
    if before.kind == "contain":
        spoken = {
            i.sense.table
            for items in run.lattice.items.values()
            for i in items
            if i.kind == "table" and i.sense and i.cost < 0.5
        }
        for table in sorted(spoken):
            texts = free_texts(run.lexicon, table)
            titled = any(i.sense and i.sense.value is not None and i.sense.field in texts
                         for i in run.lattice.at(text.start, "value"))  # fmt: skip
            said = singular(said) if titled else said
            if tests := tuple(Filter(field, sign.value, (said,)) for field in texts):  # type: ignore[arg-type]
                cost = 0.2 if not titled else -0.1 - text.cost
                yield filtered(run, *tests, cost=cost, either=len(tests) > 1)
        return
    if before.kind == "column":
        field = field_of(before)
        if run.lexicon.column(field).kind == "text":
            yield filtered(run, Filter(field, sign.value, (said,)), cost=-0.2)  # type: ignore[arg-type]
        return
    table = table_named(before)
    ends = sign.value in ("starts", "ends")  # of a name; of texts, what they hold
    fields = display(run.lexicon, table) if ends else free_texts(run.lexicon, table)
    if fields:
        tests = tuple(Filter(field, sign.value, (said,)) for field in fields)  # type: ignore[arg-type]
        yield replace(filtered(run, *tests, cost=0.1, either=len(tests) > 1), start=sign.start)


def held_in(run: Run) -> Iterator[Part]:
    """“have 'Express' in their names”."""
    text, field = run.item(-2), field_of(run.item(-1))
    between = {word.key for word in run.lattice.words[text.end : run.item(-1).start]}
    quoted = run.lattice.words[text.start].quoted or len(run.items) > 3
    written = bool({"the", "their", "its"} & between) and name_parts(field.column)[-1] in TITLES
    if is_metric(field) or run.lexicon.column(field).kind != "text" or "in" not in between:
        return
    if quoted or written:
        said = run.lattice.text(text.start, text.end)
        yield filtered(run, Filter(field, "contains", (said,)), cost=0.1 if quoted else IN_NAME - text.cost)


def free_texts(lexicon: Lexicon, name: str) -> tuple[Field, ...]:
    """Return the columns of a table with written text: too many values to list, whole sentences, or titles."""
    return tuple(Field(name, column.name) for column in lexicon.table(name).columns if _is_written(column))


def _is_written(column: Column) -> bool:
    if column.kind != "text" or column.name.lower().endswith(("id", "version")):
        return False
    sentences = any(len(value.split()) >= SENTENCE for value in column.values)
    return not column.values or sentences or name_parts(column.name)[-1] in WRITTEN


def by_anybody(run: Run) -> Iterator[Part]:
    """“referred by someone”, “assigned to nobody”: whether a column holds anything."""
    field = field_of(run.item(0))
    rows = any(item.cost < PARTLY and item.end == run.item(0).end for item in run.lattice.at(run.start, "table"))
    if not rows and not is_metric(field) and run.lexicon.column(field).nullable:
        test = Filter(field, run.item(1).value)  # type: ignore[arg-type]
        yield filtered(run, test, cost=-0.3 - min(run.item(0).cost, PARTLY))


def named(run: Run) -> Iterator[Part]:
    """“the app named "Lumo"”, “city is Aberdeen”, “product code X1”: a text missing from the index of values."""
    literal, before = run.item(-1), run.item(0)
    said = {word.key for word in run.lattice.words[before.end : literal.start]}
    if literal.value.islower() and not run.lattice.words[literal.start].quoted and not said & NAMING:
        return
    negated = any(isinstance(item, Item) and item.kind == "not" for item in run.items)
    operator: Operator = "!=" if negated else "="
    if before.kind == "column":
        field = field_of(before)
        if said & OWNING and (owner := _owner(run, field)):
            yield replace(filtered(run, *owner, cost=0.1), start=before.end)
        elif _holds_any(run.lexicon, field) and not (said & OWNING and before.cost >= PARTIAL):
            elsewhere = bool(run.lexicon.values.get(keys(literal.value)))
            yield filtered(run, Filter(field, operator, (literal.value,)), cost=0.1 + KNOWN_ELSEWHERE * elsewhere)
        return
    shown = display(run.lexicon, table_named(before))
    if len(shown) == 1 and not run.lexicon.column(shown[0]).values:
        yield replace(filtered(run, Filter(shown[0], operator, (literal.value,)), cost=0.4), start=literal.start)


def _holds_any(lexicon: Lexicon, field: Field) -> bool:
    column = lexicon.column(field)
    return column.kind == "text" and not column.values


def _owner(run: Run, field: Field) -> tuple[Filter, ...]:
    """“email of Ann Lee”: the row of that name, where names are not listed and the column is none of them."""
    shown = display(run.lexicon, field.table)
    words = run.item(-1).value.split()
    if field in shown or not shown or not all(_holds_any(run.lexicon, name) for name in shown):
        return ()
    values = [" ".join(words)] if len(shown) == 1 else words
    return (
        tuple(Filter(name, "=", (said,)) for name, said in zip(shown, values, strict=True))
        if len(values) == len(shown)
        else ()
    )


def within_value(run: Run) -> Iterator[Part]:
    """“root canals”, where treatments are “Root canal - molar” and “Root canal - front tooth”: all of them."""
    for test, cost, note in _tests_within(run):
        yield replace(filtered(run, test, cost=cost), note=note)


def many_within(run: Run) -> Iterator[Part]:
    """“how many root canals”: the rows of all of them."""
    last = run.lattice.words[run.end - 1].key
    for test, cost, note in _tests_within(run) if singular(last) != last else ():
        for table in things_of_kind(run, test.field) or [test.field.table]:
            wanted = Wanted(Measure("count", table), filters=(test,))
            yield replace(part_of(run, "measure", wanted, cost, frozenset({table})), note=note)


def _tests_within(run: Run) -> Iterator[tuple[Filter, float, str]]:
    """Yield the conditions on several values with the words of the literal, their cost, and a note."""
    literal = run.item(-1)
    words = run.lattice.words[literal.start : literal.end]
    for field, values in values_with(words, run.lexicon):
        if len(values) > 1:
            note = f"“{literal.value}” was read as {' or '.join(values)}"
            yield Filter(field, "in", values), PART_OF_VALUE - len(words) * EACH_WORD, note


TEXTS = (
    Rule("literal", within_value),
    Rule("count ~literal", many_within),
    Rule("column contain literal|anything|value|number", holding),
    Rule("table contain literal|anything|value", holding),
    Rule("contain literal|anything", holding),
    Rule("have literal|value column", held_in),
    Rule("have contain literal|anything|value column", held_in),
    Rule("column anybody", by_anybody),
    Rule("column not? literal", named),
    Rule("table ~literal", named),
)
