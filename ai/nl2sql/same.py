"""One form for meanings that say the same: a kind of row by the column that its definition tests."""

from dataclasses import replace

from sqlglot import parse_one
from sqlglot.errors import SqlglotError

from ai.nl2sql.contradictions import plain_test
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Meaning, Measure, Period
from ai.sql.semantics import Term


def in_columns(meaning: Meaning, lexicon: Lexicon) -> Meaning:
    """Return a meaning with `status = 'open'` in place of the kind of row that is defined so; equal conditions once."""
    filters = tuple(dict.fromkeys(_plain(test, lexicon) for test in meaning.filters))
    return replace(
        meaning,
        filters=tuple(sorted(filters, key=repr)),
        measures=tuple(_figure(measure, lexicon) for measure in meaning.measures),
        havings=tuple(replace(h, measure=_figure(h.measure, lexicon)) for h in meaning.havings),
        order=tuple(
            replace(o, key=_figure(o.key, lexicon)) if isinstance(o.key, Measure) else o for o in meaning.order
        ),
        presences=tuple(replace(p, where=_tests(p.where, lexicon)) for p in meaning.presences),
    )


def _figure(measure: Measure, lexicon: Lexicon) -> Measure:
    return replace(measure, where=_tests(measure.where, lexicon)) if measure.where else measure


def _tests(tests: tuple[Filter | Period, ...], lexicon: Lexicon) -> tuple[Filter | Period, ...]:
    return tuple(dict.fromkeys(_plain(t, lexicon) if isinstance(t, Filter) else t for t in tests))


def _plain(test: Filter, lexicon: Lexicon) -> Filter:
    term = lexicon.terms.get(test.field)
    plain = tested(term, lexicon) if term and test.operator == "=" else None
    return plain or test


def tested(term: Term, lexicon: Lexicon) -> Filter | None:
    """Return the definition of a kind of row where it compares one column with a text."""
    try:
        tree = parse_one(term.condition, dialect=lexicon.catalog.dialect)
    except SqlglotError:
        return None
    found = plain_test(tree, term.table)
    if found is None or found.operator != "=" or not isinstance(found.values[0], str):
        return None
    held = lexicon.table(term.table).column(found.field.column)
    return replace(found, field=Field(term.table, held.name)) if held else None
