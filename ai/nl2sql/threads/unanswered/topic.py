"""Carry on what an unanswered question was about: “how is Germany doing?”, then “installs by month”."""

import re
from dataclasses import replace

from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.threads.fragments import Sketches, best_of
from ai.nl2sql.threads.steps import Followed

DOING = re.compile(
    r"^(?:and |so |ok )*how(?:\W?s| is| are| was| were| did| does| do| has| have)? (?:the |our )?(?P<topic>.+?)"
    r" (?:doing|do|going|go|gone|perform\w*|look(?:ing)?|been|work(?:ing)?)\b",
    re.IGNORECASE,
)


def carried_on(text: str, lost: str, lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Read a whole question of the things that the one before asked about; None where that named none."""
    found = DOING.match(lost)
    about, whole = (best_of(read, found["topic"]), best_of(read, text)) if found else (None, None)
    if about is None or whole is None or about.unread() or whole.unread() or whole.problems or whole.choices:
        return None
    held = {test.field for test in whole.meaning.filters}
    new = tuple(test for test in about.meaning.filters if test.field not in held)
    made = replace(whole.meaning, filters=(*whole.meaning.filters, *new))
    if not new or not made.all_measures or complaint(made, lexicon):
        return None
    said = " and ".join(str(value) for test in new for value in test.values)
    return Followed(made, (*whole.notes, f"for {said}, as you asked before"))
