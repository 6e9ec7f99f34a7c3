"""In a thread with files: whether a question is of them or of the connected data, by its words and their contents."""

import re
from dataclasses import replace

from ai.agents.port import QuestionEvent, Turn
from ai.agents.question_context import QuestionContext
from ai.answers.phrase import literal
from ai.nl2sql.reader import Reading, read

OF = r"[ ,]*\b(?:in|from|of|on|using|with) "
FILE = re.compile(
    rf"{OF}(?:the|this|that|my) (?:(?:dropped|uploaded|attached) )?(?:files?|csv|upload|attachment)\b(\W*)$", re.I
)
DATA = re.compile(rf"{OF}(?:the|our) (?:connected data|(?:connected )?database|warehouse)\b(\W*)$", re.I)
WHICH = "The file and the connected data both answer this. Which do you mean?"
THE_FILE, THE_DATA = "The file", "The connected data"
IN_FILE, IN_DATA = "in the file", "in the connected data"


class ChosenSource:
    """Chooses among a thread's files and the source of its channel."""

    def __init__(self, context: QuestionContext) -> None:
        self._context = context

    def of(self, turn: Turn) -> Turn | QuestionEvent:
        """Return the turn with its source, or ask where both fit and neither was asked before."""
        request = turn.request
        if not request.connected:
            return turn
        file, data = turn, replace(turn, request=replace(request, source=request.connected))
        for pattern, chosen in ((FILE, file), (DATA, data)):
            if found := pattern.search(request.text):
                return chosen.saying(f"{request.text[: found.start()]}{found[1]}")
        fits = [one for one in (file, data) if self._reads(one)]
        if len(fits) == 1:
            return fits[0]
        before = [query.source for query in self._context.past(turn)]
        if before:
            return data if before[0] == request.connected else file
        return _asked(request.text) if fits else file

    def told(self, turn: Turn) -> str:
        """Say where an answer comes from, "" in a thread without files."""
        request = turn.request
        if not request.connected:
            return ""
        if request.source == request.connected:
            return f"From the connected data ({literal(request.source)}):"
        tables = [literal(table.name) for table in self._context.source(turn).catalog().tables]
        return f"From the file “{tables[0]}”:" if len(tables) == 1 else "From the files of this thread:"

    def _reads(self, turn: Turn) -> bool:
        """Whether the reader answers the question from this source alone."""
        asked = self._context.question(turn)
        return isinstance(read(asked.text, asked.catalog, asked.today, semantics=asked.semantics), Reading)


def _asked(text: str) -> QuestionEvent:
    bare = text.rstrip(" ?.!")
    return QuestionEvent(WHICH, (THE_FILE, THE_DATA), (f"{bare} {IN_FILE}", f"{bare} {IN_DATA}"))
