"""Keep a workspace in a file, over a restart.

The file holds people, conversations, messages and files, no modals, statuses or permits. It is replaced as a whole
shortly after a change.
"""

import asyncio
import base64
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from local_slack.state.changes import Change
from local_slack.state.entities import Channel, File, Message, MessageDraft, Stream, User
from local_slack.state.workspace import Workspace
from local_slack.wire import Json

SECONDS_BEFORE_WRITING = 0.3
_VERSION = 1


class StorageError(ValueError):
    """The file is unusable; the message says how to go on."""


class Storage:
    def __init__(self, path: Path, workspace: Workspace) -> None:
        self._path = path
        self._workspace = workspace
        self._timer: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """Restore the file, if it exists, and keep it current from now on. Raises StorageError."""
        if self._path.exists():
            try:
                content = json.loads(self._path.read_text("utf-8"))
                _restore(self._workspace, content)
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise StorageError(
                    f"{self._path} holds no workspace ({error}); name another file or delete it."
                ) from None
        self._workspace.subscribe(self._changed)

    def close(self) -> None:
        """Write pending changes."""
        if self._timer:
            self._timer.cancel()
            self._write()

    def _changed(self, _change: Change) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SECONDS_BEFORE_WRITING, self._write)

    def _write(self) -> None:
        self._timer = None
        new = self._path.with_name(self._path.name + ".new")
        new.write_text(json.dumps(_saved(self._workspace)), "utf-8")
        new.replace(self._path)


def _saved(workspace: Workspace) -> Json:
    files = [{**asdict(file), "content": base64.b64encode(file.content).decode()} for file in workspace.files.values()]
    return {
        "version": _VERSION,
        "users": [asdict(user) for user in workspace.users.values()],
        "channels": [asdict(channel) for channel in workspace.channels.values()],
        "files": files,
        "messages": [asdict(message) for message in workspace.messages()],
        "reads": [[*key, ts] for key, ts in workspace.reads.items()],
    }


def _restore(workspace: Workspace, content: Json) -> None:
    if content["version"] != _VERSION:
        raise ValueError(f"version {content['version']}")
    workspace.restore(
        [User(**user) for user in content["users"]],
        [Channel(**_tuples(channel, "members")) for channel in content["channels"]],
        [_file(file) for file in content["files"]],
        [_message(message) for message in content["messages"]],
    )
    workspace.reads = {(user, channel): ts for user, channel, ts in content["reads"]}


def _file(content: Json) -> File:
    shares = tuple((channel, ts) for channel, ts in content["shares"])
    return File(**{**content, "content": base64.b64decode(content["content"]), "shares": shares})


def _message(content: Json) -> Message:
    draft = MessageDraft(**_tuples(content["draft"], "blocks", "attachments", "files"))
    return Message(
        content["ts"],
        draft,
        edited=tuple(content["edited"]) if content["edited"] else None,
        reactions=tuple((name, tuple(users)) for name, users in content["reactions"]),
        stream=_stream(content["stream"]),
        is_tombstone=content["is_tombstone"],
    )


def _stream(content: Json | None) -> Stream | None:
    """Restore a stream; a running one has ended with its process."""
    if content is None:
        return None
    state = "expired" if content["state"] == "in_progress" else content["state"]
    return Stream(**{**_tuples(content, "chunks"), "state": state})


def _tuples(content: Json, *names: str) -> dict[str, Any]:
    return {**content, **{name: tuple(content[name]) for name in names}}
