"""Archives, restores, exports and forgets the thread by plain words, with a button to undo."""

from collections.abc import Callable, Iterator, Sequence
from zoneinfo import ZoneInfo

from ai.agents.cards import AgentCard, Services, always
from ai.agents.port import TO_NOW, FileEvent, QuestionEvent, ReplyEvent, TextEvent, Turn
from ai.agents.recalling.plain_words import plain_words
from ai.agents.recalling.preview import counted, preview, undo
from ai.agents.recalling.sayings import Sayings
from ai.agents.toolbox.archives import usage
from ai.agents.toolbox.tool import Caller
from ai.agents.toolbox.workspace import WorkspaceTools
from ai.agents.tools import export_folder
from ai.agents.wishes.archives import ARCHIVES, ArchiveVerb, ArchiveWish, archive_wish
from ai.analysts.port import Intent
from ai.answers.phrase import literal
from ai.errors import NotAllowed, NotFound, UserError
from ai.memory.archives import Listed
from ai.memory.keeping import as_json, as_markdown
from ai.memory.search import Scope
from ai.types import LoggedMessage, Place

SHOWN = 20  # messages of an archive or of a thread that are told
LENGTH = 120  # characters of each
SUMMARY = 400  # characters of a summary
SUMMED_UP = 5  # decisions that a summary names
ALL = 1_000_000
NOTHING = "Nothing is archived in this thread. Say “archive everything before this”."
TOO_FEW = "There is nothing before this message to archive."
ARCHIVED_ALREADY = "These messages are archived already; say “show archives”."
ALL_IN_USE = "Every archive is in use, so there is none to drop."
FOR_ITS_OWNER = "Only the person who began this thread, or an owner of the bot, may forget it."


class ArchiveAgent:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._memory = services.memory
        self._archives = services.memory.archives
        self._filter = services.context.audience_filter
        self._sayings = Sayings(services.memory, services.cards, services.context.audience_filter)

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        doing: dict[ArchiveVerb, Callable[[Turn, ArchiveWish], Iterator[ReplyEvent]]] = {
            "store": self._store,
            "sum up": self._store,
            "store again": self._store_again,
            "list": self._list,
            "load": self._load,
            "restore": self._restore,
            "take out": self._take_out,
            "prune": self._ask_to_prune,
            "prune for good": self._prune,
            "history": self._history,
            "export": self._export,
            "forget": self._ask_to_forget,
            "forget for good": self._forget,
            "workspaces": self._workspaces,
        }
        wish = archive_wish(turn.request.text) or ArchiveWish("list")
        yield from doing[wish.verb](turn, wish)

    def _store(self, turn: Turn, wish: ArchiveWish) -> Iterator[ReplyEvent]:
        """Archive a range before this message, and show what stands in its place."""
        before = self._before(turn)
        end = len(before) - 1 if wish.end is None else min(wish.end, len(before) - 1)
        if end < wish.start:
            raise UserError(TOO_FEW)
        summary = self._summary(turn) if wish.verb == "sum up" else wish.summary or None
        held = before[wish.start : end + 1]
        handle = turn.step("archive", lambda: self._stored(turn, held, wish.start, summary))
        listed = self._one(turn, handle)
        yield TextEvent(
            f"Archived {self._preview(turn, self._held(turn, handle))}. Prompts and lists now hold one line for them"
            f"{self._about(turn, listed, ', ')}. They stay searchable."
        )
        yield undo(f"restore {handle}")

    def _stored(self, turn: Turn, held: Sequence[LoggedMessage], start: int, summary: str | None) -> str:
        if len(held) == 1 and held[0].turn_id.startswith("mem://"):
            return held[0].turn_id  # a run before a crash did it
        end = start + len(held) - 1
        return self._archives.store(turn.request.thread, start, end, summary=summary, auto=True).handle

    def _store_again(self, turn: Turn, wish: ArchiveWish) -> Iterator[ReplyEvent]:
        """Archive what was restored, wherever it stands by now."""
        held = {message.seq for message in self._held(turn, wish.handle)}
        shown = enumerate(self._before(turn))
        places = [place for place, each in shown if each.seq in held and not each.turn_id.startswith("mem://")]
        if not places:
            raise UserError(ARCHIVED_ALREADY)
        yield from self._store(turn, ArchiveWish("store", start=places[0], end=places[-1]))

    def _list(self, turn: Turn, _: ArchiveWish) -> Iterator[ReplyEvent]:
        listed = self._listed(turn)
        lines = [f"- {number}. {self._line(turn, one)}" for number, one in enumerate(listed, 1)]
        yield TextEvent("\n".join([*lines, "Say “read archive 1” or “restore archive 1”."]) if lines else NOTHING)

    def _load(self, turn: Turn, wish: ArchiveWish) -> Iterator[ReplyEvent]:
        held = self._held(turn, self._meant(turn, wish))
        heard = self._filter.told(held, turn.request)
        yield TextEvent("\n".join([f"The archive holds {counted(len(held))}:", *self._told(heard, turn)]))

    def _restore(self, turn: Turn, wish: ArchiveWish) -> Iterator[ReplyEvent]:
        """Put messages back in their place; elsewhere, and what was folded automatically, as a copy."""
        handle = self._meant(turn, wish)
        held = self._held(turn, handle)
        done = turn.step("restore", lambda: self._restored(turn, handle, wish))
        where = "" if done["in_place"] else f" as a copy, from message {done['index']} on"
        yield TextEvent(f"Restored{where}: {self._preview(turn, held)}.")
        yield undo(f"archive {handle} again" if done["in_place"] else f"take out the copy of {handle}")

    def _restored(self, turn: Turn, handle: str, wish: ArchiveWish) -> dict[str, int]:
        thread = turn.request.thread
        listed = self._archives.list(thread)
        stands = next((one.index for one in listed if one.placeholder.handle == handle and one.kind != "auto"), None)
        in_place = stands is not None and wish.at is None and not (wish.copies or wish.instead)
        done = self._archives.restore(
            thread,
            handle,
            index=stands if in_place else wish.at,
            remove_placeholder=in_place,
            replace_with=wish.instead or None,
        )
        return {"index": done.index, "in_place": in_place}

    def _take_out(self, turn: Turn, wish: ArchiveWish) -> Iterator[ReplyEvent]:
        handle = self._meant(turn, wish)
        gone = turn.step("take_out", lambda: self._archives.take_out(turn.request.thread, handle))
        yield TextEvent(f"Took out the copy of {counted(gone)}." if gone else "No copy of that archive is shown.")
        if gone:
            yield undo(f"restore {handle} at the end")

    def _ask_to_prune(self, turn: Turn, _: ArchiveWish) -> Iterator[ReplyEvent]:
        unused = self._archives.unused(turn.request.thread)
        if not unused:
            yield TextEvent(ALL_IN_USE)
            return
        lines = [f"- {self._preview(turn, self._held(turn, handle))}" for handle in unused[:SHOWN]]
        more = [f"and {len(unused) - SHOWN} more"] if len(unused) > SHOWN else []
        yield TextEvent("\n".join(["Nothing stands for these archives any more:", *lines, *more]))
        yield QuestionEvent(
            "Drop their handles? Nobody can undo it; the messages stay searchable.",
            ("Drop them",),
            ("prune archives for good",),
            deed=TO_NOW,
        )

    def _prune(self, turn: Turn, _: ArchiveWish) -> Iterator[ReplyEvent]:
        gone = turn.step("prune", lambda: len(self._archives.prune(turn.request.thread).handles))
        yield TextEvent(f"Dropped {gone} archives that nothing stands for any more; their messages stay searchable.")

    def _history(self, turn: Turn, _: ArchiveWish) -> Iterator[ReplyEvent]:
        shown = self._before(turn)
        heard = {message.seq for message in self._filter.told(shown, turn.request)}
        lines = [f"- {place}. {_words(each)}" for place, each in enumerate(shown) if each.seq in heard][-SHOWN:]
        if not lines:
            raise UserError(TOO_FEW)
        used = usage(shown, self._memory.parts.limits.model)
        size = f"{counted(len(shown))}, {used.tokens:,} tokens: {used.share:.0%} of the model's context."
        yield TextEvent("\n".join([*lines, f"{size} Say “archive messages 0 to 9”."]))
        if used.advised is not None:
            first, last = used.advised
            yield QuestionEvent(
                "The oldest can go into an archive.", (f"Archive messages {first} to {last}",), deed=TO_NOW
            )

    def _export(self, turn: Turn, wish: ArchiveWish) -> Iterator[ReplyEvent]:
        request, is_json = turn.request, wish.kind == "json"
        messages = self._filter.told(self._archives.everything(request.thread), request)
        known = self._memory.queries(request.thread, ALL)[::-1]
        queries = self._services.context.audience.shown(known, request.roles)
        for query in queries:
            self._services.context.audience.note(query, request, rows=query.result is not None)
        folder = self._services.exports.folder / export_folder(request.turn_id)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"conversation.{'json' if is_json else 'md'}"
        path.write_text((as_json if is_json else as_markdown)(request.thread, messages, queries), "utf-8")
        yield TextEvent(f"Here is the conversation: {self._preview(turn, messages)}.")
        yield FileEvent(path, "The conversation")

    def _ask_to_forget(self, turn: Turn, _: ArchiveWish) -> Iterator[ReplyEvent]:
        self._check_owner(turn)
        said = self._archives.everything(turn.request.thread)
        yield QuestionEvent(
            f"This deletes all {self._preview(turn, said)}. Their queries, results, files, archives and saved states "
            "go with them, and nobody can undo it.",
            ("Forget it all",),
            ("forget this thread for good",),
            deed=TO_NOW,
        )

    def _forget(self, turn: Turn, _: ArchiveWish) -> Iterator[ReplyEvent]:
        self._check_owner(turn)
        turn.step("forget_thread", lambda: self._services.forget(turn.request.thread))
        yield TextEvent("This thread is forgotten.")

    def _workspaces(self, turn: Turn, _: ArchiveWish) -> Iterator[ReplyEvent]:
        request = turn.request
        caller = Caller(Place.of(request), request.thread, request.turn_id, author=request.user)
        found = WorkspaceTools(self._memory, caller).run("listWorkspaces", {}).get("data", [])
        lines = [f"- **{literal(each['name'])}** {literal(each['description'])}".rstrip() for each in found]
        yield TextEvent("\n".join(["Workspaces:", *lines]) if lines else "There are no workspaces besides this one.")

    def _check_owner(self, turn: Turn) -> None:
        first, _ = self._memory.search.said(Scope(turn.request.thread), 1)
        began = first[0].author if first else ""
        if turn.request.user != began and not self._services.is_owner(turn.request.user):
            raise NotAllowed(FOR_ITS_OWNER)

    def _before(self, turn: Turn) -> Sequence[LoggedMessage]:
        shown = self._archives.history(turn.request.thread)
        own = (place for place, message in enumerate(shown) if message.turn_id == turn.request.turn_id)
        return shown[: next(own, len(shown))]

    def _meant(self, turn: Turn, wish: ArchiveWish) -> str:
        if wish.handle:
            return wish.handle
        listed = self._listed(turn)
        if not listed:
            raise NotFound(NOTHING)
        if wish.place < 0:
            by_hand = [one for one in listed if one.kind != "auto"]
            return (by_hand or listed)[-1].placeholder.handle
        if wish.place >= len(listed):
            raise NotFound(f"There are only {len(listed)} archives; say “show archives”.")
        return listed[wish.place].placeholder.handle

    def _listed(self, turn: Turn) -> list[Listed]:
        """Return the archives people made, and last the turns folded automatically."""
        return sorted(self._archives.list(turn.request.thread), key=lambda one: one.kind == "auto")

    def _one(self, turn: Turn, handle: str) -> Listed:
        listed = self._archives.list(turn.request.thread)
        return next(one for one in listed if one.placeholder.handle == handle)

    def _held(self, turn: Turn, handle: str) -> list[LoggedMessage]:
        return [message for _, message in self._archives.load(turn.request.thread, handle).messages]

    def _preview(self, turn: Turn, messages: Sequence[LoggedMessage]) -> str:
        request = turn.request
        return preview(messages, self._filter.told(messages, request), request.timezone)

    def _line(self, turn: Turn, listed: Listed) -> str:
        how = ", folded automatically" if listed.kind == "auto" else ""
        return f"{counted(listed.placeholder.messages)}{how}{self._about(turn, listed, ': ')}"

    def _about(self, turn: Turn, listed: Listed, before: str) -> str:
        """Return the summary of an archive; "" for readers with fewer rights, since it may tell answers."""
        request = turn.request
        if self._filter.audience.restricts(request.source, request.roles):
            return ""
        request.disclosed.summaries = True
        return f"{before}“{literal(plain_words(listed.placeholder.summary, SUMMARY))}”"

    def _summary(self, turn: Turn) -> str | None:
        """Return the lines of lasting importance: the decisions, and the last question."""
        scope = Scope(turn.request.thread, except_turn=turn.request.turn_id)
        decided = [
            plain_words(each.content, LENGTH) for each in self._sayings.decisions(turn.request, scope, SUMMED_UP)
        ]
        asked = [query.question for query in self._memory.queries(turn.request.thread, SUMMED_UP)][::-1]
        parts = (f"Decided: {'; '.join(decided)}." if decided else "", f"Asked: {'; '.join(asked)}" if asked else "")
        return " ".join(part for part in parts if part) or None

    def _told(self, messages: Sequence[LoggedMessage], turn: Turn) -> list[str]:
        zone = ZoneInfo(turn.request.timezone)
        lines = [f"- {each.created_at.astimezone(zone):%Y-%m-%d %H:%M} {_words(each)}" for each in messages[:SHOWN]]
        more = len(messages) - SHOWN
        return [*lines, *([f"and {more} more; “export this conversation” has all."] if more > 0 else [])]


def _words(message: LoggedMessage) -> str:
    return literal(plain_words(message.content, LENGTH))


CARD = AgentCard(
    intent=Intent("archives"),
    rank=18,
    quotes=True,
    quick=always,
    reads=ARCHIVES.first,
    examples=(
        "archive everything before this",
        "summarise and archive",
        "show archives",
        "restore the second one",
        "export this conversation",
        "forget this thread",
        "list workspaces",
    ),
    gives="the thread kept short, read again, put back, exported or forgotten",
    told="to archive, restore, export or forget messages of the thread",
    build=ArchiveAgent,
)
