"""A question back with the meanings to choose from."""

from collections.abc import Sequence

from ai.nl2sql.echo import echo
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.reading.sketch import Sketch


def ask_back(sketch: Sketch, question: str, meanings: Sequence[Meaning]) -> None:
    """Ask which of several meanings is meant, in place of what was doubted."""
    sketch.cost -= sketch.penalty
    sketch.penalty = 0.0
    sketch.problems.clear()
    sketch.vague = question
    sketch.choices = [(_capital(echo(meaning, sketch.lexicon)), meaning) for meaning in meanings]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
