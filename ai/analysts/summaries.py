"""Sums up threads by the language model. Messages go in as fenced data; privacy switches this off."""

from collections.abc import Sequence

from langchain_core.messages import HumanMessage, SystemMessage

from ai.analysts.client.client import ModelClient
from ai.analysts.prompts.data import fenced, line
from ai.analysts.prompts.prompts import FENCE
from ai.errors import ModelUnavailable
from ai.ledger import Spender
from ai.types import LoggedMessage, ThreadKey

SUMMARISE = f"""Sum up a conversation for those who go on with it, in at most six plain sentences.
{FENCE}
Keep what was decided, what holds from now on, who wants what, and what is open. Use only figures that stand in \
the data, \
unchanged. `before` is what was summed up earlier: keep of it what still matters."""
LENGTH = 600  # characters of each message


class ModelSummaries:
    def __init__(self, client: ModelClient, *, private: bool = False) -> None:
        self._client = client
        self._private = private

    def __call__(self, thread: ThreadKey, before: str, messages: Sequence[LoggedMessage]) -> str:
        """Return a few sentences; "" when the model fails or may see no values."""
        if self._private:
            return ""
        said = (line(by=message.author, said=message.content[:LENGTH]) for message in messages)
        prompt = (SystemMessage(SUMMARISE), HumanMessage(fenced([line(before=before), *said])))
        spender = Spender(messages[-1].turn_id, thread, next((m.author for m in messages if m.role == "user"), ""))
        try:
            return self._client.complete(prompt, spender, "summarise").text
        except ModelUnavailable:
            return ""
