"""Find the first by the figure at hand: “which app had the most?”, “the best day”."""

from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.chart.parts import Flag, Rank
from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Field, Group, Meaning, Measure, Order
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import figure_days, is_numeric, names_of
from ai.nl2sql.threads.change import checked
from ai.nl2sql.threads.context import new_periods
from ai.nl2sql.threads.ranking import worst_of_what
from ai.nl2sql.threads.referents import thing
from ai.nl2sql.threads.restrict import with_filters, with_periods
from ai.nl2sql.threads.steps import Followed

WITHIN_WHAT = "I cannot tell within what to rank these; please name it."
MOST_OR_FEWEST = "Do you mean the most or the fewest?"
UNITS = {
    "day": "day",
    "date": "day",
    "days": "day",
    "week": "week",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
    "weekday": "weekday",
}


def ranked(sketch: Sketch, before: Meaning, lexicon: Lexicon) -> Followed | None:
    """“which app had the most?”, “what was the best day?”: rank by the figure at hand."""
    ranks = [rank for rank in sketch.data("rank") if isinstance(rank, Rank) and rank.asked]
    before = _counted(sketch, before, ranks)
    figures = before.measures or before.all_measures
    unit = _unit_of(sketch, ranks, lexicon) or _time_of(sketch, ranks, figures, before, lexicon)
    if not ranks or not figures or sketch.wanted or sketch.data("order"):
        return None
    own = {None, Field(figures[0].table, figures[0].column or "")}  # “the cheapest category” after the average price
    if unit is None and any(rank.key not in own for rank in ranks):
        return None
    group = unit or _target(sketch, figures[0], before, lexicon)
    if group is None:
        return None
    if "each" in {word.key for word in sketch.lattice.words} and group not in before.groups:
        return _first_in_each(before, group, ranks[0], lexicon)
    judged = worst_of_what(sketch, before, figures[0], ranks[0])
    if judged is None:
        both = (
            _ranked_by(sketch, before, lexicon, group, replace(ranks[0], descending=down)) for down in (True, False)
        )
        choices = tuple(made.meaning for made in both if made and made.meaning)
        return Followed(None, problem=MOST_OR_FEWEST, choices=choices, asks=True)
    return _ranked_by(sketch, before, lexicon, group, judged, timed=unit is not None)


def _ranked_by(
    sketch: Sketch, before: Meaning, lexicon: Lexicon, group: Group, rank: Rank, *, timed: bool = True
) -> Followed | None:
    figures = before.measures or before.all_measures
    if before.groups == (group,) and not before.limit:
        return None if before.fold else _first_of(sketch, before, rank, lexicon)
    if group in before.groups and not timed:
        return None
    limit = next((each.limit for each in sketch.data("rank") if each.limit), None) or 1
    order = (Order(figures[0], rank.descending),)
    names = names_of(group, lexicon)
    named = tuple(test for test in before.filters if test.operator == "=" and test.field in names)
    before = replace(before, filters=tuple(test for test in before.filters if test not in named))
    sketch.used |= {part.start for part in (*sketch.parts("rank"), *sketch.parts("flag"))}
    meaning = replace(
        before,
        measures=figures[:1],
        groups=(group,),
        order=order,
        limit=limit,
        columns=(),
        within=(),
        fold=None,
        offset=0,
        share=False,
        series="",
        havings=(),
        distinct=False,
    )
    meaning = with_periods(with_filters(meaning, sketch), new_periods(sketch, meaning, lexicon))
    notes = tuple(f"of all, not only {test.values[0]}" for test in named)
    return checked(meaning, before, lexicon, notes, sketch)


def _first_in_each(before: Meaning, group: Group, rank: Rank, lexicon: Lexicon) -> Followed:
    """Rank within each of the groups shown: “the biggest app in each” after a figure by platform."""
    outer = before.groups
    if len(outer) != 1 or before.fold or before.limit or before.within:
        return Followed(None, problem=WITHIN_WHAT)
    figure = (before.measures or before.all_measures)[0]
    made = replace(
        before,
        measures=(figure,),
        groups=(*outer, group),
        within=outer,
        order=(Order(figure, rank.descending),),
        limit=rank.limit or 1,
        columns=(),
        share=False,
        series="",
    )
    return Followed(None, problem=why) if (why := complaint(made, lexicon)) else Followed(made)


def _first_of(sketch: Sketch, before: Meaning, rank: Rank, lexicon: Lexicon) -> Followed:
    figures = before.measures or before.all_measures
    sketch.used |= {part.start for part in (*sketch.parts("rank"), *sketch.parts("flag"))}
    cut = replace(
        before, measures=figures[:1], order=(Order(figures[0], rank.descending),), limit=rank.limit or 1, offset=0
    )
    meaning = with_periods(with_filters(cut, sketch), new_periods(sketch, cut, lexicon))
    return checked(meaning, before, lexicon, (), sketch)


def most_of_them(sketch: Sketch, before: Meaning, about: Among, lexicon: Lexicon) -> Followed | None:
    """“which hotel got the most of them?”: rank other things by how many of the rows shown are theirs."""
    loose = [rank for rank in sketch.data("rank") if isinstance(rank, Rank) and rank.asked and rank.key is None]
    own, nouns = thing(before, lexicon), [str(part.data) for part in sketch.parts("noun")]
    if not loose or sketch.wanted or sketch.shown or about.field.table != own:
        return None
    ranked = len(nouns) == 1 and nouns[0] != own and lexicon.links.path(own, nouns[0]) is not None
    if not ranked or many_between(lexicon, own, nouns[0]):
        return Followed(None, problem="I cannot tell by what to rank these; say it, such as “by revenue”.")
    count = Measure("count", own)
    made = Meaning(
        own,
        measures=(count,),
        groups=(Group(nouns[0]),),
        order=(Order(count, loose[0].descending),),
        limit=loose[0].limit or 1,
        among=(about,),
    )
    return checked(
        replace(made, filters=sketch.meaning.filters, periods=sketch.meaning.periods), before, lexicon, (), sketch
    )


def _unit_of(sketch: Sketch, ranks: Sequence[Rank], lexicon: Lexicon) -> Group | None:
    """“the best day”: a ranked column of days stands for the days themselves."""
    keys = [rank.key for rank in ranks if isinstance(rank.key, Field)]
    dated = [key for key in keys if lexicon.column(key).kind in ("date", "datetime")]
    said = {word.key for part in sketch.parts("rank") for word in sketch.lattice.words[part.start : part.end]}
    unit = next((UNITS[word] for word in UNITS if word in said), None)
    good = said & {
        "best",
        "worst",
        "biggest",
        "highest",
        "lowest",
        "top",
        "strongest",
        "weakest",
        "largest",
        "smallest",
        "most",
        "least",
    }
    return Group(dated[0].table, dated[0].column, unit) if dated and unit and good else None  # type: ignore[arg-type]


def _counted(sketch: Sketch, before: Meaning, ranks: Sequence[Rank]) -> Meaning:
    """Count the rows listed where a time is ranked: “which week was the worst?” after late orders."""
    listed = not before.all_measures and not before.limit and not before.groups and before.subject
    if not listed or not ranks or not sketch.flags("unit"):
        return before
    return replace(before, measures=(Measure("count", before.subject),), columns=(), order=(), distinct=False)


def _time_of(
    sketch: Sketch, ranks: Sequence[Rank], figures: Sequence[Measure], before: Meaning, lexicon: Lexicon
) -> Group | None:
    """Return the weeks ranked in “which week was the worst?”."""
    flags = [part.data.value for part in sketch.flags("unit") if isinstance(part.data, Flag)]
    if not flags or not figures or any(rank.key is not None for rank in ranks) or flags[0] not in UNITS.values():
        return None
    if flags[0] == "day" and (shown := [group for group in before.groups if group.unit == "weekday"]):
        return shown[0]  # “which day is best” after a figure by weekday
    fields = [*(period.field for period in before.periods), *figure_days(lexicon, figures[0])]
    return Group(fields[0].table, fields[0].column, flags[0]) if fields else None  # type: ignore[arg-type]


def _target(sketch: Sketch, figure: Measure, before: Meaning, lexicon: Lexicon) -> Group | None:
    """Return the things to rank: those named, as far as the figure splits by them."""
    nouns = [str(part.data) for part in sketch.parts("noun")]
    fields = [part.data for part in sketch.parts("attribute") if isinstance(part.data, Field)]
    if len(nouns) + len(fields) != 1:
        return None
    if nouns:
        if Group(nouns[0]) in before.groups:
            return Group(nouns[0])
        reached = nouns[0] != figure.table and lexicon.links.path(figure.table, nouns[0]) is not None
        return Group(nouns[0]) if reached and not many_between(lexicon, figure.table, nouns[0]) else None
    field = fields[0]
    own = lexicon.table(figure.table).column(field.column)
    if own is not None and field.table != figure.table:
        field = Field(figure.table, field.column)
    if is_numeric(lexicon, field) or lexicon.links.path(figure.table, field.table) is None:
        return None
    return None if many_between(lexicon, figure.table, field.table) else Group(field.table, field.column)
