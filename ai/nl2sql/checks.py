"""What a reading must pass before it becomes SQL: every word is read, the tables hang together, no figure lies.

Each check looks at a meaning and gives None or one sentence why it cannot be answered.
"""

from collections.abc import Callable
from dataclasses import replace

from ai.nl2sql.additivity import is_of_moments
from ai.nl2sql.contradictions import impossible, size
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.joins import Link
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.line_values import are_of_line
from ai.nl2sql.meaning import Field, Group, Meaning, Period
from ai.nl2sql.schema import noun, title
from ai.nl2sql.words import name_parts

AT_ONCE = "This asks {} to be several things at once, which no single row can be."
Check = Callable[[Meaning, Lexicon], str | None]


def complaint(meaning: Meaning, lexicon: Lexicon) -> str | None:
    """Return the first reason why a meaning cannot be answered, None when there is none."""
    linked = _by_keys(meaning, lexicon)
    return next((reason for check in CHECKS if (reason := check(meaning, linked))), None)


def _by_keys(meaning: Meaning, lexicon: Lexicon) -> Lexicon:
    if not meaning.keys:
        return lexicon
    return replace(lexicon, links=lexicon.links.through((key.table, key.column) for key in meaning.keys))


def _needed(meaning: Meaning) -> list[str]:
    return sorted(meaning.tables | {presence.table for presence in meaning.presences})


def _linked(meaning: Meaning, lexicon: Lexicon) -> str | None:
    root = meaning.root
    if meaning.stands_apart:
        return None
    lost = next((table for table in _needed(meaning) if lexicon.links.path(root, table) is None), None)
    return lost and f"I find no link between {noun(lexicon, root)} and {noun(lexicon, lost)} in this data."


def _linked_in_one_way(meaning: Meaning, lexicon: Lexicon) -> str | None:
    rivals = _rivals(meaning, lexicon)
    if not rivals:
        return None
    ways = " or ".join(sorted(" ".join(name_parts(_key_of(way))) for way in rivals))
    ends = f"{noun(lexicon, rivals[0].source)} and {noun(lexicon, rivals[0].target)}"
    return f"I cannot tell which link between {ends} is meant: {ways}."


def _through_one_table(meaning: Meaning, lexicon: Lexicon) -> str | None:
    """Things are tied by one table of events: by admissions or by appointments of a vet is not guessed."""
    if meaning.stands_apart or meaning.keys:
        return None
    steps, needed = lexicon.links.steps, {*_needed(meaning)}
    for table in sorted(needed):
        path = lexicon.links.path(meaning.root, table) or ()
        if len(path) != 2 or not path[0].many or path[1].many:
            continue
        ties = {link.target for link in steps.get(meaning.root, ()) if link.many
                and any(step.target == table and not step.many for step in steps.get(link.target, ()))
                and not is_of_moments(lexicon, link.target)}  # fmt: skip
        pairs = [tie for tie in ties if _only_pairs(lexicon, tie)]
        if len(ties) > 1 and pairs != [path[0].target] and not ties & needed:
            return _tied(meaning, table, [noun(lexicon, tie) for tie in sorted(ties)], lexicon)
    return None


def _by_one_owner(meaning: Meaning, lexicon: Lexicon) -> str | None:
    """A trip has a rider, with a zone, and a station, with a zone: which zone is meant is not guessed."""
    owned = [] if meaning.stands_apart else lexicon.links.owned(meaning.root, _needed(meaning))
    said = [noun(lexicon, link.source, many=False) for link in owned]
    return _tied(meaning, owned[0].target, said, lexicon) if owned else None


def _tied(meaning: Meaning, table: str, ways: list[str], lexicon: Lexicon) -> str:
    rows, others = noun(lexicon, meaning.root).capitalize(), noun(lexicon, table)
    return f"{rows} and {others} are tied by {' or by '.join(ways)}: name one."


def _only_pairs(lexicon: Lexicon, name: str) -> bool:
    table = lexicon.table(name)
    referring = {column for key in table.foreign_keys for column in key.columns}
    pairs = len(table.primary_key) > 1 and set(table.primary_key) <= referring
    return pairs or all(column.name in {*table.primary_key, *referring} for column in table.columns)


def _rivals(meaning: Meaning, lexicon: Lexicon) -> tuple[Link, ...]:
    """Return the first links of a meaning with the same two ends."""
    if meaning.stands_apart:
        return ()
    links = (link for table in _needed(meaning) for link in lexicon.links.path(meaning.root, table) or ())
    return next((rivals for link in links if len(rivals := lexicon.links.rivals(link)) > 1), ())


def ways(meaning: Meaning, lexicon: Lexicon) -> tuple[Meaning, ...]:
    """Return a meaning for each of several links between two of its tables, if nothing else is wrong."""
    linked = _by_keys(meaning, lexicon)
    rivals = _rivals(meaning, linked) or linked.links.owned(meaning.root, _needed(meaning))
    keys = [way.keys[0] for way in rivals]
    found = [replace(meaning, keys=(*meaning.keys, Field(*key))) for key in sorted(keys)]
    return tuple(way for way in found if complaint(way, lexicon) is None)


def _one_step(meaning: Meaning, _: Lexicon) -> str | None:
    if meaning.measures and not meaning.all_groups and (meaning.order or meaning.limit):
        return "I cannot compute a figure of the first of several rows in one step; ask for that row first."
    return None


def _divided_by_own(meaning: Meaning, _: Lexicon) -> str | None:
    """“visits per room”, where each group is a thing with its number of rooms."""
    things = {group.table for group in meaning.groups if group.column is None}
    for measure in meaning.all_measures:
        if measure.per and measure.per.table != measure.table and measure.per.table not in things:
            divisor = title(Field(measure.per.table, measure.per.column or ""))
            return f"I cannot divide by {divisor} without its rows; ask for it per row."
    return None


def _of_one_thing(meaning: Meaning, _: Lexicon) -> str | None:
    if len({measure.table for measure in meaning.all_measures}) > 1 and not meaning.stands_apart:
        return "I cannot compute figures of two different things in one answer; ask for one at a time."
    return None


def _possible(meaning: Meaning, lexicon: Lexicon) -> str | None:
    """No row can meet conditions that exclude each other, nor lie in an empty range."""
    lost = impossible(meaning, lexicon)
    for field in dict.fromkeys(condition.field for condition in meaning.filters):
        own = [f for f in meaning.filters if f.field == field and f.values]
        low = [size(f.values[0]) for f in own if f.operator in (">", ">=")]
        high = [size(f.values[0]) for f in own if f.operator in ("<", "<=")]
        if field == lost or (low and high and max(low) > min(high)):
            return AT_ONCE.format(title(field))
    return None


def _at_one_time(meaning: Meaning, _: Lexicon) -> str | None:
    """No row lies in two times that do not overlap."""
    own = meaning.measures[0].where if len(meaning.measures) == 1 else ()
    periods = (*meaning.periods, *(test for test in own if isinstance(test, Period)))
    for field in dict.fromkeys(period.field for period in periods):
        times = [period for period in periods if period.field == field]
        bounds = [f for f in meaning.filters if f.field == field and f.values and f.operator in (">", ">=")]
        starts = [*(time.start.isoformat() for time in times if time.start), *(str(f.values[0]) for f in bounds)]
        ends = [time.end.isoformat() for time in times if time.end]
        if starts and ends and max(starts) >= min(ends):
            return AT_ONCE.format(title(field))
    return None


def _nothing_beyond_absence(meaning: Meaning, lexicon: Lexicon) -> str | None:
    root = meaning.root
    absent = {p.table for p in meaning.presences if not p.present and not p.where}
    if both := sorted(absent & {root, meaning.subject, *_shown(meaning)}):
        return f"This asks for {noun(lexicon, both[0])} and for their absence at once."
    for table in sorted(absent):
        path = lexicon.links.path(root, table) or ()
        if path and not any(link.many or link.optional for link in path):
            return f"Each of the {noun(lexicon, root)} has its {noun(lexicon, table, many=False)}: none is without."
    for table in meaning.tables - absent:
        if absent & {link.target for link in lexicon.links.path(root, table) or ()}:
            return "I cannot read a condition on what is absent; ask for those that have it instead."
    return None


def _related_elsewhere(meaning: Meaning, lexicon: Lexicon) -> str | None:
    """Rows that must be there, or not, are those of another table than the one computed or shown."""
    joined = {meaning.root, *_shown(meaning), *(c.field.table for c in meaning.conditions)}
    joined |= {link.target for table in tuple(joined) for link in lexicon.links.path(meaning.root, table) or ()}
    inside = next((p.table for p in meaning.presences if p.where and p.table in joined), None)
    inside = inside or next((p.table for p in meaning.presences if p.table == meaning.root), None)
    return inside and f"I cannot tell which {noun(lexicon, inside)} must be there and which not."


def _either_of_one_row(meaning: Meaning, lexicon: Lexicon) -> str | None:
    """Alternatives are conditions on one row: “or” across rows of which it has many is not read."""
    tests = [test for either in meaning.either for test in either]
    if any(link.many for test in tests for link in lexicon.links.path(meaning.root, test.field.table) or ()):
        return "I cannot read “or” between these conditions; please ask for one of them at a time."
    return None


def _nothing_negated_beyond(meaning: Meaning, lexicon: Lexicon) -> str | None:
    """“apps not in Germany”, where an app has many rows: none of them, or one that is not? Neither is guessed."""
    for condition in meaning.filters:
        table = condition.field.table
        many = any(link.many for link in lexicon.links.path(meaning.root, table) or ())
        if condition.operator in ("!=", "not in") and many and table not in _shown(meaning):
            name = f"{noun(lexicon, table, many=False)} {title(condition.field)}"
            return (
                f"I cannot read “not” about the {name}, of which there can be many; ask for those that have it instead."
            )
    return None


def _counted_once(meaning: Meaning, lexicon: Lexicon) -> str | None:
    root = meaning.root
    adds = any(measure.function in ("sum", "avg", "metric") for measure in meaning.all_measures)
    many = [table for table in _shown(meaning) if any(link.many for link in lexicon.links.path(root, table) or ())]
    if adds and many and not _once_in_each(meaning, set(many), lexicon):
        return f"Grouping so would count {noun(lexicon, root)} several times, so the figure would be wrong."
    return None


def _once_in_each(meaning: Meaning, many: set[str], lexicon: Lexicon) -> bool:
    """Whether a row counts once in each group, and in several groups: the ratings of films by genre."""
    far = min(many)
    if len(many) > 1 or meaning.share or meaning.fold or meaning.series or Group(far) not in meaning.groups:
        return False
    path = lexicon.links.path(meaning.root, far) or ()
    at = next((place for place, link in enumerate(path) if link.many), 0)
    if at + 2 != len(path) or path[-1].many:
        return False
    pairs = {column for _, column in path[at].pairs} | {column for column, _ in path[-1].pairs}
    tie = lexicon.table(path[at].target)
    adds = any(measure.function in ("sum", "metric") for measure in meaning.all_measures)
    shares = adds and any(are_of_line(column) for column in tie.columns)  # of an invoice its lines have each a part
    return pairs == set(tie.primary_key) and not shares


def _shared_among_all(meaning: Meaning, lexicon: Lexicon) -> str | None:
    """A part told by rows of which a thing may have none is shared among the others only."""
    for measure in meaning.all_measures:
        fields = [test.field for test in measure.where] if measure.is_share else []
        for field in fields:
            if any(link.many for link in lexicon.links.path(measure.table, field.table) or ()):
                others, things = noun(lexicon, field.table), noun(lexicon, measure.table)
                return f"A share by {others} would leave out {things} without any; ask for the numbers."
    return None


def _of_many_rows(meaning: Meaning, _: Lexicon) -> str | None:
    """A metric has a value for many rows together, and none for a single one."""
    keys = [order.key for order in meaning.order if isinstance(order.key, Field)]
    grouped = [Field(group.table, group.column) for group in meaning.groups if group.column]
    fields = (*meaning.columns, *(condition.field for condition in meaning.conditions), *keys, *grouped)
    single = next((field for field in fields if is_metric(field)), None)
    return (
        f"{title(single).capitalize()} is a figure over many rows; ask for its total, or for it per something."
        if single
        else None
    )


def _one_value_each(meaning: Meaning, lexicon: Lexicon) -> str | None:
    """A column beside a figure must have one value in each group."""
    entities = {group.table for group in meaning.all_groups if group.column is None}
    loose = [field for field in meaning.columns if meaning.all_measures and field.table not in entities]
    return (
        f"I cannot show {title(loose[0])} beside a figure of many {noun(lexicon, loose[0].table)}." if loose else None
    )


def _numbers_added(meaning: Meaning, lexicon: Lexicon) -> str | None:
    """Only numbers are added up or averaged: never days, words or keys."""
    parts = [part for each in meaning.all_measures for part in (each, each.per, each.less) if part]
    added = [Field(part.table, part.column) for part in parts if part.column and part.function in ("sum", "avg")]
    wrong = next((field for field in added if lexicon.column(field).kind in ("date", "datetime", "text")), None)
    return f"{title(wrong).capitalize()} is no number, so it has no total and no average." if wrong else None


def _shown(meaning: Meaning) -> list[str]:
    return [group.table for group in meaning.all_groups] + [field.table for field in meaning.columns]


def _key_of(link: Link) -> str:
    """The column of a link that is the foreign key."""
    here, there = link.pairs[0]
    return there if link.many else here


CHECKS: tuple[Check, ...] = (
    _linked,
    _linked_in_one_way,
    _through_one_table,
    _by_one_owner,
    _one_step,
    _divided_by_own,
    _of_one_thing,
    _possible,
    _at_one_time,
    _nothing_beyond_absence,
    _related_elsewhere,
    _either_of_one_row,
    _nothing_negated_beyond,
    _counted_once,
    _shared_among_all,
    _of_many_rows,
    _one_value_each,
    _numbers_added,
)
