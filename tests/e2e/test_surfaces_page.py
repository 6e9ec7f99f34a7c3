"""The surfaces beside a channel's thread, as a person uses them on the page of the local Slack."""

from collections.abc import Iterator

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, expect

from local_slack.testing import ANA, DM_OF, SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.local_slack.browser.chromium import Visitors, chromium, screenshot

pytestmark = pytest.mark.browser
DIRECT = DM_OF[ANA]


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    with slack_server("--manifest", "manifest.yml") as server, BotProcess(server, tmp_path_factory.mktemp("bot")):
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def visitors(browser: Browser, slack: SlackServer) -> Iterator[Visitors]:
    """Visitors of whom the browser may not complain."""
    everybody = Visitors(browser, slack)
    yield everybody
    everybody.leave()
    assert everybody.complaints == []


def write(page: Page, text: str, pane: str = "conversation") -> None:
    page.locator(f"#{pane} textarea").fill(text)
    page.locator(f"#{pane} textarea").press("Enter")


def test_direct_messages_begin_with_prompts_and_go_on_as_one_conversation(
    visitors: Visitors, slack: SlackServer
) -> None:
    slack.open_home(ANA, "messages")
    page = visitors.visit(channel=DIRECT)
    expect(page.get_by_text("Ask about the data, for example:")).to_be_visible()
    screenshot(page, "direct-prompts")
    page.get_by_role("button", name="How many apps do we have?").click()
    page.locator("#conversation textarea").press("Enter")
    expect(page.locator("#conversation .replies")).to_have_count(1)
    write(page, "what about iOS?")
    expect(page.locator("#conversation .replies")).to_have_count(2)
    page.locator("#conversation .replies").last.click()
    expect(page.locator("#thread .message").last).to_contain_text("There are 21 apps on iOS.")
    screenshot(page, "direct-follow-up")
