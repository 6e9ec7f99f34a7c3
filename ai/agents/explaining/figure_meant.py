"""Find the figure that a question after a cause names in its words, or that its thread showed."""

import re
from dataclasses import dataclass, replace

from ai.agents.explaining.names import other_names
from ai.agents.wishes.why import named_words
from ai.analysts.port import Question
from ai.language.questions import split
from ai.language.words import COMMON
from ai.nl2sql.choose import NO_SUM, Doubt
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.reader import Reading, read

GOES_ON = re.compile(r"\s*(?:in|for|at|on|of|from|among|within|especially|mainly|only)\b", re.IGNORECASE)
TELLING = re.compile(r"(?<!^)\b[A-Z]\w|\d|[\"“]")
MEAN = re.compile(r"\b(?:average|avg|mean)\b(?!.*\b(?:daily|weekly|monthly|(?:per|a|each) (?:day|week|month))\b)", re.I)
A_TIME = "last month"
WHICH = "Which figure should I explain? Name it with a period."
UNKNOWN = "I cannot read {} in this question as something that this data holds; name the figure in words of the data."


@dataclass(frozen=True, slots=True)
class FigureMeant:
    """A figure with its conditions, as named."""

    meaning: Meaning
    name: str = ""


def figure_meant(
    clauses: list[str], question: Question, lexicon: Lexicon, previous: Meaning | None
) -> FigureMeant | Doubt:
    """Read the first clause with a figure; one without names stands for the thread's."""
    candidates = _candidates(clauses, lexicon)
    problem: Doubt | None = None
    for words in candidates:
        of_shown = _read(words, question, previous) if previous and _is_value(words, lexicon) else None
        if isinstance(of_shown, Meaning) and of_shown.all_measures:
            return FigureMeant(of_shown)  # “why is iOS lower?” is of the figure shown, no number of apps
        for said in other_names(words, " ".join(clauses), lexicon):
            found = _read(f"{said.words} {A_TIME}", question, None)
            if isinstance(found, Meaning):
                return FigureMeant(_of_rows(said.of(found), words), said.name)
            problem = problem or found
        if previous and isinstance(found := _read(words, question, previous), Meaning):
            return FigureMeant(found)
    if not candidates:
        return FigureMeant(previous) if previous else Doubt(WHICH)
    unknown = ", ".join(f"“{word}”" for word in candidates[0].split() if word.lower() not in COMMON)
    near = problem.choices if problem else ()
    return Doubt(problem.reason if problem and near else UNKNOWN.format(unknown or "this"), near, asks=True)


def _is_value(words: str, lexicon: Lexicon) -> bool:
    return tuple(word.key for word in split(words)) in lexicon.values


def _candidates(clauses: list[str], lexicon: Lexicon) -> tuple[str, ...]:
    """Return the telling words of clauses; a clause that names something more goes with the one before."""
    joined: list[str] = []
    for clause in clauses:
        words, more = named(clause, lexicon), GOES_ON.match(clause)
        if joined and words and (more or TELLING.search(clause)):
            joined[-1] = f"{joined[-1]} {more.group().strip() if more else ''} {words}"
        elif words:
            joined.append(words)
    return tuple(joined)


def named(text: str, lexicon: Lexicon) -> str:
    """Return the words of a text with possible names from the data."""

    def is_name(words: tuple[str, ...]) -> bool:
        return any(not sense.cost for sense in lexicon.senses(words)) or lexicon.defines(words)

    return named_words(text, is_name)


def _read(text: str, question: Question, previous: Meaning | None) -> Meaning | Doubt:
    found = read(text, question.catalog, question.today, previous, question.semantics)
    if isinstance(found, Reading):
        is_figure = found.meaning.all_measures or found.meaning.subject
        return found.meaning if is_figure else Doubt(WHICH)
    return found.choices[0].meaning if found.reason == NO_SUM and found.choices else found


def _of_rows(meaning: Meaning, words: str) -> Meaning:
    """Read “average fee” as the mean of all rows, not of sums by day."""
    if not MEAN.search(words) or not meaning.measures or meaning.measures[0].function != "sum":
        return meaning
    return replace(meaning, measures=(replace(meaning.measures[0], function="avg"),))


def names_data(text: str, lexicon: Lexicon) -> bool:
    said = ((word.key,) for word in split(text) if word.key not in COMMON)
    return any(lexicon.senses(words) or lexicon.defines(words) for words in said)
