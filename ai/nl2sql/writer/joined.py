"""Which tables a query joins."""

from ai.nl2sql.joins import Link, Links
from ai.nl2sql.meaning import Meaning


def linked(meaning: Meaning, root: str, links: Links) -> list[Link]:
    """Return the links to every table whose columns are shown, grouped, measured or sorted by, each table once."""
    wanted = [g.table for g in meaning.groups] + [f.table for f in meaning.columns]
    wanted += [measure.table for measure in meaning.all_measures]
    wanted += [order.key.table for order in meaning.order]
    wanted += [test.field.table for measure in meaning.all_measures for test in measure.where]
    wanted += [o.table for measure in meaning.all_measures for o in (measure.per, measure.less) if o]
    absent = {presence.table for presence in meaning.presences if not presence.present}
    single = {c.field.table for c in meaning.conditions} - absent
    single |= {meaning.last.table} if meaning.last else set()
    single |= {test.field.table for either in meaning.either for test in either}
    single = {table for table in single if not any(link.many for link in links.path(root, table) or ())}
    found: dict[str, Link] = {}
    for table in (*wanted, *sorted(single)):
        for link in links.path(root, table) or ():
            if link.target != root:
                found.setdefault(link.target, link)
    return list(found.values())


def only_shown(meaning: Meaning, table: str) -> bool:
    """Whether a table is there for its columns alone, so that rows without a match stay."""
    others = {group.table for group in meaning.groups} | {order.key.table for order in meaning.order}
    others |= {c.field.table for c in meaning.conditions}
    return not meaning.measures and not meaning.groups and table not in others
