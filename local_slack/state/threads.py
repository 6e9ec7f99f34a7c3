"""The app's additions to a thread: status line, title, suggested prompts, and the session with its Stop.

A status clears itself after two minutes, and when the app posts in the thread.
"""

from collections.abc import Callable, Sequence

from local_slack.limits import Limits
from local_slack.state.changes import Change, PromptsSet, SessionChanged, StatusChanged, TitleSet
from local_slack.state.clock import Clock
from local_slack.state.entities import Session

Key = tuple[str, str]  # (channel, thread_ts)


class AssistantThreads:
    def __init__(self, clock: Clock, publish: Callable[[Change], None], limits: Limits) -> None:
        self._clock = clock
        self._publish = publish
        self._limits = limits
        self.statuses: dict[Key, StatusChanged] = {}
        self.titles: dict[Key, str] = {}
        self.prompts: dict[Key, PromptsSet] = {}
        self.sessions: dict[Key, Session] = {}

    def clear(self) -> None:
        for facts in (self.statuses, self.titles, self.prompts, self.sessions):
            facts.clear()

    def set_status(self, channel: str, thread_ts: str, text: str, loading_messages: Sequence[str] = ()) -> None:
        """Show `text` under the thread; an empty one clears the line."""
        expires_at = self._clock.now() + self._limits["status.seconds"] if text else 0.0
        status = StatusChanged(channel, thread_ts, text, tuple(loading_messages), expires_at)
        if text:
            self.statuses[channel, thread_ts] = status
            self._clock.call_at(expires_at, lambda: self._expire(status))
        else:
            self.statuses.pop((channel, thread_ts), None)
        self._publish(status)

    def clear_status(self, channel: str, thread_ts: str) -> None:
        if (channel, thread_ts) in self.statuses:
            self.set_status(channel, thread_ts, "")

    def set_title(self, channel: str, thread_ts: str, title: str) -> None:
        self.titles[channel, thread_ts] = title
        self._publish(TitleSet(channel, thread_ts, title))

    def set_prompts(self, prompts: PromptsSet) -> None:
        self.prompts[prompts.channel, prompts.thread_ts] = prompts
        self._publish(prompts)

    def set_session(self, session: Session) -> None:
        self.sessions[session.channel, session.thread_ts] = session
        if session.title:
            self.titles[session.channel, session.thread_ts] = session.title
        self._publish(SessionChanged(session))

    def _expire(self, status: StatusChanged) -> None:
        if self.statuses.get((status.channel, status.thread_ts)) is status:
            self.clear_status(status.channel, status.thread_ts)
