"""The one error of the local Slack: what Slack itself would answer."""

from collections.abc import Sequence


class SlackError(Exception):
    """A request that Slack refuses: `code` goes into the answer's `error`, `details` into `response_metadata.messages`."""

    def __init__(self, code: str, details: Sequence[str] = ()) -> None:
        super().__init__(code)
        self.code = code
        self.details = tuple(details)
