"""Say something to one person alone, or name a conversation: after the acknowledgement, once, in view."""

import logging
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from urllib.error import URLError

from slack_sdk import WebClient

from ai.errors import SourceUnavailable
from ai.language.texts import ENGLISH_TEXTS, Translator
from bot.delivery import FAILURES, error_name
from bot.inbound import Inbound
from bot.render.text import cut

REMEMBERED = 2_000
TITLE_LENGTH = 80  # of the 200 Slack takes, what a thread shows on one line
log = logging.getLogger(__name__)


class Notes:
    """Calls Slack from a thread of its own."""

    def __init__(self, client: WebClient, texts_for: Callable[[str], Translator] = lambda _: ENGLISH_TEXTS) -> None:
        self._client = client
        self._texts_for = texts_for
        self._said: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._lock = Lock()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="notes")

    def say(self, inbound: Inbound, sentence: str) -> None:
        """Tell the author of a message or a press, once."""
        key = (inbound.turn_id, sentence)
        with self._lock:
            if key in self._said:
                return
            self._said[key] = None
            if len(self._said) > REMEMBERED:
                self._said.popitem(last=False)
        self.post(inbound, sentence)

    def post(self, inbound: Inbound, sentence: str) -> Future[bool]:
        """Post it now; the result is False when Slack could not be reached."""
        return self._worker.submit(self._post, inbound, sentence)

    def begin(self, inbound: Inbound, question: str) -> None:
        """Open an agent session in the thread of a message, with its question as the title."""
        self._worker.submit(self._begin, inbound, cut(question, TITLE_LENGTH))

    def later(self, work: Callable[..., object], *given: object) -> None:
        """Do what Slack need not wait for."""
        self._worker.submit(self._do, work, *given)

    def close(self) -> None:
        self._worker.shutdown()

    @staticmethod
    def _do(work: Callable[..., object], *given: object) -> None:
        try:
            work(*given)
        except (*FAILURES, SourceUnavailable) as error:
            log.warning("a message is not taken away: %s", error_name(error))

    def _begin(self, inbound: Inbound, title: str) -> None:
        thread = inbound.thread
        try:
            self._client.agents_sessions_setStatus(
                channel_id=thread.channel,
                thread_ts=thread.thread_ts,
                status="active",
                title=title,
                initiator_user_id=inbound.user,
            )
        except FAILURES as error:  # the conversation goes on without a title
            log.info("%s has no title: %s", inbound.turn_id, error_name(error))

    def _post(self, inbound: Inbound, sentence: str) -> bool:
        # Under a message without replies there is no thread yet, and Slack would not show it.
        thread_ts = inbound.thread.thread_ts if inbound.is_reply else None
        text = self._texts_for(inbound.user)(sentence)
        try:
            self._client.chat_postEphemeral(
                channel=inbound.thread.channel, user=inbound.user, text=text, thread_ts=thread_ts
            )
        except FAILURES as error:  # not tried again: nobody can look whether an ephemeral message was shown
            log.warning("could not tell what became of %s: %s", inbound.turn_id, error_name(error))
            return not isinstance(error, URLError | ConnectionError)
        return True


Tell = Callable[[Inbound, str], None]
