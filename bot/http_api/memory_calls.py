"""The memory over HTTP: the tools of archives, states and workspaces, and the export and end of a chat."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ai.agents.toolbox.table import offered
from ai.agents.toolbox.tool import Caller
from ai.errors import NotAllowed, NotFound, UserError
from ai.memory_store import as_json, as_markdown
from ai.types import Json, Place, ThreadKey
from bot.http_api.callers import ApiCaller
from bot.http_api.chats import Chats

ALL = 1_000_000
NOT_WHOLE = "Your rights hide a part of the data, so archives, states and workspaces are not yours to use over HTTP."


@dataclass(frozen=True, slots=True)
class MemoryCalls:
    """What a caller may do with the memory of a chat of theirs. `forget` reaches its files and the queue, too."""

    chats: Chats
    forget: Callable[[ThreadKey], object]

    def run(self, caller: ApiCaller, tool: str, chat_id: str | None, arguments: Mapping[str, Json]) -> Json:
        """Run a tool of the table. Raises NotFound, NotAllowed, or the tool's own refusal."""
        row = next((row for row in offered("http") if row.name == tool), None)
        if row is None:
            names = ", ".join(row.name for row in offered("http"))
            raise NotFound(f"There is no tool {tool}; there are: {names}.")
        chats, key = self.chats, self.chats.own(caller, chat_id) if chat_id else caller.new_chat("")
        source, roles = chats.access.source_for(key.channel), chats.access.roles_of(caller.user)
        if chats.audience.restricts(source, roles):
            chats.note(caller, key, "refused", tool)
            raise NotAllowed(NOT_WHOLE)
        chats.note(caller, key, "told", tool)
        place = Place(key.team, key.channel, chats.access.workspace_for(key.channel), source)
        request = chats.listener(caller, key)
        own = Caller(place, key, author=caller.user, by="http", request=request, audience_filter=chats.filter)
        return replace(row, envelope=replace(row.envelope, failed=_raised)).run(chats.memory, own, arguments)

    def export(self, caller: ApiCaller, chat_id: str, kind: str) -> str:
        """Return a chat as Markdown or JSON, as far as the caller may read it."""
        key, chats = caller.chat(chat_id), self.chats
        messages = chats.heard(caller, key, chats.memory.archives.everything(key))
        roles = chats.access.roles_of(caller.user)
        queries = chats.audience.shown(chats.memory.queries(key, ALL)[::-1], roles)
        return (as_json if kind == "json" else as_markdown)(key, messages, queries)

    def forget_chat(self, caller: ApiCaller, chat_id: str) -> None:
        self.forget(self.chats.own(caller, chat_id))


def _raised(error: UserError) -> Json:
    raise error
