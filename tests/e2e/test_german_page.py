"""German answers and a question about a file, as people see them."""

from collections.abc import Iterator

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import expect

from local_slack.testing import ANA, SALES, SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, answer_to
from tests.e2e.test_file_or_data import APPS
from tests.e2e.test_journeys import NARROW, REVENUE, answered, by_keyboard, keep
from tests.local_slack.browser.chromium import Visitors

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    with slack_server() as server:
        server.control("user", {"user": ANA, "locale": "de-DE"})
        with BotProcess(server, tmp_path_factory.mktemp("german")):
            yield server


@pytest.mark.parametrize("look", ["wide", "narrow"])
def test_an_answer_in_german(slack: SlackServer, visitors: Visitors, look: str) -> None:
    page, answer = answered(slack, visitors, REVENUE, **(NARROW if look == "narrow" else {}))
    expect(answer).to_contain_text("am höchsten bei United States")
    expect(answer.get_by_role("button", name="Anpassen")).to_be_visible()
    keep(page, answer, f"german-{look}")
    by_keyboard(page, answer.get_by_role("button", name="Anpassen"))
    expect(page.get_by_role("dialog")).to_contain_text("Zeitraum")
    keep(page, page.get_by_role("dialog"), f"german-refine-{look}")
    page.get_by_role("button", name="Abbrechen").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_which_of_file_and_data_is_meant(slack: SlackServer, visitors: Visitors) -> None:
    ts = slack.share_file(ANA, SALES, "apps.csv", APPS, "<@U0BOT> how many apps do we have?")
    thread = Conversation(slack, SALES, ANA, root=ts, _asked=1)
    asked = answer_to(slack, SALES, ts)
    page = visitors.visit(thread=ts, channel=SALES)
    expect(page.get_by_role("button", name="Die verbundenen Daten")).to_be_visible()
    keep(page, page.locator("#thread .message").last, "file-or-data")
    thread.press(asked, "Die Datei")
    expect(page.locator("#thread .message").last).to_contain_text("Aus der Datei „apps“:")
    keep(page, page.locator("#thread .message").last, "from-the-file")
