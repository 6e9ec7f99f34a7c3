"""Features of the meaning: joins, figures, groups and orders, asked for or not."""

from ai.nl2sql.confidence.derivation import Derivation
from ai.nl2sql.meaning import Field, Measure
from ai.nl2sql.reading.sketch import is_fact
from ai.nl2sql.schema import display, is_numeric

FAR = 6


def joined_tables(made: Derivation) -> float:
    return len(made.meaning.tables) - 1


def join_steps(made: Derivation) -> float:
    """How far the farthest table is from the rows."""
    root, links = made.meaning.root, made.lexicon.links
    return max((min(FAR, links.distance(root, table)) for table in made.meaning.tables if root), default=0)


def multiplying_steps(made: Derivation) -> float:
    """Steps at which a row may meet several."""
    root, links = made.meaning.root, made.lexicon.links
    paths = [links.path(root, table) or () for table in made.meaning.tables if root]
    return sum(link.many for path in paths for link in path)


def rival_ways(made: Derivation) -> float:
    """Steps with several keys to choose from."""
    root, links = made.meaning.root, made.lexicon.links
    paths = [links.path(root, table) or () for table in made.meaning.tables if root]
    return sum(len(links.rivals(link)) > 1 for path in paths for link in path)


def other_subject(made: Derivation) -> float:
    """Whether the rows are not those of the first thing named."""
    nouns = [str(part.data) for part in made.parts if part.kind == "noun"]
    return bool(nouns) and nouns[0] != made.meaning.root


def unnamed_root(made: Derivation) -> float:
    """Whether no word names the rows computed or listed."""
    return not any(made.meaning.root in part.tables for part in made.parts)


def figures(made: Derivation) -> float:
    return len(made.meaning.all_measures)


def _functions(made: Derivation) -> set[str]:
    return {measure.function for measure in made.meaning.all_measures}


def counts(made: Derivation) -> float:
    return "count" in _functions(made)


def counts_column(made: Derivation) -> float:
    return any(measure.function == "count" and measure.column for measure in made.meaning.all_measures)


def sums(made: Derivation) -> float:
    return "sum" in _functions(made)


def averages(made: Derivation) -> float:
    return "avg" in _functions(made)


def extremes(made: Derivation) -> float:
    return bool(_functions(made) & {"min", "max"})


def defined_figures(made: Derivation) -> float:
    return "metric" in _functions(made)


def ratios(made: Derivation) -> float:
    return any(measure.per for measure in made.meaning.all_measures)


def changes(made: Derivation) -> float:
    return any(measure.less for measure in made.meaning.all_measures)


def rival_figures(made: Derivation) -> float:
    """Columns of numbers in the table of the figure."""
    first = next((m for m in made.meaning.all_measures if m.column and m.function != "metric"), None)
    table = made.lexicon.catalog.table(first.table) if first else None
    if first is None or table is None:
        return 0.0
    return min(6, sum(is_numeric(made.lexicon, Field(table.name, c.name)) for c in table.columns))


def groups(made: Derivation) -> float:
    return len(made.meaning.groups)


def groups_by_time(made: Derivation) -> float:
    return any(group.unit for group in made.meaning.groups)


def groups_by_row(made: Derivation) -> float:
    return any(group.column is None for group in made.meaning.groups)


def unasked_groups(made: Derivation) -> float:
    return bool(made.meaning.groups) and "group" not in made.kinds


def unasked_figure(made: Derivation) -> float:
    return bool(made.meaning.measures) and not made.kinds & {"measure", "ratio"}


def unasked_order(made: Derivation) -> float:
    return bool(made.meaning.limit) and not made.kinds & {"rank", "limit"}


def repeats_kinds(made: Derivation) -> float:
    """Whether a column of few texts is listed row by row: “kinds of units”."""
    meaning = made.meaning
    if meaning.all_measures or meaning.distinct or meaning.limit is not None or len(meaning.columns) != 1:
        return 0.0
    column = made.lexicon.column(meaning.columns[0])
    named = meaning.columns[0] in display(made.lexicon, meaning.subject)
    return not named and column.kind == "text" and len(column.values) > 1


def mean_of_each(made: Derivation) -> float:
    """Averages split twice, perhaps one of several: “average seats per customer by plan”."""
    return bool(averages(made)) and len(made.meaning.groups) > 1


def one_of_all(made: Derivation) -> float:
    """Whether a first one stands where each has one: “cheapest dish per menu”."""
    split = made.keys & {"per", "each", "every", "by"}
    return bool(split) and made.meaning.limit is not None and not made.meaning.within


def unsaid_groups(made: Derivation) -> float:
    """Whether a question of its own is split without a word for it."""
    split = made.keys & {"per", "each", "every", "by", "which", "who", "what", "breakdown", "split"}
    return made.before is None and bool(made.meaning.groups) and not split


def attributes_lost(made: Derivation) -> float:
    """Columns that are named, and stand nowhere in the meaning."""
    named = [part.data for part in made.parts if part.kind == "attribute" and isinstance(part.data, Field)]
    if not named:
        return 0.0
    meaning = made.meaning
    used = {*meaning.columns, *(test.field for test in made.tests), *(order.key for order in meaning.order)}
    used |= {Field(group.table, group.column or "") for group in meaning.all_groups}
    used |= {Field(measure.table, measure.column or "") for measure in meaning.all_measures}
    return len(set(named) - used)


def limited(made: Derivation) -> float:
    return made.meaning.limit is not None


def first_one(made: Derivation) -> float:
    return made.meaning.limit == 1 and not made.meaning.within


def ordered_by_column(made: Derivation) -> float:
    return any(not isinstance(order.key, Measure) for order in made.meaning.order)


def unasked_key(made: Derivation) -> float:
    """Whether the first ones go by an unnamed key."""
    return any(part.kind == "rank" and part.data.key is None for part in made.parts)


def lists(made: Derivation) -> float:
    return not made.meaning.all_measures


def lists_events(made: Derivation) -> float:
    """Whether rows of events are listed, which may rather be counted."""
    return not made.meaning.all_measures and is_fact(made.lexicon, made.meaning.subject)


def lists_columns(made: Derivation) -> float:
    return len(made.meaning.columns)


def lists_unnamed(made: Derivation) -> float:
    """Whether rows without a name are listed."""
    return not made.meaning.all_measures and not display(made.lexicon, made.meaning.subject)


def columns_elsewhere(made: Derivation) -> float:
    return sum(field.table != made.meaning.subject for field in made.meaning.columns)


def distinct(made: Derivation) -> float:
    return made.meaning.distinct


def either(made: Derivation) -> float:
    return bool(made.meaning.either)


def each_first(made: Derivation) -> float:
    return bool(made.meaning.within)


def folded(made: Derivation) -> float:
    return made.meaning.fold is not None


def shared(made: Derivation) -> float:
    return made.meaning.share


def in_series(made: Derivation) -> float:
    return bool(made.meaning.series)


def among(made: Derivation) -> float:
    return len(made.meaning.among)


def newest_only(made: Derivation) -> float:
    return made.meaning.last is not None


def every_thing(made: Derivation) -> float:
    return made.meaning.every


def several_tables_of_figures(made: Derivation) -> float:
    return len({measure.table for measure in made.meaning.all_measures}) > 1


SHAPES = (
    joined_tables, join_steps, multiplying_steps, rival_ways, other_subject, unnamed_root, figures, counts,
    counts_column, sums, averages, extremes, defined_figures, ratios, changes, rival_figures, groups,
    groups_by_time, groups_by_row, unasked_groups, unasked_figure, unasked_order, repeats_kinds, mean_of_each,
    one_of_all, unsaid_groups, attributes_lost, limited, first_one, ordered_by_column, unasked_key, lists,
    lists_events, lists_columns, lists_unnamed, columns_elsewhere, distinct, either, each_first, folded, shared,
    in_series, among, newest_only, every_thing, several_tables_of_figures,
)  # fmt: skip
