"""Features of a message in a thread: its changes of the answer before."""

from ai.nl2sql.confidence.derivation import Derivation
from ai.nl2sql.threads import signals
from ai.nl2sql.words import split


def in_thread(made: Derivation) -> float:
    return made.deep > 0


def deep(made: Derivation) -> float:
    return min(6, made.deep)


def lost(made: Derivation) -> float:
    return min(3, made.lost)


def is_edit(made: Derivation) -> float:
    return made.before is not None


def anew_in_thread(made: Derivation) -> float:
    """A question of its own after others."""
    return made.deep > 0 and made.before is None


def changes_of(name: str, made: Derivation) -> float:
    """Whether an edit changes this part of the meaning."""
    return name in made.changed


def changed_parts(made: Derivation) -> float:
    return len(made.changed)


def changes_nothing(made: Derivation) -> float:
    return made.before is not None and made.before == made.meaning


def is_at_place(made: Derivation) -> bool:
    return "among" in made.changed and signals.ONE.search(made.text) is not None


def only_time(made: Derivation) -> float:
    """Whether nothing but the time is another."""
    return made.changed == {"periods"}


def only_tests(made: Derivation) -> float:
    return made.changed == {"filters"}


def only_order(made: Derivation) -> float:
    return bool(made.changed) and made.changed <= {"order", "limit"}


def only_groups(made: Derivation) -> float:
    return "groups" in made.changed and made.changed <= {"groups", "order"}


def tests_added(made: Derivation) -> float:
    before = made.before
    return len(set(made.meaning.filters) - set(before.filters)) if before else 0


def tests_dropped(made: Derivation) -> float:
    before = made.before
    return len(set(before.filters) - set(made.meaning.filters)) if before else 0


def times_dropped(made: Derivation) -> float:
    before = made.before
    return bool(before and before.periods and not made.meaning.periods)


def groups_dropped(made: Derivation) -> float:
    before = made.before
    return bool(before and before.groups and not made.meaning.groups)


def figures_dropped(made: Derivation) -> float:
    before = made.before
    return bool(before and before.measures and not made.meaning.measures)


def tests_kept(made: Derivation) -> float:
    before = made.before
    return len(set(before.filters) & set(made.meaning.filters)) if before else 0


def new_root(made: Derivation) -> float:
    return made.before is not None and made.before.root != made.meaning.root


def new_tables(made: Derivation) -> float:
    return len(made.meaning.tables - made.before.tables) if made.before else 0


def was_limited(made: Derivation) -> float:
    return made.before is not None and made.before.limit is not None


def was_list(made: Derivation) -> float:
    return made.before is not None and not made.before.all_measures


def was_grouped(made: Derivation) -> float:
    return made.before is not None and bool(made.before.groups)


def was_figure(made: Derivation) -> float:
    return made.before is not None and bool(made.before.measures) and not made.before.groups


def points_back(made: Derivation) -> float:
    return made.deep > 0 and bool(signals.pointers(split(made.text)))


def leans(made: Derivation) -> float:
    return made.deep > 0 and signals.begins_leaning(made.text)


def narrows(made: Derivation) -> float:
    return made.deep > 0 and bool(signals.ONLY.search(made.text))


def corrects(made: Derivation) -> float:
    return made.deep > 0 and bool(signals.CORRECTION.match(made.text))


def asks_how_many(made: Derivation) -> float:
    return made.deep > 0 and "how many" in made.text.lower()


def asks_which(made: Derivation) -> float:
    return made.deep > 0 and bool(signals.WHICH.match(made.text))


EDITS = (
    in_thread, deep, lost, is_edit, anew_in_thread, changed_parts, changes_nothing, only_time, only_tests, only_order,
    only_groups, tests_added, tests_dropped, times_dropped, groups_dropped, figures_dropped, tests_kept, new_root,
    new_tables, was_limited, was_list, was_grouped, was_figure, points_back, leans, narrows, corrects, asks_how_many,
    asks_which,
)  # fmt: skip
