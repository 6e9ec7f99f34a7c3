"""Profiles of servers by model: learned from refusals, kept for a week.

A refusal changes one thing: the limit's name, temperature, effort, system message, API, or way to objects.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal
from uuid import uuid4

from pydantic import TypeAdapter, ValidationError

from ai.analysts.client.endpoint import Structured
from ai.analysts.client.faults import CallFault
from ai.analysts.client.shapes import STRUCTURED

Limit = Literal["", "max_tokens", "max_completion_tokens"]
BROKEN = (500, 501)  # some servers break on a schema instead of refusing it
KEPT = timedelta(days=7)
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServerProfile:
    """`way` leads to objects; the others are parts a request may have."""

    way: Structured = "json_schema"
    limit: Limit = "max_tokens"
    temperature: bool = True
    effort: bool = True
    system: bool = True
    usage: bool = True
    responses: bool = False


def _other_limit(profile: ServerProfile, words: frozenset[str]) -> ServerProfile:
    other: Limit = "max_completion_tokens" if profile.limit == "max_tokens" else "max_tokens"
    is_offered = other in words or profile.limit == "max_completion_tokens"
    return replace(profile, limit=other if is_offered and profile.limit else "")


CHANGES: tuple[tuple[frozenset[str], Callable[[ServerProfile, frozenset[str]], ServerProfile]], ...] = (
    (frozenset({"v1/responses"}), lambda profile, _: replace(profile, responses=True)),
    (frozenset({"stream_options"}), lambda profile, _: replace(profile, usage=False)),
    (frozenset({"max_tokens", "max_completion_tokens"}), _other_limit),
    (frozenset({"reasoning_effort"}), lambda profile, _: replace(profile, effort=False)),
    (frozenset({"temperature"}), lambda profile, _: replace(profile, temperature=False)),
    (frozenset({"system"}), lambda profile, _: replace(profile, system=False)),
)


def adapted(profile: ServerProfile, fault: CallFault, *, shaped: bool, sent: frozenset[str]) -> ServerProfile | None:
    """Return the profile to try after a fault, or None.

    `shaped` requests asked for an object; `sent` are the parts a refusal may name.
    """
    for words, change in CHANGES:
        other = change(profile, fault.about) if fault.about & words & sent else profile
        if other != profile:
            return other
    if shaped and (fault.shape or fault.status in BROKEN) and profile.way != STRUCTURED[-1]:
        return replace(profile, way=STRUCTURED[STRUCTURED.index(profile.way) + 1])
    return None


@dataclass(frozen=True, slots=True)
class KeptProfile:
    profile: ServerProfile
    at: datetime


KEPT_PROFILES = TypeAdapter(dict[str, KeptProfile])


class Profiles:
    """Keeps profiles by server and model, in a file if there is one."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[str, KeptProfile] = {}

    def get(self, name: str) -> ServerProfile | None:
        """Return a profile younger than a week."""
        kept = (self._known or self._read()).get(name)
        return kept.profile if kept and datetime.now(UTC) - kept.at < KEPT else None

    def keep(self, name: str, profile: ServerProfile) -> None:
        self._known = {**self._read(), **self._known, name: KeptProfile(profile, datetime.now(UTC))}
        if self._path is None:
            return
        fresh = self._path.with_suffix(f".{uuid4().hex}")
        try:
            fresh.write_bytes(KEPT_PROFILES.dump_json(self._known))
            fresh.replace(self._path)
        except OSError as error:
            log.warning("what the model's server takes cannot be kept: %s", type(error).__name__)

    def _read(self) -> dict[str, KeptProfile]:
        try:
            return KEPT_PROFILES.validate_json(self._path.read_bytes()) if self._path else {}
        except (OSError, ValidationError):
            return {}  # absent, or of another version: the next probe writes it anew
