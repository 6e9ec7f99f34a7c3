"""Read questions about the rows behind a figure shown, or about one more figure of its things."""

from dataclasses import replace

from ai.nl2sql.chart.figures import total_of
from ai.nl2sql.chart.parts import Wanted
from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Field, Group, Meaning, Order
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import is_numeric
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.ellipsis import by_thing
from ai.nl2sql.threads.referents import referent, thing


def whose(sketch: Sketch, before: Meaning, lexicon: Lexicon, text: str) -> Meaning | None:
    """Split the figure by what its rows belong to: “which courses are these?” after sessions by location."""
    nouns = [str(part.data) for part in sketch.parts("noun")]
    others = [part for part in sketch.cover.parts if part.kind not in ("noun", "flag")]
    if not signals.WHICH_THESE.match(text) or len(nouns) != 1 or others or not before.measures or before.limit == 1:
        return None
    if before.fold or nouns[0] in (before.root, thing(before, lexicon)):
        return None
    return by_thing(before, before.measures, nouns[0], lexicon)


def rows_behind(meaning: Meaning, before: Meaning, about: Among) -> Meaning | None:
    """Ask of the rows counted by the values of a column: “those tickets” after tickets by category in October."""
    by_column = any(Field(group.table, group.column or "") == about.field for group in before.groups)
    if not by_column or before.root != meaning.root or not meaning.measures or before.within:
        return None
    own = {test.field for test in meaning.filters}
    cut = (about,) if before.limit or before.havings else ()
    return replace(
        meaning,
        filters=(*meaning.filters, *(test for test in before.filters if test.field not in own)),
        periods=meaning.periods or before.periods,
        presences=(*meaning.presences, *before.presences),
        either=(*meaning.either, *before.either),
        among=(*meaning.among, *before.among, *cut),
        keys=meaning.keys or before.keys,
    )


def alone(sketch: Sketch, before: Meaning, own: str, lexicon: Lexicon) -> tuple[Meaning, ...]:
    """Return the new figure of the things shown, without the one before."""
    about, figures = referent(before, lexicon), tuple(wanted.measure for wanted in sketch.wanted)
    if not isinstance(about, Among) or sketch.unread():
        return ()
    order = (Order(figures[0], descending=True),)
    made = Meaning(own, measures=figures, groups=(Group(own),), order=order, among=(about,))
    return (made,) if complaint(made, lexicon) is None else ()


def figures_of_many(sketch: Sketch, own: str, lexicon: Lexicon) -> None:
    """Ask for the mean or the total of the many numbers of a thing: “and its rating?”."""
    many = [
        f for f in sketch.shown if is_numeric(lexicon, f) and f.table != own and many_between(lexicon, own, f.table)
    ]
    if not many or len(many) < len(sketch.shown) or sketch.wanted:
        return
    sketch.shown, sketch.wanted = [], [Wanted(total_of(field)) for field in many]
    sketch.edit(subject=many[0].table, columns=(), distinct=False, measures=tuple(w.measure for w in sketch.wanted))
