"""Arguments of an API call: JSON body, form body or query string."""

import json
import math
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from local_slack.wire import Json, SlackError

_TRUE = {"1", "true"}


class Arguments:
    """Typed access to arguments; an empty one counts as absent, structures may be JSON in a string."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.raw = {name: value for name, value in raw.items() if value is not None}

    def has(self, name: str) -> bool:
        """Whether the caller gave it, even empty."""
        return name in self.raw

    def text(self, name: str, default: str = "") -> str:
        value = self.raw.get(name)
        return default if value is None or value == "" else str(value)

    def optional(self, name: str) -> str | None:
        return self.text(name) or None

    def required(self, name: str, error: str = "invalid_arguments") -> str:
        value = self.text(name)
        if not value:
            raise SlackError(error, [f"[ERROR] missing required field: {name}"])
        return value

    def number(self, name: str, default: int) -> int:
        value = self.text(name)
        if not value:
            return default
        try:
            return int(value)
        except ValueError:
            raise SlackError("invalid_arguments", [f"[ERROR] {name} must be a whole number"]) from None

    def decimal(self, name: str, default: float) -> float:
        try:
            value = float(self.text(name) or default)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise SlackError("invalid_arguments", [f"[ERROR] {name} must be a number"])
        return value

    def flag(self, name: str) -> bool:
        return str(self.raw.get(name, "")).lower() in _TRUE

    def names(self, name: str) -> list[str]:
        """Return a list, given as such or as text with commas."""
        value = self.raw.get(name)
        given = value if isinstance(value, list) else self.text(name).split(",")
        return [str(item).strip() for item in given if str(item).strip()]

    def objects(self, name: str, error: str) -> list[Json]:
        """Return a list of JSON objects; `error` refuses anything else."""
        value = self._structure(name, error)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise SlackError(error, [f"[ERROR] {name} must be a list of objects"])
        return value

    def mapping(self, name: str, error: str) -> Json | None:
        """Return a JSON object or None; `error` refuses anything else."""
        value = self._structure(name, error)
        if value is not None and not isinstance(value, dict):
            raise SlackError(error, [f"[ERROR] {name} must be an object"])
        return value

    def _structure(self, name: str, error: str) -> Any:
        value = self.raw.get(name)
        if value == "" or not isinstance(value, str):
            return None if value == "" else value
        try:
            return json.loads(value)
        except ValueError:
            raise SlackError(error, [f"[ERROR] {name} is no valid JSON"]) from None


async def read_arguments(request: Request) -> Json:
    """Read all arguments; the body's win. Raises invalid_json, json_not_object, invalid_form_data."""
    arguments: Json = dict(request.query_params)
    content_type = request.headers.get("content-type", "").partition(";")[0].strip()
    if content_type == "application/json":
        return arguments | _json_object(await request.body())
    if content_type in {"application/x-www-form-urlencoded", "multipart/form-data"}:
        async with request.form() as form:
            arguments.update((name, value) for name, value in form.items() if isinstance(value, str))
    return arguments


def _json_object(body: bytes) -> Json:
    if not body.strip():
        return {}
    try:
        content = json.loads(body)
    except ValueError:
        raise SlackError("invalid_json") from None
    if not isinstance(content, dict):
        raise SlackError("json_not_object")
    return content
