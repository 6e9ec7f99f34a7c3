"""Names of the choices of a doubt: each as its answer would be headed."""

from dataclasses import replace

from ai.analysts.port import Question
from ai.answers.naming import Names
from ai.answers.reading import reading
from ai.language.words import name_parts
from ai.nl2sql.choose import Choice, Doubt
from ai.nl2sql.lexicon import lexicon_of
from ai.nl2sql.reader import reading_of
from ai.sql.facts import facts_of


def labelled(question: Question, doubt: Doubt) -> Doubt:
    """Name the choices of a doubt in plain words; those with one name are one."""
    named: dict[str, Choice] = {}
    for choice in doubt.choices:
        label = choice.label if choice.is_named else _label(question, choice)
        named.setdefault(label, replace(choice, label=label))
    return replace(doubt, choices=tuple(named.values()))


def _label(question: Question, choice: Choice) -> str:
    lexicon = lexicon_of(question.catalog, question.semantics)
    sql = reading_of(choice.meaning, (), lexicon, question.today).sql
    facts = facts_of(sql, question.catalog, question.today, question.semantics)
    said = reading(Names(facts, question.catalog, question.today, question.semantics, question.text))
    if choice.meaning.keys:
        said += (
            f", by {' and '.join(' '.join(name_parts(key.column)).removesuffix(' id') for key in choice.meaning.keys)}"
        )
    return said[:1].upper() + said[1:]
