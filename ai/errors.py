"""The error tree, named by the caller's next step. Each message is one sentence a person can act on.

DatathreadError
├── UserError            tell the asker, as it is
│   ├── SqlRefused       the guard refused the SQL; `layer` names the check
│   │   └── Masked           it computes with what is masked for the asker; writing it anew is no help
│   ├── QueryEnded       the query did not finish, whatever its SQL; writing it anew is no help
│   │   ├── QueryTimeout     it ran over its limit
│   │   ├── QueryLocked      others hold a lock on its data
│   │   └── QueryCancelled   the server ended it
│   ├── QueryFailed      the database refused the query; `detail` is its message, for the log and for repair
│   ├── NoResult         nothing stored to work on
│   ├── NotFound         nothing of this name is kept
│   ├── NameTaken        the name is in use and stays
│   ├── NotAllowed       this person or channel may not ask
│   └── Stopped          somebody said stop
├── ConfigError          stop at start: names the setting, its value and the allowed ones
│   └── MissingExtra         install the packages of an extra
├── SourceUnavailable    a database or service is unreachable; try again later
│   ├── ConnectionLost   it went away in the middle of a query
│   ├── RowsAway         the place of kept rows does not answer; the turn is put off
│   └── ModelUnavailable go on without the language model; `kind` names the fault
│       └── BudgetSpent  no call was made: a budget has no room
└── Corrupt              stored data does not read back; stop and look
"""

from typing import Literal

ModelFault = Literal[
    "rate_limited", "quota", "auth", "refused", "overflow", "garbled", "cut", "slow", "down", "out", "budget"
]


class DatathreadError(Exception): ...


class UserError(DatathreadError): ...


class SqlRefused(UserError):
    def __init__(self, reason: str, layer: str) -> None:
        super().__init__(reason)
        self.layer = layer


class Masked(SqlRefused):
    def __init__(self, columns: list[str]) -> None:
        named, verb = (columns[0], "is") if len(columns) == 1 else (" and ".join(columns), "are")
        super().__init__(
            f"I cannot compute with {named}, which {verb} masked for you; ask for something else, or ask an owner.",
            "L4",
        )


class QueryEnded(UserError): ...


class QueryTimeout(QueryEnded):
    def __init__(self, seconds: float) -> None:
        super().__init__(f"The query was stopped after {seconds:g} seconds; ask for less data or a shorter period.")
        self.seconds = seconds


class QueryLocked(QueryEnded):
    def __init__(self) -> None:
        super().__init__(
            "This data is locked, as somebody is changing it; ask again in a minute, and tell an owner if it stays so."
        )


class QueryCancelled(QueryEnded):
    def __init__(self) -> None:
        super().__init__(
            "The database server ended the query; ask for a shorter period, and ask an owner why if it happens again."
        )


class QueryFailed(UserError):
    def __init__(self, detail: str) -> None:
        super().__init__("The database could not run this query; try to word the question differently.")
        self.detail = detail


class NoResult(UserError): ...


class NotFound(UserError): ...


class NameTaken(UserError): ...


class NotAllowed(UserError): ...


class Stopped(UserError):
    def __init__(self) -> None:
        super().__init__("Stopped.")


class ConfigError(DatathreadError): ...


class MissingExtra(ConfigError):
    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs packages that are not installed: run pip install 'datathread[{extra}]'.")
        self.extra = extra


class SourceUnavailable(DatathreadError): ...


class ConnectionLost(SourceUnavailable): ...


class RowsAway(SourceUnavailable): ...


class ModelUnavailable(SourceUnavailable):
    """The language model gave no usable answer. The sentence may be shown; `detail` is for the log.

    `kind`: rate_limited, quota, auth (the key), refused (the request), overflow (prompt too long), garbled
    (unreadable), cut (longer than its limit), slow (the turn's time is over), down (no server), out (it stopped
    answering), budget (see BudgetSpent).
    """

    def __init__(self, sentence: str, kind: ModelFault, detail: str = "") -> None:
        super().__init__(sentence)
        self.kind: ModelFault = kind
        self.detail = detail


class BudgetSpent(ModelUnavailable):
    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, "budget")


class Corrupt(DatathreadError): ...
