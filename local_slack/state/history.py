"""The messages of one conversation in the order of their ts."""

from bisect import insort
from collections.abc import Iterator

from local_slack.state.entities import Message


class ConversationHistory:
    """One conversation. A deleted root with replies stays as a tombstone."""

    def __init__(self) -> None:
        self._messages: dict[str, Message] = {}
        self._order: list[str] = []
        self._threads: dict[str, list[str]] = {}

    def __iter__(self) -> Iterator[Message]:
        return (self._messages[ts] for ts in self._order)

    def __len__(self) -> int:
        return len(self._order)

    def __contains__(self, ts: str) -> bool:
        return ts in self._messages

    def get(self, ts: str) -> Message | None:
        return self._messages.get(ts)

    def add(self, message: Message) -> None:
        self._messages[message.ts] = message
        insort(self._order, message.ts)
        if message.is_reply and message.thread_ts is not None:
            insort(self._threads.setdefault(message.thread_ts, []), message.ts)

    def replace(self, message: Message) -> None:
        self._messages[message.ts] = message

    def remove(self, message: Message) -> None:
        """Remove `message`; with the last reply under a tombstone the tombstone goes too."""
        del self._messages[message.ts]
        self._order.remove(message.ts)
        if not message.is_reply or message.thread_ts is None:
            return
        self._threads[message.thread_ts].remove(message.ts)
        root = self._messages[message.thread_ts]
        if root.is_tombstone and not self.replies(root.ts):
            self.remove(root)

    def replies(self, root_ts: str) -> list[Message]:
        """Return the replies under `root_ts`, oldest first, without the root."""
        return [self._messages[ts] for ts in self._threads.get(root_ts, [])]

    def top_level(self) -> list[Message]:
        """Return the messages the channel itself shows, oldest first."""
        return [message for message in self if message.is_top_level]
