"""The key meant of several between two tables (“flights arriving in Paris”, “from Oslo to Bergen”); names for keys.

Rows called by what they are to others: the “buyers” are the users that orders refer to as theirs, and not all users.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache

from ai.nl2sql.chart.parts import Part
from ai.nl2sql.checks import complaint
from ai.nl2sql.joins import Link
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Field, Filter, Meaning, Presence
from ai.nl2sql.phrases import IN_ROLE, without_key
from ai.nl2sql.reading.sketch import Sketch, is_fact
from ai.nl2sql.schema import display, noun, referred_table
from ai.nl2sql.words import Word, name_parts, singular, stem

BEGINS = frozenset("from origin source departure departing depart start begin pickup sender sending".split())
TOWARDS = ("to", "into")
ENDS = frozenset("to destination dest arrival arriving arrive end dropoff target recipient receiving".split())


def key_roles(sketch: Sketch) -> None:
    """Where two tables have several links, take the one named: “flights arriving in Paris”."""
    sketch.meaning = in_roles(sketch.meaning, sketch.lattice.words, sketch.lexicon)


def in_roles(meaning: Meaning, question: Sequence[Word], lexicon: Lexicon) -> Meaning:
    """Return a meaning with the keys named by these words, instead of other links of the same two tables."""
    tables, links = _travelled(meaning, lexicon), lexicon.links
    words = {word.stem for word in question if word.stem}
    said = {singular(word.key) for word in question}
    chosen: list[Field] = []
    replaced: set[Field] = set()
    for table in tables:
        for link in links.steps.get(table, ()):
            rivals = links.rivals(link)
            if len(rivals) < 2 or link.target not in tables:
                continue
            # “per origin depot” says origin, and “reviews” no reviewer
            own = {stem(part) for table in (link.referred, link.keys[0][0]) for part in name_parts(table)}
            fits = [r for r in rivals if words & ({*_role_words(r.keys[0][1])} - own) or _is_named(r, said)]
            if len(fits) == 1 and Field(*fits[0].keys[0]) not in chosen:
                chosen.append(Field(*fits[0].keys[0]))
                replaced |= {Field(*rival.keys[0]) for rival in rivals} - {*chosen}
    chosen += _ways_round(meaning, words, lexicon)
    kept = (key for key in meaning.keys if key not in replaced)
    return replace(meaning, keys=tuple(dict.fromkeys((*kept, *chosen))))


ROLES = (
    "buyer purchaser bought buying purchased",
    "seller vendor sold selling",
    "reviewer wrote written gave",
    "reviewee received",
    "sender sent sending",
    "recipient receiver received receiving",
    "arrive arriving arrival destination dest target to into landing land",
    "depart departing departure source origin from leaving leave",
    "home host hosting",
    "away visiting visitor guest",
    "winner won win beat",
    "loser lost lose",
)


def _ways_round(meaning: Meaning, words: Collection[str], lexicon: Lexicon) -> list[Field]:
    """Keys of other tables called by their role: “tickets by manager”, where the account of a ticket has one."""
    found = []
    links, root = lexicon.links, meaning.root
    for target in meaning.tables - {root}:
        name = set(map(stem, name_parts(target)))
        said = [
            link
            for step in links.steps.values()
            for link in step
            if link.target == target and not link.many and (set(_role_words(link.keys[0][1])) - name) & set(words)
        ]
        used = (links.path(root, target) or ())[-1:]
        near = [link for link in said if not any(step.many for step in links.path(root, link.source) or ())]
        if len(near) == 1 and used and near[0].keys != used[0].keys and links.path(root, near[0].source):
            found.append(Field(*near[0].keys[0]))
    return found


def _is_named(way: Link, said: Collection[str]) -> bool:
    """Whether a key is said in full, and not only the table that it refers to."""
    own = {part for part in name_parts(way.keys[0][1]) if part not in NUMBERS and len(part) > SHORT}  # no “to”
    return bool(own & {*said} - {*name_parts(way.referred), singular(way.referred)})


def _travelled(meaning: Meaning, lexicon: Lexicon) -> list[str]:
    named = meaning.tables | {presence.table for presence in meaning.presences}
    between = {link.target for table in named for link in lexicon.links.path(meaning.root, table) or ()}
    return sorted(named | between)


@lru_cache(maxsize=4_096)
def _role_words(column: str) -> list[str]:
    own = [part for part in name_parts(column) if part not in ("id", "code", "no", "airport")]
    families = [family.split() for family in ROLES if set(own) & set(family.split())]
    said = [word for family in families for word in family if len(word) > 3]
    return [stem(word) for word in (*own, *said) if len(word) > SHORT]


SHORT = 2  # letters of what joins words
WHO = frozenset(("who", "whom"))
NUMBERS = frozenset(("id", "ids", "number", "code", "key"))


def named(sketch: Sketch) -> None:
    """Show names instead of keys, to people asked for with “who” and things asked for by a key to them."""
    said = {word.key for word in sketch.lattice.words}
    asked = [field for field in sketch.shown if referred_table(sketch.lexicon, field)]
    if not (said & WHO or asked) or said & NUMBERS or sketch.problems:
        return
    found = _by_name(sketch.meaning, sketch.lexicon)
    if found is not None and complaint(found, sketch.lexicon) is None:
        sketch.meaning = found
        sketch.shown = [found.columns[-1] if referred_table(sketch.lexicon, field) else field for field in sketch.shown]


def _by_name(meaning: Meaning, lexicon: Lexicon) -> Meaning | None:
    keys = [(field, target) for field in meaning.columns if (target := referred_table(lexicon, field))]
    if len(keys) != 1 or meaning.measures:
        return None
    key, target = keys[0]
    people = display(lexicon, target.name)
    columns = tuple(shown for field in meaning.columns for shown in (people if field == key else (field,)))
    alone = columns == people and is_fact(lexicon, meaning.subject) and not (meaning.order or meaning.limit)
    distinct = meaning.distinct or alone  # the same person did several of the rows
    return replace(meaning, columns=columns, keys=(*meaning.keys, key), distinct=distinct) if people else None


def both_ends(sketch: Sketch) -> None:
    """Put each end of a way on its own key."""
    ends = _ends(sketch)
    if len(ends) != 2:
        return
    table = ends[0].field.table
    keys = _keys(sketch, table) if table == ends[1].field.table else None
    if keys is None:
        sketch.doubt(f"I cannot read a way from {ends[0].values[0]} to {ends[1].values[0]}; ask for one end.")
        return
    said = {test.field for test in ends}
    column = sketch.lexicon.table(table).primary_key[0]
    rows = (Meaning(table, columns=(Field(table, column),), filters=(end,)) for end in ends)
    sketch.edit(
        filters=tuple(test for test in sketch.meaning.filters if test.field not in said),
        among=(*sketch.meaning.among, *(Among(key, row) for key, row in zip(keys, rows, strict=True))),
    )


def _ends(sketch: Sketch) -> Sequence[Filter]:
    """Return the conditions on the two ends, () where the words tell no way."""
    words = [word.key for word in sketch.lattice.words]
    begins = words.index("from") if "from" in words else None
    to = next((at for at in range(begins, len(words)) if words[at] in TOWARDS), None) if begins is not None else None
    if begins is None or to is None:
        return ()
    parts = [part for part in sketch.parts("filter") if part.start > begins and part.start - to <= 2]
    if not parts or parts[0].start - begins > 2 or not parts[0].start < to < parts[-1].end:
        return ()
    return [end for part in parts for end in _each(part)]


def _each(part: Part) -> list[Filter]:
    return [
        replace(test, operator="=", values=(value,))
        for test in part.data
        if test.operator in ("=", "in")
        for value in test.values
    ]


def _keys(sketch: Sketch, table: str) -> tuple[Field, Field] | None:
    asked = [wanted.measure.table for wanted in sketch.wanted]
    asked += [sketch.target.table] if sketch.target else []
    for source in dict.fromkeys((*asked, *(str(part.data) for part in sketch.parts("noun")))):
        links = [link for link in sketch.lexicon.links.steps.get(source, ()) if link.target == table and not link.many]
        keys = [Field(*link.keys[0]) for link in links if len(link.keys) == 1]
        begin, end = ([key for key in keys if set(name_parts(key.column)) & role] for role in (BEGINS, ENDS))
        if len(begin) == len(end) == 1 and begin != end:
            return begin[0], end[0]
    return None


def in_their_role(sketch: Sketch) -> None:
    """Keep to the rows that have the role that their noun tells; of several tables that give it, ask for one."""
    meaning, lexicon = sketch.meaning, sketch.lexicon
    said = [(word.key, ways) for word in sketch.lattice.words if (ways := _calling(lexicon, meaning.root, word.key))]
    present = {presence.table for presence in meaning.presences if presence.present}
    _left_out(sketch)
    if not said or (meaning.tables | present) & {way.table for _, ways in said for way in ways}:
        return
    own = {
        part for test in meaning.filters if test.field.table == meaning.root for part in name_parts(test.field.column)
    }
    if own & {singular(word) for word, _ in said}:
        return  # “pro sellers” by their seller tier
    word, ways = said[0]
    absent = {presence.table for presence in meaning.presences}
    found = [_having(meaning, way) for way in ways if way.table not in absent]
    if len(ways) == len(found) == 1:
        sketch.meaning = found[0]
    elif found and not sketch.problems:
        rows = noun(lexicon, meaning.root)
        others = " or ".join(noun(lexicon, way.table) for way in ways if way.table not in absent)
        sketch.ask_back(f"“{word}” can be {rows} with {others}: which do you mean?", found)
    else:
        sketch.doubt(f"I cannot tell which {noun(lexicon, meaning.root)} “{word}” means.")


def _left_out(sketch: Sketch) -> None:
    """“rating of sellers” is not the rating of all: a role that tells nothing of the answer is doubted."""
    for part in sketch.parts("noun"):
        table, word = str(part.data), sketch.lattice.words[part.end - 1].key
        ways = _calling(sketch.lexicon, table, word) if table not in sketch.spoken else ()
        if ways and not sketch.spoken & {way.table for way in ways}:  # each payout is one to a seller
            sketch.doubt(f"I cannot tell which {noun(sketch.lexicon, sketch.meaning.root)} are of “{word}”.")


def _having(meaning: Meaning, key: Field) -> Meaning:
    """Return a meaning with only the rows that a key of other rows leads to."""
    some = Presence(key.table, present=True)
    return meaning.changed(presences=(*meaning.presences, some), keys=tuple(dict.fromkeys((*meaning.keys, key))))


@lru_cache(maxsize=10_000)
def _calling(lexicon: Lexicon, table: str, word: str) -> tuple[Field, ...]:
    """Return the keys that call rows of a table so, where nothing else does."""
    said = (singular(word),)
    if not table or not any(s.table == table and s.cost == IN_ROLE for s in lexicon.senses(said) if s.column is None):
        return ()
    steps = lexicon.links.steps.get(table, ())
    keyed = [Field(*link.keys[0]) for link in steps if link.many and link.referred == table and len(link.keys) == 1]
    return tuple(key for key in keyed if without_key(name_parts(key.column)) == said)
