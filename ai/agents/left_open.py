"""Says why a thread has no answer to show: what was asked in it last is open, or could not be answered."""

from typing import NoReturn

from ai.errors import NoResult
from ai.memory_store import MemoryStore
from ai.types import AnsweredQuery, AskedBack, DraftQuery, ThreadKey

LATELY = 40  # messages among which the question is looked for
NOTHING_YET = "Nothing has been asked in this thread yet; ask a data question first."
STILL_OPEN = "“{0}” has no answer yet, because I asked back what it means; say so, or ask it in other words."
STILL_OPEN_ON = (
    "“{0}” has no answer yet, because I asked back whether you mean “{1}” or something else; "
    "pick a choice, or ask it in other words."
)
NOT_ANSWERED = "I could not answer “{0}”, so there is nothing of it to show; ask it in other words."


def refuse_unanswered(memory: MemoryStore, thread: ThreadKey, turn_id: str) -> NoReturn:
    """Raise NoResult: nothing was asked in the thread before this turn, or what was asked has no answer."""
    said = memory.transcripts.newest(thread, LATELY)
    turns = dict.fromkeys(message.turn_id for message in said if message.turn_id != turn_id)
    records = [record for turn in turns for record in memory.turn_queries(turn)]
    match next((record for record in reversed(records) if not isinstance(record, AnsweredQuery | DraftQuery)), None):
        case None:
            raise NoResult(NOTHING_YET)
        case AskedBack(question=asked, options=()):
            raise NoResult(STILL_OPEN.format(asked))
        case AskedBack(question=asked, options=(first, *_)):
            raise NoResult(STILL_OPEN_ON.format(asked, first))
        case record:
            raise NoResult(NOT_ANSWERED.format(record.question))
