"""Send each open page the events its person may see, and on request the inspector's entries."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from local_slack.delivery.journal import Journal, JournalEntry
from local_slack.page.shapes import EVERYBODY, entry_for_page, page_events
from local_slack.state.changes import Change
from local_slack.state.workspace import Workspace
from local_slack.wire import Json

_SECONDS_BETWEEN_SIGNS_OF_LIFE = 15.0


@dataclass(eq=False, slots=True)
class _OpenPage:
    user: str
    with_journal: bool
    queue: asyncio.Queue[Json | None] = field(default_factory=asyncio.Queue)


class PageStreams:
    def __init__(self, workspace: Workspace, journal: Journal) -> None:
        self._workspace = workspace
        self._streams: list[_OpenPage] = []
        workspace.subscribe(self._tell)
        journal.subscribe(self._tell_inspectors)

    def close(self) -> None:
        """End all streams, else the server waits for them."""
        for stream in self._streams:
            stream.queue.put_nowait(None)

    async def events(self, user_id: str, *, with_journal: bool) -> AsyncIterator[str]:
        """Yield events until the page goes away or the server stops."""
        stream = _OpenPage(user_id, with_journal)
        self._streams.append(stream)
        try:
            yield _sse({"type": "hello"})
            while True:
                try:
                    event = await asyncio.wait_for(stream.queue.get(), _SECONDS_BETWEEN_SIGNS_OF_LIFE)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if event is None:
                    return
                yield _sse(event)
        finally:
            self._streams.remove(stream)

    def _tell(self, change: Change) -> None:
        if not self._streams:
            return
        for audience, event in page_events(self._workspace, change):
            channel = self._workspace.channels.get(audience)
            for stream in self._streams:
                if audience in {EVERYBODY, stream.user} or (channel and stream.user in channel.members):
                    stream.queue.put_nowait(event)

    def _tell_inspectors(self, entry: JournalEntry) -> None:
        for stream in self._streams:
            if stream.with_journal:
                stream.queue.put_nowait({"type": "journal", "entry": entry_for_page(entry)})


def _sse(event: Json) -> str:
    return f"data: {json.dumps(event)}\n\n"
