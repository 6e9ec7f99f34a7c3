"""JSON objects, and the error Slack answers with."""

from collections.abc import Mapping, Sequence
from typing import Any

Json = dict[str, Any]


class SlackError(Exception):
    """A refusal: `code` becomes the answer's `error`, `details` its `response_metadata.messages`.

    `facts` are further fields of the answer, such as `needed` and `provided` of missing_scope.
    """

    def __init__(self, code: str, details: Sequence[str] = (), facts: Mapping[str, str] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.details = tuple(details)
        self.facts = dict(facts or {})


class RateLimitedError(SlackError):
    """Too many calls; answered with status 429."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("ratelimited")
        self.retry_after = retry_after
