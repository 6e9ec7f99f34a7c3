"""Modals and App Homes: one home a person, and a stack of at most three modals.

Every change gives a view a new hash, so an update can name the version it was made for.
"""

import uuid
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal

from local_slack.limits import Limits
from local_slack.state.changes import Change, ViewsGone, ViewShown
from local_slack.state.clock import Clock
from local_slack.state.entities import View
from local_slack.wire import Json, SlackError


class Views:
    def __init__(self, clock: Clock, publish: Callable[[Change], None], limits: Limits) -> None:
        self._clock = clock
        self._publish = publish
        self._limits = limits
        self._homes: dict[str, View] = {}
        self._stacks: dict[str, list[View]] = {}

    def clear(self) -> None:
        self._homes.clear()
        self._stacks.clear()

    def home(self, user: str) -> View | None:
        return self._homes.get(user)

    def stack(self, user: str) -> list[View]:
        """Return the open modals of `user`, the topmost last."""
        return list(self._stacks.get(user, []))

    def get(self, view_id: str) -> View:
        """Raises not_found."""
        return self._first(lambda view: view.id == view_id)

    def by_external_id(self, external_id: str) -> View:
        """Raises not_found."""
        return self._first(lambda view: view.content.get("external_id") == external_id)

    def open(self, user: str, content: Json) -> View:
        """Show a first modal in place of the open ones. Raises duplicate_external_id."""
        self._stacks.pop(user, None)
        return self._add("view_opened", user, content)

    def push(self, user: str, content: Json) -> View:
        """Lay a modal over the topmost one. Raises push_limit_reached."""
        stack = self._stacks.get(user, [])
        if not stack:
            raise SlackError("not_found", ["[ERROR] there is no open modal to push onto"])
        if len(stack) >= self._limits["view.stack"]:
            raise SlackError("push_limit_reached")
        return self._add("view_pushed", user, content)

    def update(self, view: View, content: Json, expected_hash: str | None = None) -> View:
        """Replace the content of `view`. Raises hash_conflict."""
        if expected_hash and expected_hash != view.hash:
            raise SlackError("hash_conflict")
        changed = replace(view, content=content, hash=self._hash(), values=None)
        self._replace(changed)
        self._publish(ViewShown("home" if view.is_home else "view_updated", changed))
        return changed

    def publish_home(self, user: str, content: Json, expected_hash: str | None = None) -> View:
        """Replace the home of `user`. Raises hash_conflict."""
        home = self._homes.get(user)
        if home is not None:
            return self.update(home, content, expected_hash)
        view_id = _identifier()
        view = self._homes[user] = View(view_id, user, content, self._hash(), view_id)
        self._publish(ViewShown("home", view))
        return view

    def fill_in(self, view: View, values: Json) -> View:
        filled = replace(view, values=values)
        self._replace(filled)
        return filled

    def close(self, view: View, *, is_all: bool = False) -> list[View]:
        """Close one modal, or with `is_all` the stack; return the closed ones, the topmost first."""
        stack = self._stacks.get(view.user, [])
        gone = stack[::-1] if is_all else [one for one in stack if one.id == view.id]
        self._stacks[view.user] = [one for one in stack if one not in gone]
        self._publish(ViewsGone(view.user, gone, is_all))
        return gone

    def _add(self, how: Literal["view_opened", "view_pushed"], user: str, content: Json) -> View:
        external_id = content.get("external_id")
        if external_id and any(view.content.get("external_id") == external_id for view in self._all()):
            raise SlackError("duplicate_external_id")
        stack = self._stacks.setdefault(user, [])
        view_id = _identifier()
        root, previous = (stack[0].id, stack[-1].id) if stack else (view_id, None)
        view = View(view_id, user, content, self._hash(), root, previous)
        stack.append(view)
        self._publish(ViewShown(how, view))
        return view

    def _replace(self, changed: View) -> None:
        if changed.is_home:
            self._homes[changed.user] = changed
        else:
            stack = self._stacks[changed.user]
            self._stacks[changed.user] = [changed if view.id == changed.id else view for view in stack]

    def _all(self) -> Iterable[View]:
        return [*self._homes.values(), *(view for stack in self._stacks.values() for view in stack)]

    def _first(self, is_meant: Callable[[View], bool]) -> View:
        for view in self._all():
            if is_meant(view):
                return view
        raise SlackError("not_found")

    def _hash(self) -> str:
        return f"{self._clock.now():.0f}.{uuid.uuid4().hex[:8]}"


def _identifier() -> str:
    return f"V{uuid.uuid4().hex[:10].upper()}"
