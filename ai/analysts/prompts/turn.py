"""The lines of a prompt about one question. Each is a JSON object with a budget by kind; the best come first."""

from calendar import month_name
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from ai.analysts.port import Question
from ai.analysts.prompts.data import line, masked
from ai.language.questions import keys
from ai.language.words import telling_stems
from ai.nl2sql.lexicon import lexicon_of
from ai.sql.catalog import Count
from ai.sql.semantics import NonAdditive, Semantics
from ai.types import Json

MOST_VALUES, MOST_EXAMPLES = 8, 3
COMMON = 0.3  # share of definitions that hold a word, beyond which it tells none from another
LONGEST_VALUE = 6  # words of a value that is looked for


def matched_values(question: Question) -> dict[str, list[str]]:
    """Return stored spellings of words in the question with their columns."""
    lexicon, words = lexicon_of(question.catalog, question.semantics), keys(question.text)
    found: dict[str, list[str]] = {}
    for length in range(min(LONGEST_VALUE, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            part = words[start : start + length]
            near = lexicon.nearest(part[0]) if length == 1 and not lexicon.senses(part) else None
            for sense in lexicon.senses((near,) if near else part):
                if isinstance(sense.value, str):
                    found.setdefault(sense.value, []).append(f"{sense.table}.{sense.column}")
    return dict(list(found.items())[:MOST_VALUES])


def definitions(semantics: Semantics) -> list[str]:
    return [
        *(
            line(
                metric=m.name,
                also=[*m.synonyms],
                sql=m.expression,
                of=m.table,
                where=m.condition,
                unit=m.unit,
                dated_by=m.date,
                **_over_time(m.non_additive),
            )
            for m in semantics.metrics
        ),
        *(line(term=t.name, also=[*t.synonyms], of=t.table, where=t.condition) for t in semantics.terms),
        *(line(join=f"{join.child} = {join.parent}") for join in semantics.joins),
        *(
            line(column=key, unit=unit.unit, times=None if unit.scale == 1 else unit.scale)
            for key, unit in semantics.units.items()
        ),
        *(line(column=key, **_over_time(grain)) for key, grain in semantics.non_additive.items()),
        *(line(word=one.word, means=one.target) for one in semantics.synonyms),
        *(line(words=words, means=column, value=value) for (column, value), words in _wordings(semantics).items()),
        *(line(table=table, named_by=column) for table, column in semantics.display.items()),
        *(line(table=table, dated_by=column) for table, column in semantics.dates.items()),
        *(
            [line(fiscal_year_starts=f"{month_name[semantics.fiscal_month]} 1", FY26="the one that ends in 2026")]
            if semantics.fiscal_month
            else []
        ),
    ]


def _over_time(grain: NonAdditive | None) -> dict[str, str]:
    """Say how a figure that does not add up over time is taken over a longer one."""
    taken = {"last": "its last value", "mean": f"the mean per {grain.over}", "none": "ask"} if grain else {}
    return {"never_summed_over_time": f"per {grain.over}; over more: {taken[grain.take]}"} if grain else {}


def _wordings(semantics: Semantics) -> dict[tuple[str, str], list[Json]]:
    """Return the words for each stored value of a column."""
    words: dict[tuple[str, str], list[Json]] = {}
    for one in semantics.wordings:
        words.setdefault((f"{one.table}.{one.column}", one.value), []).append(one.word)
    return words


def best(lines: Sequence[str], question: str, budget: int, count: Count) -> list[str]:
    """Return the lines sharing most telling words with a question; a word in many lines tells little."""
    stems = {text: set(telling_stems(text)) for text in lines}
    seen = Counter(chain.from_iterable(stems.values()))
    asked = {stem for stem in telling_stems(question) if seen[stem] <= max(1, len(lines) * COMMON)}
    shared = {text: len(asked & stems[text]) for text in lines}
    return list(within(sorted(filter(shared.get, lines), key=lambda text: -shared[text]), budget, count))


def within(lines: Iterable[str], budget: int, count: Count) -> Iterator[str]:
    for text in lines:
        budget -= count(text) + 1
        if budget < 0:
            return
        yield text


def thread(question: Question, budget: int, count: Count, *, private: bool, numbered: bool = False) -> list[str]:
    """Return the lines of the thread; only the words of people when `private`."""
    part = question.thread_part.within(max(0, budget), people_only=private, numbered=numbered)
    return list(within((line(**fields) for fields in part), budget, count))


def last_query(question: Question, budget: int, count: Count, *, private: bool) -> list[str]:
    if not question.past:
        return []
    last = question.past[0]
    sql = masked(last.sql, _said(question)) if private else last.sql
    return list(within([line(last_question=last.question, its_sql=sql)], budget, count))


def examples(question: Question, budget: int, count: Count, *, private: bool) -> list[str]:
    shown = ((one.question, masked(one.sql, one.question) if private else one.sql) for one in question.examples)
    lines = (line(question=asked, its_sql=sql) for asked, sql in islice(shown, MOST_EXAMPLES))
    return list(within(lines, budget, count))


def _said(question: Question) -> str:
    """Return everything people typed: a model without access to data may still see that."""
    people = (message.content for message in question.thread_part.recent if message.role == "user")
    return " ".join((question.text, *(query.question for query in question.past), *people))
