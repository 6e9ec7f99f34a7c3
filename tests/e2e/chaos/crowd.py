"""Many people who ask in many threads at once, and the verdict on what they were told, as Slack has it in the end."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import cycle, pairwise

from local_slack.testing import ANA, BOT, GENERAL, MENTION, SlackServer
from tests.e2e.chaos.fleet import COUNTS
from tests.e2e.conversation import Json, is_status
from tests.wait import until


@dataclass(frozen=True)
class Asked:
    """One question, and what its answer must hold."""

    ts: str
    thread_ts: str
    subject: str

    @property
    def answer(self) -> str:
        return str(COUNTS[self.subject])


@dataclass(frozen=True)
class Verdict:
    """What went wrong, by the ts of the questions; nothing did when it is the empty one."""

    unanswered: tuple[str, ...] = ()
    doubled: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    out_of_order: tuple[str, ...] = ()
    overlapping: tuple[str, ...] = ()


@dataclass
class Crowd:
    """Asks in one channel. What it asks goes round the tables, so that an answer to another question is noticed."""

    slack: SlackServer
    channel: str = GENERAL
    asked: list[Asked] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._subjects = cycle(COUNTS)

    def begin(self, threads: int) -> list[str]:
        """Start so many threads, and give their roots."""
        return [self._ask(None) for _ in range(threads)]

    def go_on(self, threads: list[str]) -> None:
        """Ask one more question in each of these threads."""
        for thread in threads:
            self._ask(thread)

    def wait(self, answers: int | None = None, timeout: float = 60.0) -> None:
        """Until so many questions have their answer; all of them, when no number is given."""
        wanted = len(self.asked) if answers is None else answers
        until(lambda: self.answered() >= wanted, timeout, f"{wanted} answers")

    def answered(self) -> int:
        return sum(any(not is_status(reply) for reply in replies) for replies in self._replies().values())

    def verdict(self) -> Verdict:
        replies = self._replies()
        finals = {ts: [reply for reply in replies[ts] if not is_status(reply)] for ts in replies}
        return Verdict(
            unanswered=tuple(one.ts for one in self.asked if not finals.get(one.ts)),
            doubled=tuple(ts for ts, said in finals.items() if len(said) > 1),
            wrong=tuple(
                one.ts for one in self.asked for said in finals.get(one.ts, ()) if one.answer not in said["text"]
            ),
            out_of_order=self._out_of_order(replies),
            overlapping=self._overlapping(),
        )

    def _ask(self, thread: str | None) -> str:
        subject = next(self._subjects)
        mention = "" if thread else f"{MENTION} "
        ts = self.slack.say(ANA, self.channel, f"{mention}how many {subject} are there?", thread_ts=thread)
        self.asked.append(Asked(ts, thread or ts, subject))
        return thread or ts

    def _replies(self) -> dict[str, list[Json]]:
        """The bot's messages by the ts of the question that they belong to."""
        found = defaultdict(list)
        for message in self.slack.messages(self.channel):
            if message["user"] == BOT:
                found[_question(message)].append(message)
        return found

    def _out_of_order(self, replies: dict[str, list[Json]]) -> tuple[str, ...]:
        """The questions that were begun before an earlier one of their thread."""
        begun: dict[str, list[str]] = defaultdict(list)
        first = {ts: min(reply["ts"] for reply in said) for ts, said in replies.items()}
        for one in sorted(self.asked, key=lambda one: float(one.ts)):
            if one.ts in first:
                begun[one.thread_ts].append(first[one.ts])
        return tuple(later for times in begun.values() for earlier, later in pairwise(times) if later < earlier)

    def _overlapping(self) -> tuple[str, ...]:
        """The questions that were begun before the one before them had its answer, by the calls that Slack saw."""
        thread_of = {one.ts: one.thread_ts for one in self.asked}
        last_call: dict[str, int] = {}
        first_call: dict[str, int] = {}
        for call in self.slack.calls():
            ts = _question(call["args"])
            if call["method"] in {"chat.postMessage", "chat.update"} and ts in thread_of:
                first_call.setdefault(ts, call["number"])
                last_call[ts] = call["number"]
        lines: dict[str, list[str]] = defaultdict(list)
        for ts in sorted(first_call, key=first_call.__getitem__):
            lines[thread_of[ts]].append(ts)
        return tuple(
            later
            for line in lines.values()
            for earlier, later in pairwise(line)
            if first_call[later] < last_call[earlier]
        )

    def outcomes(self) -> Counter[str]:
        """How often each text was said, for a look at what a failing run did."""
        return Counter(reply["text"] for replies in self._replies().values() for reply in replies)


def _question(message: Json) -> str:
    """The ts of the question that a message of the bot belongs to; empty where it says nothing of the kind."""
    metadata = message.get("metadata") or {}
    return str(metadata.get("event_payload", {}).get("turn_id", "")).rpartition(":")[2]
