"""Runs sets of JSON lines through the search, for `datathread match` and `datathread recall`."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ai.errors import UserError
from ai.files.json_lines import numbered
from ai.memory.embeddings import Encoder, Vectors
from ai.memory.limits import MemoryLimits
from ai.memory.opening import open_engine
from ai.memory.prompt import ThreadPrompt
from ai.memory.search.index import index_of
from ai.memory.search.matching import match
from ai.memory.search.scope import Scope
from ai.memory.search.search import Search
from ai.memory.views import Conversations, Windows
from ai.memory.views.cache import InProcess
from ai.tokens import TokenCounter
from ai.types import AnsweredQuery, ThreadKey

Record = Mapping[str, Any]
SET = ThreadKey("", "", "set")


def matched(items: Path) -> Iterator[Record]:
    """Yield the meant query and the closest for each `{"id", "queries": [{"question", "sql"}], "description"}`.

    Queries come oldest first. `index` is None when none is clearly meant.
    """
    for item in _lines(items, "id", "queries", "description"):
        asked = [_past(number, query) for number, query in enumerate(item["queries"])]
        found = match(item["description"], asked[::-1])
        top = [query.id for query in found.candidates]
        yield {"id": item["id"], "index": None if found.query is None else found.query.id, "top": top}


def recalled(docs: Path, questions: Path, k: int, budget: int, encoder: Encoder | None = None) -> Iterator[Record]:
    """Yield the `k` best messages for each question, and those in a prompt of `budget` tokens.

    Documents are `{"thread", "id", "author", "at", "text"}` in order; questions `{"id", "thread", "text"}`.
    """
    engine = open_engine("sqlite://")
    try:
        search = Search(engine, index_of(engine), vectors=Vectors(engine, encoder) if encoder else None)
        yield from _recalled(search, docs, questions, k, budget)
    finally:
        engine.dispose()


def _recalled(search: Search, docs: Path, questions: Path, k: int, budget: int) -> Iterator[Record]:
    counter, names = TokenCounter(), []
    log = Conversations(search.engine, MemoryLimits(trigger_ratio=0), counter)
    for number, doc in enumerate(_lines(docs, "thread", "id", "author", "at", "text")):
        names.append(doc["id"])
        log.ask(_thread(doc), str(number), doc["text"], doc["author"], _moment(doc["at"]))
    search.catch_up()
    prompt = ThreadPrompt(log, Windows(log, InProcess()), search)
    for question in _lines(questions, "id", "thread", "text"):
        found = search.find(question["text"], Scope(_thread(question)), k, around=True)
        shown = prompt.build(_thread(question), question["text"], budget=budget)
        yield {
            "id": question["id"],
            "ids": [names[int(message.turn_id)] for message in found.messages],
            "prompt_ids": [names[int(message.turn_id)] for message in shown.messages],
        }


def _lines(path: Path, *names: str) -> Iterator[Record]:
    for number, text in numbered(path):
        yield _line(f"{path.name}, line {number}", text, names)


def _line(place: str, text: str, names: tuple[str, ...]) -> Record:
    try:
        line = json.loads(text)
    except json.JSONDecodeError as error:
        raise UserError(f"{place} is not JSON ({error.msg}); each line has to be one JSON object.") from None
    missing = [name for name in names if not isinstance(line, dict) or name not in line]
    if missing:
        raise UserError(f"{place} has no {missing[0]!r}; each line has to have: {', '.join(names)}.")
    known: Record = line
    return known


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _thread(line: Record) -> ThreadKey:
    return ThreadKey("", "", str(line["thread"]))


def _past(number: int, query: Record) -> AnsweredQuery:
    return AnsweredQuery(
        id=number,
        thread=SET,
        turn_id=str(number),
        source="",
        question=query["question"],
        analyst="",
        created_at=datetime.now(UTC),
        sql=query["sql"],
    )
