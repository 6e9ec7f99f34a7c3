"""The bot inside this process, connected to a local Slack over the wire: what is tried may be looked into, and changed."""

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

from bot.app import open_receiver, open_worker
from config import Settings, load
from local_slack.testing import SlackServer
from tests.desk import shop


@contextmanager
def bot_here(slack: SlackServer, folder: Path, workspace: Mapping[str, Any]) -> Iterator[Settings]:
    """A receiver and a worker on the database of three apps; `workspace` is the rest of the settings file."""
    source = {"url": f"sqlite:///{shop(folder)}", **workspace.get("source", {})}
    told = {name: value for name, value in workspace.items() if name != "source"}
    file = folder / "settings.yml"
    file.write_text(json.dumps({"channels": {"*": {"source": "shop"}}, **told, "sources": {"shop": source}}), "utf-8")
    settings = load(
        slack_api_url=slack.api_url,
        slack_bot_token=slack.bot_token,
        slack_app_token=slack.app_token,
        slack_pacing=False,
        data_dir=folder / "data",
        config_file=file,
        workers=2,
    )
    settings.make_data_dir()
    opened, ends = Event(), Event()

    def work() -> None:  # a worker steps back, and all threads that it begins
        with open_worker(settings, "worker 1"):
            opened.set()
            ends.wait()

    with ThreadPoolExecutor(1) as threads:
        worker = threads.submit(work)
        try:
            with open_receiver(settings, lambda _: None):
                while not (opened.wait(0.05) or worker.done()):
                    pass
                yield settings
        finally:
            ends.set()
            worker.result()
