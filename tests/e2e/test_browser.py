"""One conversation as a person has it: in a real browser, on the page of the local Slack, with the real bot."""

from collections.abc import Iterator

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Page, expect

from local_slack.testing import SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.local_slack.browser.chromium import Visitors, screenshot

pytestmark = pytest.mark.browser


@pytest.fixture
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    with slack_server() as server, BotProcess(server, tmp_path_factory.mktemp("bot")):
        yield server


def begun(visitors: Visitors, question: str) -> Page:
    """Mention the bot and open the thread of its answer."""
    page = visitors.visit()
    page.locator("#conversation textarea").fill(f"@datathread {question}")
    page.keyboard.press("Enter")
    page.locator("#conversation .replies").click()
    return page


def ask(page: Page, text: str, answer: str) -> None:
    """Write in the thread and wait until the bot's newest message says `answer`."""
    page.locator("#thread textarea").fill(text)
    page.locator("#thread textarea").press("Enter")
    expect(page.locator("#thread .message").last).to_contain_text(answer)


def test_a_conversation_on_the_page(visitors: Visitors) -> None:
    page = begun(visitors, "how many apps do we have?")
    expect(page.locator("#thread .message").last).to_contain_text("There are 49 apps.")
    ask(page, "what about iOS?", "There are 21 apps on iOS.")
    ask(page, "show me the SQL you used to retrieve all the apps", "SELECT COUNT(*)")
    ask(page, "installs per country this year", "United States")
    expect(page.locator("#thread table")).to_have_count(1)
    ask(page, "export this as csv", "CSV · ")
    page.locator("#thread .message").first.scroll_into_view_if_needed()
    screenshot(page, "conversation-top")
    page.locator("#thread .message").last.scroll_into_view_if_needed()
    screenshot(page, "conversation")
    with page.expect_download() as download:
        page.locator("#thread a[download]").last.click()
    assert download.value.suggested_filename == "installs-per-country-this-year.csv"


def test_the_row_under_an_answer_on_the_page(visitors: Visitors) -> None:
    page = begun(visitors, "revenue by country in October 2026")
    answer = page.locator("#thread .message").last
    expect(answer).to_contain_text("United States had the most revenue")
    answer = page.locator("#thread .message").nth(1)
    answer.get_by_role("button", name="CSV").click()
    expect(page.locator("#thread .message").last).to_contain_text("as CSV: 16 rows.")
    answer.get_by_role("button", name="More choices").click()
    screenshot(page, "actions-more")
    page.get_by_role("menuitem", name="Excel").click()
    expect(page.locator("#thread .message").last).to_contain_text("as an Excel workbook: 16 rows.")
    answer.scroll_into_view_if_needed()
    screenshot(page, "actions")
