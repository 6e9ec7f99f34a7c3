"""How much of the house one question enters: files of `ai/` and `bot/` between its event and its answer."""

import signal
from pathlib import Path
from typing import ClassVar

from local_slack.testing import slack_server
from tests.e2e.bot_process import PlainBot
from tests.e2e.conversation import Conversation
from tests.wait import until

MOST = 270  # 264 to 269, as the index of the search is renewed before or after it: 242 before readings were weighed


class Walked(PlainBot):
    """A bot that notes which files it enters."""

    COMMAND: ClassVar[tuple[str, ...]] = ("-m", "tests.e2e.walk_process", "entered")


def test_a_mention_enters_few_files(tmp_path: Path) -> None:
    written = tmp_path / "entered"
    with slack_server() as slack, Walked(slack, tmp_path) as bot:
        Conversation(slack).ask("how many apps do we have?")
        bot.signal(signal.SIGUSR1)
        Conversation(slack).ask("how many teams do we have?")
        asked = bot.signal(signal.SIGUSR2)
        until(lambda: len(list(written.glob("*.txt"))) == len(asked), what="the lists of files")
    entered = sorted({line for file in written.glob("*.txt") for line in file.read_text("utf-8").splitlines()})
    print(f"{len(entered)} files", *entered, sep="\n")  # noqa: T201 - what to look at when it fails
    assert len(entered) <= MOST
