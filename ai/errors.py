"""The error tree, named by what the caller does next. Each message is one sentence that a person can act on.

DatathreadError
├── UserError            say it to the person who asked, as it is
│   ├── SqlRefused       the guard does not let this SQL run; `layer` says which check spoke
│   ├── QueryTimeout     the query ran longer than the limit
│   ├── QueryFailed      the database refused the query; `detail` is its own message, for the log and for repair
│   ├── NoResult         nothing stored to work on
│   ├── NotFound         nothing of this name is kept
│   ├── NameTaken        something of this name is kept already, and stays as it is
│   ├── NotAllowed       this person or channel may not ask
│   └── Stopped          somebody said stop
├── ConfigError          stop at start: a setting is wrong; names the setting, what was given and what is allowed
├── SourceUnavailable    a database or service cannot be reached now; try again later
│   └── ModelUnavailable go on without the language model; `kind` says what is wrong with it
│       └── BudgetSpent  no call was made, because a budget has no room for it
└── Corrupt              stored data does not read back; stop and look
"""

from typing import Literal

ModelFault = Literal["rate_limited", "quota", "auth", "refused", "overflow", "garbled", "slow", "down", "budget"]


class DatathreadError(Exception):
    """Base of every error that we raise ourselves."""


class UserError(DatathreadError):
    """A sentence for the person who asked."""


class SqlRefused(UserError):
    """The guard refused the SQL before it ran."""

    def __init__(self, reason: str, layer: str) -> None:
        super().__init__(reason)
        self.layer = layer


class QueryTimeout(UserError):
    """The query was interrupted at its time limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"The query was stopped after {seconds:g} seconds; ask for less data or a shorter period.")
        self.seconds = seconds


class QueryFailed(UserError):
    """The database did not run the query."""

    def __init__(self, detail: str) -> None:
        super().__init__("The database could not run this query; try to word the question differently.")
        self.detail = detail


class NoResult(UserError):
    """There is no stored result to export, show or draw."""


class NotFound(UserError):
    """There is no workspace, state or tool of this name."""


class NameTaken(UserError):
    """The name is in use, and what has it is not replaced."""


class NotAllowed(UserError):
    """The person or the channel may not ask here."""


class Stopped(UserError):
    """Somebody wanted the turn to end before it had an answer."""

    def __init__(self) -> None:
        super().__init__("Stopped.")


class ConfigError(DatathreadError):
    """A setting is wrong; nothing was started."""


class SourceUnavailable(DatathreadError):
    """A database or a service cannot be reached at the moment."""


class ModelUnavailable(SourceUnavailable):
    """The language model gave no answer that can be used. The sentence may be shown; `detail` is for the log.

    `kind`: rate_limited and quota by its server, auth the key, refused the request, overflow the prompt is too long,
    garbled an answer that cannot be read, slow the turn's time is over, down no server there, budget see BudgetSpent.
    """

    def __init__(self, sentence: str, kind: ModelFault, detail: str = "") -> None:
        super().__init__(sentence)
        self.kind: ModelFault = kind
        self.detail = detail


class BudgetSpent(ModelUnavailable):
    """A budget of tokens has no room for a call; the sentence says which one and when it begins anew."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, "budget")


class Corrupt(DatathreadError):
    """Stored data cannot be read back as it was written."""
