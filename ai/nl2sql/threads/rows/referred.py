"""Read a question about others that belong to the things shown: their reviews, the releases of the second one."""

from dataclasses import replace

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Filter, Group, Meaning
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import display, noun
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.change import checked
from ai.nl2sql.threads.context import in_their_time
from ai.nl2sql.threads.rows.behind import rows_behind, those_with
from ai.nl2sql.threads.steps import Followed


def with_referent(
    sketch: Sketch, before: Meaning, lexicon: Lexicon, about: Among | tuple[Filter, ...], text: str
) -> Followed:
    meaning = sketch.meaning
    if isinstance(about, Among) and (rows := rows_behind(meaning, before, about, text)):
        return checked(rows, before, lexicon, (), sketch)
    if isinstance(about, Among) and signals.OF_ONES.match(text) and (having := those_with(meaning, before, lexicon)):
        return checked(having, before, lexicon, (), sketch)
    if isinstance(about, Among):
        held = _conditions_of(meaning, before)  # “the average price of those subscriptions” is of active ones, too
        meaning = replace(meaning, among=(*meaning.among, about), filters=(*meaning.filters, *held))
        meaning = in_their_time(sketch, meaning, before, lexicon)
        owner = about.field.table
    else:
        meaning = replace(meaning, filters=(*meaning.filters, *about))
        if "that" in {word.key for word in sketch.lattice.words} and _adds_up_same(meaning, before):
            meaning = replace(meaning, periods=before.periods)  # “how much money was that” of those in their time
        owner = about[0].field.table
    path = lexicon.links.path(meaning.root, owner)
    if path is None:
        linked = meaning.subject or owner
        asked = noun(lexicon, linked) if linked else "what is asked"
        return Followed(None, problem=f"I find no link between {asked} and what was shown before.")
    presences = tuple(p for p in meaning.presences if p.table != owner)
    groups = tuple(g for g in meaning.groups if not (g == Group(owner) and not sketch.data("group")))
    if not groups and meaning.groups and meaning.measures:
        meaning = replace(meaning, order=(), limit=None)
    meaning = replace(meaning, presences=presences, groups=groups)
    soft = ("What do you want", "I cannot show several") if isinstance(about, Among) else ("I cannot show several",)
    hard = [p for p in sketch.problems if not p.startswith(soft)]
    if hard:
        return Followed(None, problem=hard[0])
    return checked(meaning, before, lexicon, (), sketch)


def _adds_up_same(meaning: Meaning, before: Meaning) -> bool:
    """Whether a total without a time is one of the rows counted before."""
    total = bool(meaning.measures) and all(m.function in ("sum", "metric") for m in meaning.measures)
    return total and not meaning.periods and meaning.root == before.root


def _conditions_of(meaning: Meaning, before: Meaning) -> tuple[Filter, ...]:
    """Return the conditions of the rows counted before, if the same are meant."""
    tested = {test.field for test in meaning.filters}
    own = meaning.root if meaning.root == before.root else ""
    return tuple(test for test in before.filters if test.field.table == own and test.field not in tested)


def of_a_thing(about: Among | tuple[Filter, ...], sketch: Sketch, lexicon: Lexicon) -> bool:
    """Whether things of their own were shown, rather than values of a column of the new rows."""
    if not isinstance(about, Among) or (about.field.column,) == tuple(lexicon.table(about.field.table).primary_key):
        return True
    if about.field in display(lexicon, about.field.table):
        return True
    root = sketch.meaning.root
    return lexicon.links.path(root, about.field.table) is not None and not many_between(
        lexicon, root, about.field.table
    )
