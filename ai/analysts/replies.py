"""Replies of a language model as values: the schemas asked for, and reading the objects sent back.

People see its words, so they become plain here: one line, bounded, without addresses.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from ai.analysts.client.faults import CallFault
from ai.analysts.client.shapes import Schema
from ai.analysts.port import AskBack, CannotAnswer, Draft, Expected, Intent, Proposal
from ai.analysts.unaddressed import unaddressed
from ai.types import Json

TEXT: Json = {"type": "string"}
TEXTS: Json = {"type": "array", "items": TEXT}
SQL = Schema(
    "answer",
    "How a question is answered.",
    {
        "kind": {"type": "string", "enum": ["sql", "ask", "more", "no"]},
        "sql": TEXT,
        "text": TEXT,
        "assumptions": TEXTS,
        "options": TEXTS,
        "expects": {"type": "string", "enum": ["value", "row", "rows"]},
    },
)
DEFINITION = Schema(
    "definition",
    "What a correction defines.",
    {
        "kind": {"type": "string", "enum": ["metric", "wording", "sentence"]},
        **dict.fromkeys(("name", "table", "expression", "condition", "column", "value"), TEXT),
    },
)
FIELDS = {"metric": ("name", "table", "expression", "condition"), "wording": ("word", "table", "column", "value")}
FORMS: Mapping[str, tuple[str, ...]] = {**dict.fromkeys(SQL.properties, ()), "expects": ("value", "row", "rows")}
LISTS = ("assumptions", "options")
LONGEST, MOST = 400, 4  # characters of a sentence, and how many assumptions or options


@dataclass(frozen=True, slots=True)
class ModelReply:
    """An object of the schema `SQL`."""

    kind: Literal["sql", "ask", "more", "no"]
    sql: str = ""
    text: str = ""
    assumptions: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    expects: Expected = "rows"

    @property
    def proposal(self) -> Proposal:
        options, assumed = _plain_all(self.options), _plain_all(self.assumptions)
        if self.kind == "sql" and self.sql.strip():
            reading = plain_words(self.text) + (f" ({'; '.join(assumed)})" if assumed else "")
            return Draft(self.sql, reading, {"assumptions": list(assumed)}, assumed, self.expects)
        if self.kind == "ask":
            return AskBack(plain_words(self.text), options)
        return CannotAnswer(plain_words(self.text) or "The data does not answer this.", options)


REPLY = TypeAdapter(ModelReply)


def route_schema(kinds: Collection[Intent]) -> Schema:
    """Return the schema of a choice among intents."""
    return Schema("route", "What a message wants.", {"intent": {"type": "string", "enum": list(kinds)}})


def columns_schema(columns: Sequence[str]) -> Schema:
    """Return the schema of a choice among columns."""
    known: Json = {"type": "array", "items": {"type": "string", "enum": [*columns]}}
    return Schema("columns", "Columns to look at.", {"columns": known})


def reply_of(data: Mapping[str, Json]) -> ModelReply:
    """Read a reply, however loosely it keeps to the schema. Raises ModelUnavailable (garbled)."""
    said = {name: value for name, value in data.items() if name in FORMS and value is not None}
    said |= {name: [said[name]] if said[name] else [] for name in LISTS if isinstance(said.get(name), str)}
    said |= {name: str(said[name]).strip().lower() for name in ("kind", "expects") if name in said}
    if said.get("expects") not in FORMS["expects"]:
        said.pop("expects", None)
    try:
        return REPLY.validate_python({"kind": "sql" if said.get("sql") else None, **said})
    except ValidationError as error:
        raise CallFault("garbled", f"{error.error_count()} fields are wrong").error from None


def definition_of(data: Mapping[str, Json]) -> Json:
    """Read the metric or wording in an object of `DEFINITION`, None for anything else."""
    kind = str(data.get("kind"))
    if kind not in FIELDS or not data.get("name"):
        return None
    said = {**data, "word": data["name"]}
    return {"kind": kind, **{name: plain_words(str(said.get(name) or "")) for name in FIELDS[kind]}}


def plain_words(text: str) -> str:
    """Return a bounded sentence on one line, without links and mentions."""
    return unaddressed(text)[:LONGEST]


def _plain_all(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filter(None, map(plain_words, texts[:MOST])))
