"""The person of a verb: “who are they assigned to?” asks for the person behind a key."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.checks import complaint
from ai.nl2sql.joins import Link
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Group, Meaning, Measure, Order
from ai.nl2sql.reading.ordering.ranks import is_bad
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import always_known, days, display, referred_table
from ai.nl2sql.spans import is_span
from ai.nl2sql.threads import edits, signals
from ai.nl2sql.threads.columns import with_columns
from ai.nl2sql.threads.fragments import Sketches, best_of
from ai.nl2sql.threads.ranking import are_of_bad
from ai.nl2sql.threads.referents import LEADERS, the_one, thing
from ai.nl2sql.threads.steps import Followed
from ai.nl2sql.vocabulary import is_kind
from ai.nl2sql.words import keys, name_parts, singular, stem, stems

PLACES = ("city", "town", "country", "region", "location", "place", "state", "address")
KINDS = frozenset("category type kind genre class status group level tag channel".split())
OWNS = re.compile(r"\b(?:own|make|made|making|run|manag|responsible|in charge|behind|look)", re.IGNORECASE)
MADE = re.compile(r"\bma(?:de|kes?|king)\b", re.IGNORECASE)
OWNED_NAME = re.compile(
    r"^(?:and |so )?who(?:'s|s| is| are)? (?:owns?|makes?|runs?|develops?|builds?|publishes|responsible for|in charge of"
    r"|behind|looking after|looks? after) (?P<who>(?!it\b|that\b|this\b|them\b|these\b|those\b)[^?!.]{2,60}?)[?.! ]*$",
    re.IGNORECASE,
)
WHO = "Who is meant?"
FEWEST = ("least", "fewest")
OF_SHOWN = re.compile(r"\bof (?:them|those|these)\b", re.IGNORECASE)  # “who had the most of those”
FAST, SLOW = frozenset(("fastest", "quickest", "shortest")), frozenset(("slowest", "longest"))
LASTING = frozenset("time duration minutes hours days seconds wait delay lag latency turnaround weeks".split())
LOOSE = re.compile(r"\b(?:look(?:s|ing)? after|in charge of|responsible for|behind)\b", re.IGNORECASE)
RUNS = re.compile(r"\b(?:runs?|manages?|leads?|in charge|responsible)\b", re.IGNORECASE)
SOUND = 5  # letters of a verb and a column that must agree


def who_of(before: Meaning, lexicon: Lexicon, text: str) -> Followed | None:
    """Show the person behind the key of each row, if just one key sounds like a word of the message."""
    own = thing(before, lexicon)
    found = [key for key in lexicon.table(own).foreign_keys if len(key.columns) == 1 and _sounds(key.columns[0], text)]
    target = referred_table(lexicon, Field(own, found[0].columns[0])) if len(found) == 1 else None
    people = display(lexicon, target.name) if target else ()
    if not people or (before.groups and before.subject != own):
        return None
    listed = edits.listed(before, lexicon)
    columns = tuple(dict.fromkeys((*display(lexicon, own), *people)))
    made = replace(listed, columns=columns, keys=(*listed.keys, Field(own, found[0].columns[0])))
    return Followed(made) if complaint(made, lexicon) is None else None


def owned(before: Meaning, lexicon: Lexicon, text: str, *, leaders: bool = False) -> Followed | None:
    """Show the owners or makers of the things shown: by the column or key sounding so, else their one owner.

    Where several tables could be the owner, it is asked back.
    """
    before = _of_the_one(before, lexicon)
    own = thing(before, lexicon)
    texts = [column.name for column in lexicon.table(own).columns if column.kind == "text"]
    called = [Field(own, name) for name in texts if _sounds(name, text)]
    if leaders and not called and RUNS.search(text):
        called = [Field(own, name) for name in texts if LEADERS & set(name_parts(name))]
    parents = [link for link in lexicon.links.steps.get(own, ()) if not link.many and not _is_kind(link.target)]
    sounding = [link for link in parents if any(_sounds(here, text) for here, _ in link.pairs)]
    if not (called or sounding or OWNS.search(text)) or (
        MADE.search(text) and not called and _has_makers(own, lexicon)
    ):
        return None
    shown = [_beside(before, tuple(called), lexicon)] if called else []
    shown += [] if called else [_beside(_through(before, way, lexicon), display(lexicon, way.target), lexicon)
                                for way in sounding or parents]  # fmt: skip
    found = tuple(meaning for meaning in shown if meaning is not None)
    if len(found) > 1:
        return Followed(None, problem=WHO, choices=found, asks=True)
    return Followed(found[0]) if found else None


def person_behind(said: Sketch | None, one: Meaning, lexicon: Lexicon) -> Followed | None:
    """Show the one person behind a key of each thing: “who teaches the first one”, whatever the verb."""
    own = thing(one, lexicon)
    parents = persons_of(own, lexicon)
    if len(parents) != 1 or not one.columns:
        return None
    spoken = {table for part in said.cover.parts if part.kind != "flag" for table in part.tables} if said else set()
    if spoken - {own, parents[0]}:
        return None
    made = _beside(one, display(lexicon, parents[0]), lexicon)
    return Followed(made) if made else None


def persons_of(table: str, lexicon: Lexicon) -> list[str]:
    """Return the persons that each row has one of, once for each key."""
    return [link.target for link in lexicon.links.steps.get(table, ()) if not link.many and is_person(link.target)]


def is_person(table: str) -> bool:
    return is_kind(table, "people") or _is_staff(table)


def behind_it(text: str, before: Meaning, lexicon: Lexicon, said: Sketch | None) -> Followed | None:
    """“who teaches it?”: the person behind the things shown."""
    listed = _of_the_one(before, lexicon)
    if not signals.WHO_DOES.match(text) or listed.measures or listed.groups or listed.fold:
        return None
    return person_behind(said, listed, lexicon)


def _of_the_one(before: Meaning, lexicon: Lexicon) -> Meaning:
    """Return the one thing of a figure or a rank: “who owns it” after a rating asks of the app."""
    about = before.among[-1] if before.among and before.measures and not before.groups else None
    if before.limit == 1 and len(before.groups) == 1 and before.groups[0].column is None:
        about = the_one(before, lexicon)
    if about is not None and about.source.limit == 1:
        return Meaning(about.field.table, columns=display(lexicon, about.field.table), among=(about,))
    figured = before.measures and not before.groups and not before.among
    named = [
        test for test in before.filters if test.operator == "=" and test.field in display(lexicon, test.field.table)
    ]
    if not figured or len(named) != 1:
        return before
    return Meaning(named[0].field.table, columns=display(lexicon, named[0].field.table), filters=(named[0],))


def owner_named(text: str, lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Read “who owns Gabbro” where nothing was asked before: of the one thing named."""
    found = OWNED_NAME.match(text)
    sketch = best_of(read, found["who"]) if found else None
    tests = sketch.meaning.filters if sketch and not sketch.unread() else ()
    if found and not LOOSE.search(text) and any(not (s.problems or s.unread() or s.choices) for s in read(text)):
        return None  # its own words say it
    if found and LOOSE.search(text) and (cared := _looked_after(read(found["who"]), lexicon)):
        return cared
    if sketch is None or len(tests) != 1 or tests[0].field not in display(lexicon, tests[0].field.table):
        return None
    if {part.kind for part in sketch.cover.parts} - {"filter", "flag", "noun"} or tests[0].operator != "=":
        return None
    thing_named = Meaning(tests[0].field.table, columns=display(lexicon, tests[0].field.table), filters=tests)
    return owned(thing_named, lexicon, text, leaders=True)


def _looked_after(readings: Sequence[Sketch], lexicon: Lexicon) -> Followed | None:
    """Show the one kind of staff that a thing of this name leads to: the manager of a client."""
    named = [sketch.meaning.filters for sketch in readings if not sketch.unread() and len(sketch.meaning.filters) == 1]
    for (test,) in dict.fromkeys(named):
        own = test.field.table
        if test.operator != "=" or test.field not in display(lexicon, own):
            continue
        people = [table.name for table in lexicon.catalog.tables if table.name != own and _is_staff(table.name)]
        ways = {name: lexicon.links.path(own, name) for name in people}
        owners = [name for name, way in ways.items() if way and not any(link.many for link in way)]
        thing_named = Meaning(own, columns=display(lexicon, own), filters=(test,))
        made = _beside(thing_named, display(lexicon, owners[0]), lexicon) if len(owners) == 1 else None
        if made is not None:
            return Followed(made)
    return None


def _is_staff(table: str) -> bool:
    parts = {singular(part) for part in name_parts(table)}
    return bool(parts & LEADERS) or is_kind(table, "doers")


def _has_makers(own: str, lexicon: Lexicon) -> bool:
    """Whether things are tied to several others, their possible makers, by rows of their own."""
    ties = [link.target for link in lexicon.links.steps.get(own, ()) if link.many]
    return any(len(lexicon.table(tie).foreign_keys) > 1 and not display(lexicon, tie) for tie in ties)


def _is_kind(table: str) -> bool:
    return bool({*KINDS, *PLACES} & {singular(part) for part in name_parts(table)})


def _through(before: Meaning, link: Link, lexicon: Lexicon) -> Meaning:
    """Take this way where several lead to the same table."""
    key = Field(link.source, link.pairs[0][0])
    return before if len(lexicon.links.rivals(link)) == 1 else replace(before, keys=(*before.keys, key))


def _beside(before: Meaning, columns: tuple[Field, ...], lexicon: Lexicon) -> Meaning | None:
    made = with_columns(before, columns, lexicon) if columns else None
    return made if made is not None and complaint(made, lexicon) is None else None


def where_of(before: Meaning, lexicon: Lexicon, text: str) -> Followed | None:
    """Show the place of each thing, or count the things by their place: “where are they from?”."""
    own = thing(before, lexicon)
    places = [
        column.name for name in PLACES for column in lexicon.table(own).columns if name in name_parts(column.name)
    ]
    if not signals.WHERE.match(text) or not places or before.groups:
        return None
    place = Field(own, places[0])
    if before.measures:
        return Followed(replace(before, groups=(Group(own, places[0]),), order=(Order(before.measures[0], True),)))
    return Followed(replace(before, columns=tuple(dict.fromkeys((*before.columns, place)))))


def longest(found: re.Match[str], before: Meaning, lexicon: Lexicon) -> Followed | None:
    """Keep the first or last row by its day: “who has been there longest?”, “opened first”."""
    own, deed = thing(before, lexicon), found["deed"] or ""
    dated = always_known(lexicon, days(lexicon, own)) or days(lexicon, own)
    done = [day for day in days(lexicon, own) if stem(deed) in stems(name_parts(day.column))]
    dated = done or (dated if deed.lower() in ("", "joined", "came") else [])
    if len(dated) != 1 or before.groups:
        return None
    listed = edits.listed(before, lexicon)
    late = found["how"].lower() in ("shortest", "last", "latest", "most recently")
    columns = tuple(dict.fromkeys((*(listed.columns or display(lexicon, own)), dated[0])))
    return Followed(replace(listed, columns=columns, order=(Order(dated[0], late),), limit=1, offset=0))


def sized(found: re.Match[str], before: Meaning, lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Keep the group with the most or least of the figure shown: “which city is the smallest?”."""
    if len(before.measures) != 1 or len(before.groups) != 1 or before.fold:
        return None
    what, group, how = found["what"] or "one", before.groups[0], found["how"].lower()
    timed = group.unit is not None and group.unit == what.lower().removesuffix("s")
    if how in FAST | SLOW and not _lasts(before.measures[0], lexicon):
        return None
    of_shown = how in ("most", *FEWEST) and OF_SHOWN.search(found[0]) is not None
    judged = how == "best" and (is_bad(lexicon, before.measures[0]) or are_of_bad(before.filters, lexicon))
    if judged or how == "worst" or not (timed or of_shown or how in ("smallest", "biggest", "largest", *FAST, *SLOW)):
        return None
    if what != "one" and not timed:
        said = best_of(read, what)
        nouns = {part.data for part in said.parts("noun")} if said and not group.column else set()
        named = set(said.data("attribute")) if said else set()
        if Field(group.table, group.column or "") not in named and group.table not in nouns:
            return None
    order = (Order(before.measures[0], how not in ("smallest", "lowest", "weakest", *FEWEST, *FAST)),)
    return Followed(replace(before, order=order, limit=1, offset=0))


def by_speed(found: re.Match[str], before: Meaning, lexicon: Lexicon) -> Followed | None:
    """Sort groups by the time that something takes in them, or keep the first so: “slowest first”, “the fastest?”."""
    if len(before.measures) != 1 or not before.groups or before.fold or not _lasts(before.measures[0], lexicon):
        return None
    order = (Order(before.measures[0], found["how"].lower() in SLOW),)
    made = replace(before, order=order, offset=0)
    return Followed(made if found["all"] else replace(made, limit=1))


def _lasts(figure: Measure, lexicon: Lexicon) -> bool:
    """Whether a figure is a time that something takes."""
    metric = lexicon.metric_of(figure) if figure.function == "metric" else None
    said = (*keys(metric.name), metric.unit.lower()) if metric else name_parts(figure.column or "")
    if metric is None and is_span(Field(figure.table, figure.column or "")):
        return True
    return figure.function != "count" and bool(LASTING & set(said))


def _sounds(column: str, text: str) -> bool:
    """Whether a word of the message begins like a column: “assigned” and `assignee_id`."""
    stems = [part[:SOUND] for part in name_parts(column) if len(part) >= SOUND]
    return any(word[:SOUND] in stems for word in keys(text) if len(word) >= SOUND)
