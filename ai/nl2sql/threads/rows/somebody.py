"""Hold answers to “who” to people: buyers, not their orders; no topics, and not the rows shown before."""

import re
from dataclasses import replace

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Group, Meaning
from ai.nl2sql.reading.sketch import counts, many_between
from ai.nl2sql.schema import display, referred_table, title
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.change import NO_CHANGE
from ai.nl2sql.threads.referents import LEADERS, thing
from ai.nl2sql.threads.rows.who import WHO, is_person
from ai.nl2sql.threads.steps import Followed
from ai.nl2sql.vocabulary import is_kind
from ai.nl2sql.words import name_parts, plural

WHO_RANKED = re.compile(r"^(?:and |so |ok |but )*who(?:'s| has| is| had| was| did| made| sold| got)? ", re.IGNORECASE)
SOMEBODY = frozenset("name by to for email author login".split())
NOBODY = "“Who” asks for somebody, and what was shown are {}."
HOW_MUCH = re.compile(r"^(?:and |so |ok )*how much (?!of\b|time\b|more\b|less\b)", re.IGNORECASE)
MANY_OR_MUCH = "How many or how much? Please name the figure."
WHOSE = re.compile(r"^(?:and |so |ok )*(?:whose|who (?:owns?|has|had|holds?|bought|wrote|opened))\b", re.IGNORECASE)


def somebody(text: str, made: Followed | None, before: Meaning, lexicon: Lexicon) -> Followed | None:
    """Return the answer if it tells of people where it must, else ask who is meant."""
    if made is None or made.meaning is None:
        return made
    if _repeats_rows(made.meaning, before, lexicon):
        return Followed(None, problem=NO_CHANGE, choices=(made.meaning,))
    figures = made.meaning.measures
    if HOW_MUCH.match(text) and figures and all(counts(lexicon, figure) for figure in figures):
        return Followed(None, problem=MANY_OR_MUCH, choices=(made.meaning,))
    if _shows_nobody(text, made.meaning, lexicon):
        return Followed(None, problem=WHO, choices=(made.meaning,))
    return _doers_only(text, made, made.meaning, before, lexicon) or _no_kinds(text, made, made.meaning, lexicon)


def _repeats_rows(meaning: Meaning, before: Meaning, lexicon: Lexicon) -> bool:
    """Whether each row would be shown several times, beside rows of others that nobody spoke of."""
    if meaning.groups or meaning.measures or meaning.distinct or not before.measures:
        return False
    others = {field.table for field in meaning.columns} - {meaning.subject, *before.tables}
    return any(many_between(lexicon, meaning.subject, table) for table in others)


def _shows_nobody(text: str, meaning: Meaning, lexicon: Lexicon) -> bool:
    """Whether “who owns the .com ones”, “whose tickets were they” lists the things themselves."""
    if not WHOSE.match(text) or meaning.groups or meaning.measures or not meaning.columns:
        return False
    owned = meaning.subject in lexicon.tables and bool(lexicon.table(meaning.subject).foreign_keys)
    own = display(lexicon, meaning.subject)
    called = {part for field in meaning.columns if field not in own for part in name_parts(field.column)}
    people = any(is_person(field.table) for field in meaning.columns) or is_person(meaning.subject)
    return owned and not people and not called & (SOMEBODY | LEADERS)


def _doers_only(text: str, made: Followed, meaning: Meaning, before: Meaning, lexicon: Lexicon) -> Followed | None:
    """Refuse “who insures them” of the patients themselves, and show the people of “who bought it” alone."""
    if not signals.WHO_DOES.match(text) or meaning.groups or meaning.measures:
        return None
    if not meaning.columns and meaning.subject in lexicon.tables and not is_person(meaning.subject):
        return Followed(None, problem=WHO, choices=(meaning,))
    own = thing(before, lexicon)
    if {*meaning.columns} <= {*display(lexicon, own)}:
        return Followed(None, problem=WHO, choices=(meaning,))
    people = tuple(field for field in meaning.columns if is_person(field.table))
    if not meaning.distinct or not people or own in {field.table for field in meaning.columns}:
        return None
    return replace(made, meaning=replace(meaning, columns=people))


def _no_kinds(text: str, made: Followed, meaning: Meaning, lexicon: Lexicon) -> Followed:
    """Rank those who did it where “who has the most” follows topics, else offer the topic."""
    if meaning.limit != 1 or len(meaning.groups) != 1 or not WHO_RANKED.match(text):
        return made
    group = meaning.groups[0]
    if not group.column or group.unit or group.column[:1] in "=?@":
        return made
    field = Field(group.table, group.column)
    called = {*name_parts(group.column)}
    someone = is_kind(group.column, "people", "doers") or called & SOMEBODY
    if someone or not lexicon.column(field).values or referred_table(lexicon, field):
        return made
    if len(doers := _doers(meaning.root, lexicon)) != 1:
        return Followed(None, problem=NOBODY.format(plural(title(field))), choices=(meaning,))
    kept = tuple(test for test in meaning.filters if test.field != field or test.operator != "not null")
    known = Filter(Field(meaning.root, doers[0]), "not null")
    groups = (Group(meaning.root, doers[0]),)
    return replace(made, meaning=replace(meaning, groups=groups, filters=tuple(dict.fromkeys((*kept, known)))))


def _doers(table: str, lexicon: Lexicon) -> list[str]:
    """Return the columns naming who did something: agents."""
    texts = (column for column in lexicon.table(table).columns if column.kind == "text" and column.values)
    return [column.name for column in texts if is_kind(column.name, "doers")]
