"""Senses giving way to others, on the same words or on other ones; names whose words stand apart: “MRR did we lose”."""

from collections.abc import Collection, Iterator, Sequence

from ai.nl2sql.definitions import is_term
from ai.nl2sql.grammar import MAY_NAME, MAY_TELL, kinds_of
from ai.nl2sql.items import EXACT, PARTLY, Item, moved
from ai.nl2sql.lexicon import PARTIAL, Lexicon, Sense
from ai.nl2sql.phrases import IN_ROLE, OTHERWISE, SYNONYM
from ai.nl2sql.values import STATE_NAMES
from ai.nl2sql.wording import (
    BEING,
    describes_rows,
    is_code,
    is_reference,
    is_state,
    is_state_of,
    meant_as_value,
    must_be_read,
    of_others,
)
from ai.nl2sql.words import Word, is_participle, keys, name_parts, singular, stem, stems

WITHIN = 0.35
MAYBE_STATES = frozenset(
    "live available collected charged received done held".split()
)  # of all, if rows have no states
OF_SOME = frozenset({"single", "known"})  # before rows: of some of them
ALL_OF_THEM = frozenset({"a", "every", "each", "any", "one", "no", "which", "the"})  # “every single order”
NOW = frozenset({"now", "right", "today", "currently"})
DEPARTMENTS = frozenset({"dept", "department", "team", "division", "unit", "function", "area"})
PEOPLE = frozenset(
    "staff people persons team who whose department dept employee employees reps colleagues works work working hired"
    " members folks guys headcount salary salaries rep manager agent".split()
)
OTHER_WORD = 0.8
OTHER_NAME = 1.6  # more than a way to rows of which each may have many
REPEATED, AS_KEY, NOT_NAMED = 1.5, 1.5, 0.05
SENSES = frozenset({"table", "column", "value", "term"})
MOST_GAPS, APART = 3, 0.08  # words of grammar within a defined name
QUALIFIED, PARTY = 0.4, 2.0


def whole_names_first(found: dict[int, list[Item]], words: Sequence[Word], lexicon: Lexicon) -> None:
    """Let words within a whole name cost more: “bill” in “average bill” is rarely an amount."""
    for start, items in list(found.items()):
        longer = [item for item in items if item.sense and item.end > start + 1]
        defined = [item.end for item in longer if lexicon.defines(tuple(w.key for w in words[start : item.end]))]
        named = [item.end for item in longer if item.kind == "table" and item.cost < EXACT]
        wholes = (
            (max(defined, default=start), SENSES, WITHIN),
            (max(named, default=start), {"value", "table"}, 2 * WITHIN),
        )
        for whole, kinds, cost in wholes:
            for at in range(start, whole):
                found[at] = [
                    moved(item, cost)
                    if item.sense and item.kind in kinds and item.end <= whole and (at, item.end) != (start, whole)
                    else item
                    for item in found[at]
                ]
        for at in range(start + 1, max((item.end for item in longer if item.cost < PARTLY), default=0)):
            found[at] = [item for item in found[at] if item.kind != "list"]  # “display” in “on display” shows nothing
        for at in range(start, max((item.end for item in longer if _is_whole(item)), default=0)):
            found[at] = [item for item in found[at] if item.kind != "gain"]  # a “decline reason” is no decline


def _is_whole(item: Item) -> bool:
    """Whether words are the exact name of a column."""
    return item.kind == "column" and item.cost < EXACT


def whole_columns_first(found: dict[int, list[Item]], words: Sequence[Word], lexicon: Lexicon) -> None:
    """Let a part of a column's name cost more beside a column called just so: “salary” is no highest salary."""
    _called_so_first(found, words, lexicon)
    for start, items in found.items():
        whole = {item.end for item in items if item.kind == "column" and item.sense and item.cost < EXACT}
        found[start] = [
            moved(item, WITHIN) if item.kind == "column" and item.end in whole and item.cost >= PARTIAL else item
            for item in items
        ]


def _called_so_first(found: dict[int, list[Item]], words: Sequence[Word], lexicon: Lexicon) -> None:
    """Let a synonym cost more beside a column called just so: “category” is no `kind` where there is a `category`."""
    for start, items in found.items():
        columns = [item for item in items if item.kind == "column" and item.sense and item.end == start + 1]
        exact = {item.sense.table for item in columns if item.sense and item.cost < EXACT}
        others = [item for item in columns if item.sense and _is_other_word(item.sense, words[start])]
        apart = [item for item in others if item.sense and item.sense.table not in exact]
        near = [i for i in apart if i.sense and any(lexicon.links.path(i.sense.table, table) for table in exact)]
        found[start] = [moved(item, OTHER_NAME) if item in near else item for item in items]


def tables_first(found: dict[int, list[Item]], words: Sequence[Word]) -> None:
    """Let a synonym of a column cost more than the table called so: “titles” beside `name`."""
    for start, items in found.items():
        named = {item.end for item in items if item.kind == "table" and item.sense and item.cost < EXACT}
        found[start] = [
            moved(item, OTHER_WORD)
            if item.kind == "column" and item.end in named and item.sense and _is_other_word(item.sense, words[start])
            else item
            for item in items
        ]


def _is_other_word(sense: Sense, said: Word) -> bool:
    if sense.column is None or sense.column[:1] in "=?@":
        return False
    return sense.cost in (OTHERWISE, SYNONYM) and said.stem not in map(stem, name_parts(sense.column))


def keys_first(found: dict[int, list[Item]], words: Sequence[Word], lexicon: Lexicon) -> None:
    """Let a value cost more where a key is called so: “without a curator” is of `curator_id`, not of a job title."""
    for start, items in found.items():
        keyed = {
            item.end for item in items if item.kind == "column" and item.sense and is_reference(item.sense, lexicon)
        }
        acts = is_participle(words[start].key)
        if keyed and not meant_as_value(words, start) and singular(words[start].key) == words[start].key:
            found[start] = [
                moved(item, AS_KEY)
                if item.kind == "value" and item.end in keyed and not (acts and _is_told(item.sense))
                else item
                for item in items
            ]


def _is_told(sense: Sense | None) -> bool:
    """Whether a value is a state, or a term of the semantics file."""
    return sense is not None and sense.column is not None and (is_term(sense.field) or is_state(sense))


def named_elsewhere(found: dict[int, list[Item]], named: Collection[str]) -> None:
    """Let words cost more than what the rest of a question says: it is the code of vouchers in “vouchers by code”."""
    _guessed_twice(found)
    for at, items in found.items():
        own = {(item.end, item.sense.column) for item in items if item.sense and item.sense.table in named}
        found[at] = [
            moved(item, NOT_NAMED)
            if item.kind == "column"
            and item.sense
            and item.sense.table not in named
            and (item.end, item.sense.column) in own
            else item
            for item in items
        ]


def _guessed_twice(found: dict[int, list[Item]]) -> None:
    """Let a guess cost more where another word says the same: “stock” in “products in stock” is no product."""
    said = {item.sense.table: at for at, items in found.items() for item in items
            if item.kind == "table" and item.sense and not item.note and item.cost < EXACT}  # fmt: skip
    for at, items in found.items():
        found[at] = [
            moved(item, REPEATED)
            if item.kind == "table" and item.note and item.sense and said.get(item.sense.table, at) != at
            else item
            for item in items
        ]


def without_grammar(items: list[Item], words: Sequence[Word], start: int, lexicon: Lexicon) -> list[Item]:
    """Take no word for mere grammar where it tells a state or must be read."""
    senses = (item.sense for item in items if item.kind == "value" and item.sense)
    if any(describes_rows(words, start, sense, lexicon) for sense in senses):
        items = [item for item in items if item.end > start + 1 or item.kind not in MAY_TELL | MAY_NAME | {"unit"}]
    elif must_be_read(words, start) or _may_be_state(words, start, lexicon):
        items = [item for item in items if item.kind not in ("filler", "verb")]
    if any(item.kind == "gone" and item.value == "none" for item in items):
        return [item for item in items if item.kind != "filler"]  # “out of stock”
    return items


def _may_be_state(words: Sequence[Word], start: int, lexicon: Lexicon) -> bool:
    """Whether “live” or “available” is said of rows that have states: not all courses are live."""
    key, before = words[start].key, words[start - 1].key if start else ""
    if key not in MAYBE_STATES | OF_SOME or before in ALL_OF_THEM:
        return False
    ends = start + 1 == len(words) or words[start + 1].key in NOW
    said = words[start + 1 : start + 2] if not ends else words[:start] if before in BEING else ()
    named = {sense.table for word in said for sense in lexicon.senses((word.key,)) if sense.column is None}
    columns = (column for table in named for column in lexicon.table(table).columns)
    return bool(named and key in OF_SOME) or any(STATE_NAMES & {*name_parts(column.name)} for column in columns)


def spread_from(words: Sequence[Word], start: int, lexicon: Lexicon) -> Iterator[tuple[Sense, int, float]]:
    """Yield the meanings of a name beginning at `start`, each with its end and its cost."""
    names = {
        name: None for form in (words[start].stem, singular(words[start].key)) for name in lexicon.spread.get(form, ())
    }
    for name in names:
        left, gaps, at = set(name.words), 0, start
        while left and at < len(words) and gaps <= MOST_GAPS:
            form = name.form(words[at])
            if form not in left and not _mere_grammar(words[at]):
                break
            gaps += form not in left
            left.discard(form)
            at += 1
        if not left and name.form(words[start]) in name.words and stems([w.key for w in words[start:at]]) != name.key:
            for sense in lexicon.names.get(name.key, ()):
                yield sense, at, sense.cost + APART * (1 + gaps)


def _mere_grammar(word: Word) -> bool:
    kinds = kinds_of(word.key)
    return (
        not word.quoted and "filler" in kinds and not kinds & {"and", "or", "not", "none", "group", "average", "versus"}
    )


def is_no_value(
    words: Sequence[Word], start: int, key: tuple[str, ...], sense: Sense, lexicon: Lexicon, *, closed: bool
) -> bool:
    """Whether words only look like a value: a code in small letters, a word of grammar, or one said of others."""
    if is_code(words[start], key, sense) and not words[start].text.isupper():
        return True
    if closed and not _is_meant(words, start, key, sense, lexicon):
        return True
    if len(key) == 1 and _is_called_like_rows(sense) and not words[start].quoted:
        return True  # “how many clients” are not those whose last name is Client
    if (
        key == ("sales",)
        and _is_of_staff(sense)
        and not (words[start].text.isupper() or PEOPLE & {w.key for w in words})
    ):
        return True  # “our total sales” are no department
    return len(key) == 1 and of_others(words, start, sense, lexicon)


def _is_called_like_rows(sense: Sense) -> bool:
    """Whether a value is the very word for the rows of its table, as test rows are called."""
    said = keys(str(sense.value)) if isinstance(sense.value, str) else ()
    return len(said) == 1 and singular(said[0]) in {singular(part) for part in name_parts(sense.table)}


def _is_of_staff(sense: Sense) -> bool:
    return bool(DEPARTMENTS & {*name_parts((sense.column or "").removeprefix("="))})


def _is_meant(words: Sequence[Word], start: int, key: tuple[str, ...], sense: Sense, lexicon: Lexicon) -> bool:
    """Whether a word of grammar is a value here."""
    adjective = is_term(sense.field) and not lexicon.defines(key)
    stated = is_state_of(words, start, sense, lexicon) or describes_rows(words, start, sense, lexicon)
    return adjective or stated or meant_as_value(words, start)


def cost_of_value(words: Sequence[Word], start: int, key: tuple[str, ...], value: Sense, lexicon: Lexicon) -> float:
    """What a text costs where another column has it by a plainer name, or where its word is rather people's role."""
    qualified = _is_qualified(value, lexicon.values.get(key, ()))
    return QUALIFIED * qualified + PARTY * _is_party(words, start, key, value, lexicon)


def _is_party(words: Sequence[Word], start: int, key: tuple[str, ...], value: Sense, lexicon: Lexicon) -> bool:
    """Whether what may be a value rather names rows by their role: “sellers”, but not of disputes “opened by sellers”."""
    by = start > 0 and words[start - 1].key == "by"
    roles = (sense for sense in lexicon.senses(key) if sense.column is None and sense.cost == IN_ROLE)
    return not by and singular(key[-1]) != key[-1] and any(sense.table != value.table for sense in roles)


def _is_qualified(value: Sense, alike: Sequence[Sense]) -> bool:
    """Whether another column with that value has a plainer name: city, not home city."""
    own = {*name_parts(value.column or "")}
    return any({*name_parts(other.column or "")} < own for other in alike if other.table != value.table)
