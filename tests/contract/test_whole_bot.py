"""A receiver and a worker in this process, on a Slack that sends over HTTP: what each of their parts does for a question."""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from threading import Event

import httpx
import pytest
from tiktoken import registry

from ai.errors import ConfigError
from ai.tokens import ENCODING
from bot.app import WORKER_NICENESS, load_all, open_receiver, open_worker, works
from config import Settings, load
from local_slack.in_process import slack_in_process
from local_slack.testing import ANA, GENERAL, MENTION, SlackServer
from tests.desk import shop
from tests.e2e.conversation import button
from tests.figures import figures
from tests.processes import free_port
from tests.wait import until

TOKEN = "Bearer token-of-ana-0123456789"


@dataclass(frozen=True)
class Whole:
    """A running bot, what it said, and a client of its HTTP API."""

    slack: SlackServer
    settings: Settings
    said: list[str]
    web: httpx.Client
    niceness: list[int]


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    folder, port = tmp_path_factory.mktemp("bot"), free_port()
    file = folder / "workspace.yml"
    source = {"url": f"sqlite:///{shop(folder)}"}
    caller = {"token": TOKEN.split()[1], "team": "T0DEMO", "user": ANA, "channels": [GENERAL]}
    told = {"sources": {"shop": source}, "channels": {"*": {"source": "shop"}}, "api_tokens": [caller]}
    file.write_text(json.dumps(told), "utf-8")
    with slack_in_process() as slack:
        settings = load(
            slack_api_url=slack.api_url,
            slack_bot_token=slack.bot_token,
            slack_signing_secret="local-signing-secret",
            slack_pacing=False,
            data_dir=folder / "data",
            config_file=file,
            http_port=port,
            workers=2,
        )
        ends, said, niceness = Event(), list[str](), list[int]()
        opened = Event()

        def work() -> None:  # a worker steps back, and all threads that it begins
            with open_worker(settings, "worker 1"):
                niceness.append(os.nice(0))
                opened.set()
                ends.wait()

        settings.make_data_dir()
        with ThreadPoolExecutor(1) as threads:
            worker = threads.submit(work)
            try:
                with (
                    open_receiver(settings, said.append),
                    httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as web,
                ):
                    until(lambda: opened.is_set() or worker.done())
                    slack.control("request_url", {"url": f"http://127.0.0.1:{port}/slack/events"})
                    yield Whole(slack, settings, said, web, niceness)
            finally:
                ends.set()
                worker.result()


def heard(bot: Whole, asked: str, words: str) -> str:
    """Return the reply in a thread that has these words, once it comes."""
    return until(lambda: [str(one["text"]) for one in bot.slack.replies(GENERAL, asked) if words in one["text"]])[-1]


def test_a_thread_is_answered_as_it_goes_on(bot: Whole) -> None:
    asked = bot.slack.say(ANA, GENERAL, f"{MENTION} how many apps are there?")
    assert heard(bot, asked, "3") == "There are 3 apps."
    bot.slack.say(ANA, GENERAL, "and on iOS?", asked)
    assert heard(bot, asked, "2") == "There are 2 apps on iOS."


def test_rows_are_sent_as_a_file(bot: Whole) -> None:
    asked = bot.slack.say(ANA, GENERAL, f"{MENTION} which apps are there?")
    heard(bot, asked, "Ada")
    bot.slack.say(ANA, GENERAL, "export this as csv", asked)
    rows = bot.slack.download(bot.slack.wait_for_file(GENERAL, asked)).decode().splitlines()
    assert [row.split(",")[0] for row in rows] == ["name", "Ada", "Bo", "'=1+1"]


def test_a_file_that_is_shared_can_be_asked(bot: Whole) -> None:
    text = f"{MENTION} how many cities are there?"
    asked = bot.slack.share_file(ANA, GENERAL, "cities.csv", b"city,people\nAachen,9\nBonn,8\n", text)
    assert heard(bot, asked, "2").endswith("There are 2 cities.")


def test_the_same_bot_answers_over_http(bot: Whole) -> None:
    told = bot.web.post("/v1/chat", json={"message": "how many apps are there?"}, headers={"authorization": TOKEN})
    assert (told.status_code, told.json()["reply"]) == (200, "There are 3 apps.")


def test_a_request_that_slack_did_not_sign_is_refused(bot: Whole) -> None:
    refused = bot.web.post("/slack/events", content=b"{}")
    assert (refused.status_code, refused.text) == (401, "This is not signed by Slack, or not just now.")


def test_it_says_where_it_answers_and_that_all_parts_work(bot: Whole) -> None:
    assert bot.said == ["datathread answers in Datathread demo (Ctrl-C stops it)."]
    parts = ("state", "engine", "disk", "source shop", "model", "workers", "receiver", "slack")
    assert bot.web.get("/readyz").json() == {"status": "ok", "parts": dict.fromkeys(parts, "ok")}


def test_a_worker_steps_back_behind_the_receiver(bot: Whole) -> None:
    assert bot.niceness == [min(19, os.nice(0) + WORKER_NICENESS)]


def test_what_is_pressed_under_an_answer_reaches_its_part(bot: Whole) -> None:
    asked = bot.slack.say(ANA, GENERAL, f"{MENTION} how many apps are on Android?")
    heard(bot, asked, "1")
    answer = bot.slack.replies(GENERAL, asked)[-1]
    bot.slack.press(ANA, GENERAL, answer, "Refine")
    assert bot.slack.wait_for_modal(ANA)["title"]["text"] == "Refine"
    place = {"channel": GENERAL, "ts": answer["ts"]}
    bot.slack.act("action", ANA, message=place, action=button(answer, "Correct"))
    until(lambda: "Correct, says" in str(bot.slack.replies(GENERAL, asked)), what="the verdict to be shown")


def test_its_figures_are_shown(bot: Whole) -> None:
    shown = figures(bot.web.get("/metrics").text)
    assert shown["datathread_starts_total", ("process", "receiver")] == 1
    assert shown["datathread_slack_calls_total", ("method", "auth.test"), ("outcome", "ok")] >= 1
    assert shown["datathread_workers",] == 1


@pytest.mark.parametrize("count", [1, 3])
def test_each_process_has_a_work_of_its_name(count: int) -> None:
    slack = {"slack_bot_token": "xoxb-1", "slack_app_token": "xapp-1"}
    names = [f"worker {number + 1}" for number in range(count)]
    found = works(load(**slack, processes=count, workers=40), lambda _: None)
    assert [*found] == ["receiver", *names]
    places = [work.args[0].workers for work in found.values() if isinstance(work, partial)]
    assert places == [40, *[-(-40 // count)] * count]
    with pytest.raises(ConfigError, match=r"^Slack is not set up: set SLACK_BOT_TOKEN, and SLACK_APP_TOKEN or "):
        works(load(processes=count), lambda _: None)


def test_what_all_processes_need_is_loaded_before_they_are_made() -> None:
    registry.ENCODINGS.pop(ENCODING, None)
    load_all(load(tiktoken_download_url="http://127.0.0.1:1"))
    assert ENCODING in registry.ENCODINGS
