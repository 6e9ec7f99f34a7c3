"""A client of a scripted model, with its book in a database of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from langchain_core.messages import HumanMessage, SystemMessage
from langchain_core.tools import tool

from ai.analysts.built_in import BuiltInAnalyst
from ai.analysts.client.client import ModelClient
from ai.analysts.client.endpoint import Endpoint
from ai.analysts.client.shapes import Schema
from ai.analysts.language_model import LanguageModelAnalyst
from ai.analysts.prompts.prompts import Prompts
from ai.ledger import Budgets, Prices, Spender
from ai.memory.log.spending import Spending
from ai.memory.opening import open_engine
from ai.tokens import TokenCounter
from ai.types import ThreadKey
from tests.memories import store_in
from tests.openai_server import ModelServer
from tests.openai_server.dialect import Dialect
from tests.openai_server.server import Answer

THREAD = ThreadKey("T1", "C1", "100.1")
KEY = "sk-the-key-of-this-test"
ENDPOINT = Endpoint("test-model", KEY, seconds=20, pauses=(0.01, 0.02))
PRICES = Prices(prompt=2.0, completion=8.0, cached=0.5)
SCHEMA = Schema("answer", "SQL that answers a question.", {"sql": {"type": "string"}})
MESSAGES = (SystemMessage("You write SQL."), HumanMessage("How many secret apps do we have?"))


@tool
def count_rows(table: str) -> int:
    """Count the rows of a table."""
    return len(table)


@dataclass(frozen=True)
class Model:
    """A client, the server that it talks to, and its book."""

    client: ModelClient
    server: ModelServer
    book: Spending

    def play(self, script: Answer) -> None:
        """Begin anew with another script."""
        self.server.answer = script
        self.server.journal.clear()


@contextmanager
def scripted_model(
    folder: Path,
    answer: Answer,
    endpoint: Endpoint = ENDPOINT,
    budgets: Budgets | None = None,
    *,
    probed: bool = False,
) -> Iterator[Model]:
    """Serve a script and open a client for it; `probed` scripts answer probes, too."""
    engine = open_engine(store_in(folder, "book.sqlite"))
    book = Spending(engine, PRICES, budgets or Budgets())
    how = answer.recorded if isinstance(answer, Dialect) else {}
    endpoint = replace(endpoint, **how.get("settings", {}))
    with ModelServer(answer, base=how.get("base", "/v1"), probed=probed or bool(how)) as server:
        count = TokenCounter(patience=60)
        count("loads what it counts with")
        client = ModelClient(replace(endpoint, base_url=server.url), book, count)
        try:
            yield Model(client, server, book)
        finally:
            client.close()
            engine.dispose()


@contextmanager
def model_analyst(
    folder: Path,
    answer: Answer,
    endpoint: Endpoint = ENDPOINT,
    budgets: Budgets | None = None,
    *,
    private: bool = False,
    candidates: int = 1,
    probed: bool = False,
) -> Iterator[tuple[LanguageModelAnalyst, Model]]:
    """An analyst that asks a scripted model, and the model."""
    prompts = Prompts(TokenCounter(patience=60), private=private)
    with scripted_model(folder, answer, endpoint, budgets, probed=probed) as model:
        yield (
            LanguageModelAnalyst(model.client, BuiltInAnalyst(), prompts, private=private, candidates=candidates),
            model,
        )


def spender(turn_id: str, user: str = "U1", thread: ThreadKey = THREAD) -> Spender:
    return Spender(turn_id, thread, user)
