"""The surfaces beside a channel's thread, as a person uses them on the page of the local Slack."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Locator, Page, expect

from local_slack.testing import ANA, DM_OF, GENERAL, MIRA, SALES, SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.local_slack.browser.chromium import Visitors, screenshot

pytestmark = pytest.mark.browser
DIRECT = DM_OF[ANA]


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    with slack_server("--manifest", "manifest.yml") as server, BotProcess(server, tmp_path_factory.mktemp("bot")):
        yield server


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


def test_a_command_and_the_entries_of_a_message_menu(visitors: Visitors) -> None:
    page = visitors.visit(channel=SALES)
    page.locator("#conversation textarea").type("/da")
    expect(page.get_by_role("listbox")).to_contain_text("/data")
    screenshot(page, "command-offered")
    page.keyboard.press("Tab")
    page.locator("#conversation textarea").type("revenue by country in October 2026")
    page.keyboard.press("Enter")
    page.locator("#conversation .replies").click()
    answer = page.locator("#thread .message").nth(1)
    expect(answer).to_contain_text("United States had the most revenue")
    expect(page.locator("#conversation .message").filter(has_text="@Ana Lima asked:")).to_be_visible()
    choose(page, answer, "Explain this answer")
    expect(page.locator("#thread .message").last).to_contain_text("was answered:")
    screenshot(page, "command-explained")
    choose(page, answer, "Ask about this message")
    form = page.get_by_role("dialog", name="Ask about this message")
    form.get_by_label("Your question").fill("what about Japan?")
    screenshot(page, "ask-about-message")
    form.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator("#thread .message").last).to_contain_text("in Japan")
    page.locator("#thread .message").last.scroll_into_view_if_needed()
    screenshot(page, "asked-about-message")


def choose(page: Page, message: Locator, entry: str) -> None:
    """Choose an entry of a message's menu."""
    message.hover()
    message.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("menuitem", name=entry).click()


def test_a_wastebasket_deletes_an_answer(visitors: Visitors) -> None:
    page = visitors.visit(channel=GENERAL)
    write(page, "@datathread how many apps do we have?")
    page.locator("#conversation .replies").click()
    write(page, "what about iOS?", "thread")
    answer = page.locator("#thread .message").last
    expect(answer).to_contain_text("There are 21 apps on iOS.")
    answer.hover()
    answer.get_by_role("button", name="Add reaction").click()
    page.get_by_label("Find an emoji").fill("wastebasket")
    screenshot(page, "wastebasket")
    page.keyboard.press("Enter")
    expect(page.locator("#thread")).not_to_contain_text("There are 21 apps on iOS.")
    expect(page.locator("#thread")).to_contain_text("There are 49 apps.")
    screenshot(page, "wastebasket-gone")


def test_a_csv_dropped_in_a_message(visitors: Visitors, tmp_path: Path) -> None:
    leads = tmp_path / "leads.csv"
    leads.write_text("name,city,amount\nAda,Berlin,10\nBo,Paris,20\nCy,Berlin,30\n", "utf-8")
    page = visitors.visit(channel=SALES)
    page.locator("#conversation input[type=file]").set_input_files(leads)
    expect(page.locator("#conversation")).to_contain_text("leads.csv")
    write(page, "@datathread total amount by city")
    page.locator("#conversation .message").filter(has_text="leads.csv").locator(".replies").click()
    expect(page.locator("#thread .message").last).to_contain_text("Berlin")
    screenshot(page, "csv-dropped")


def test_the_home_of_a_person(visitors: Visitors) -> None:
    page = visitors.visit(person=MIRA, channel=DM_OF[MIRA])
    page.get_by_role("link", name="Home").or_(page.get_by_role("button", name="Home")).click()
    home = page.get_by_label("Home of the app")
    expect(home).to_contain_text("Your recent questions")
    screenshot(page, "home-first")
    home.get_by_role("button", name="Ask").first.click()
    expect(home).to_contain_text("Your question and its answer are in Messages.")
    write_in(page, MIRA)
    page.get_by_role("link", name="Home").or_(page.get_by_role("button", name="Home")).click()
    expect(home.get_by_role("link", name="How many apps do we have?")).to_be_visible()
    screenshot(page, "home")
    home.get_by_role("button", name="Forget my data").scroll_into_view_if_needed()
    screenshot(page, "home-end")
    home.get_by_role("button", name="Forget my data").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget").click()
    expect(home).to_contain_text("are forgotten.")
    expect(home.get_by_role("link", name="How many apps do we have?")).to_have_count(0)


def write_in(page: Page, person: str) -> None:
    """Look at the answer in the direct messages of a person."""
    page.get_by_role("link", name="Messages").or_(page.get_by_role("button", name="Messages")).click()
    page.locator("#conversation .replies").last.click()
    expect(page.locator("#thread .message").last).to_contain_text("There are 49 apps.")
    screenshot(page, f"home-asked-{person}")
