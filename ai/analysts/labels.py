"""Names of the choices of a doubt: each as its answer would be headed."""

import re
from dataclasses import replace

from ai.analysts.port import Question
from ai.answers.naming import Names
from ai.answers.reading import reading
from ai.language.words import capital
from ai.nl2sql.choose import Choice, Doubt
from ai.nl2sql.lexicon import lexicon_of
from ai.nl2sql.meaning import Field
from ai.nl2sql.reader import reading_of
from ai.nl2sql.schema import title
from ai.nl2sql.sketching import key_said
from ai.sql.facts import facts_of

SQL_IN_WORDS = re.compile(r"\bCASE WHEN\b|\bSELECT\b|\w\.\w+ (?:=|<|>|IN\b|IS\b)")

REFERRED = re.compile(r" \[.*\]")  # rows referred to: “app is one of [app id of apps where …]”


def labelled(question: Question, doubt: Doubt) -> Doubt:
    """Name the choices in plain words; those with one name are one, those without plain words are left out."""
    named: dict[str, Choice] = {}
    labels = [choice.label if choice.is_named else _label(question, choice) for choice in doubt.choices]
    for label, choice in zip(labels, doubt.choices, strict=True):
        unlike = label if labels.count(label) == 1 else f"{label}{_cut_by(choice)}"
        plain = REFERRED.sub(" those", choice.label) if doubt.offers and SQL_IN_WORDS.search(label) else unlike
        if not SQL_IN_WORDS.search(plain):
            named.setdefault(plain, replace(choice, label=plain))
    return replace(doubt, choices=tuple(named.values()))


def _cut_by(choice: Choice) -> str:
    """Name the day of a group of time: “by month (by check in)”."""
    days = [Field(group.table, group.column) for group in choice.meaning.groups if group.unit and group.column]
    return f" (by {title(days[0])})" if days else ""


def _label(question: Question, choice: Choice) -> str:
    lexicon = lexicon_of(question.catalog, question.semantics)
    sql = reading_of(choice.meaning, (), lexicon, question.today).sql
    facts = facts_of(sql, question.catalog, question.today, question.semantics)
    said = reading(Names(facts, question.catalog, question.today, question.semantics, question.text))
    if choice.meaning.keys:
        said += f" (by {' and '.join(key_said(key, choice.meaning, lexicon) for key in choice.meaning.keys)})"
    return capital(said)
