"""The person of a verb: “who are they assigned to?” asks for the one whom a key refers to."""

from dataclasses import replace

from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Meaning
from ai.nl2sql.schema import display
from ai.nl2sql.threads import edits
from ai.nl2sql.threads.referents import thing
from ai.nl2sql.threads.steps import Followed
from ai.nl2sql.words import keys, name_parts

SOUND = 5  # letters of a verb and a column that must agree


def who_of(before: Meaning, lexicon: Lexicon, text: str) -> Followed | None:
    """Show beside each row whom its key refers to, if just one key sounds like a word of the message."""
    own = thing(before, lexicon)
    found = [key for key in lexicon.table(own).foreign_keys if len(key.columns) == 1 and _sounds(key.columns[0], text)]
    people = display(lexicon, lexicon.table(found[0].target_table).name) if len(found) == 1 else ()
    if not people or (before.groups and before.subject != own):
        return None
    listed = edits.listed(before, lexicon)
    columns = tuple(dict.fromkeys((*display(lexicon, own), *people)))
    made = replace(listed, columns=columns, keys=(*listed.keys, Field(own, found[0].columns[0])))
    return Followed(made) if complaint(made, lexicon) is None else None


def _sounds(column: str, text: str) -> bool:
    """Return whether a word of the message begins like a column: “assigned” and `assignee_id`."""
    stems = [part[:SOUND] for part in name_parts(column) if len(part) >= SOUND]
    return any(word[:SOUND] in stems for word in keys(text) if len(word) >= SOUND)
