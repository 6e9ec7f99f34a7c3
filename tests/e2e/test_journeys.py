"""What stands under an answer, as people use it in a browser: by keyboard, on a narrow screen, in the dark, by names."""

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Locator, Page, expect

from local_slack.testing import SlackServer, slack_server
from tests.days import last_month
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation
from tests.local_slack.browser.chromium import Visitors, screenshot

pytestmark = pytest.mark.browser
NARROW: dict[str, Any] = {"viewport": {"width": 390, "height": 780}}
DARK: dict[str, Any] = {"color_scheme": "dark"}
REVENUE = f"revenue by country in {last_month('%B %Y')}"


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    with slack_server() as server, BotProcess(server, tmp_path_factory.mktemp("journeys")):
        yield server


def answered(slack: SlackServer, visitors: Visitors, question: str = REVENUE, **how: Any) -> tuple[Page, Locator]:
    """Ask over the wire, and open the thread of the answer."""
    thread = Conversation(slack)
    thread.ask(question)
    page = visitors.visit(thread=thread.root, **how)
    answer = page.locator("#thread .message").nth(1)
    expect(answer.get_by_role("button", name="SQL")).to_be_visible()
    return page, answer


def keep(page: Page, seen: Locator, name: str) -> None:
    seen.scroll_into_view_if_needed()
    screenshot(page, f"journey-{name}")


def by_keyboard(page: Page, target: Locator) -> None:
    page.bring_to_front()
    target.focus()
    expect(target).to_be_focused()
    page.keyboard.press("Enter")


def test_thumbs_up_by_keyboard(slack: SlackServer, visitors: Visitors) -> None:
    page, answer = answered(slack, visitors)
    by_keyboard(page, answer.get_by_role("button", name="This answer is correct"))
    expect(answer).to_contain_text("Accepted by")
    keep(page, answer, "thumbs-up")


def test_thumbs_down_asks_why(slack: SlackServer, visitors: Visitors) -> None:
    page, answer = answered(slack, visitors)
    by_keyboard(page, answer.get_by_role("button", name="This answer is not right"))
    form = page.get_by_role("dialog")
    form.get_by_label("Wrong period").check()
    screenshot(page, "journey-thumbs-down-form")
    form.get_by_role("button", name="Send").click()
    expect(answer).to_contain_text("Not right (wrong period), says")
    keep(page, answer, "thumbs-down")


@pytest.mark.parametrize(("look", "how"), [("wide", {}), ("narrow", NARROW), ("dark", DARK)])
def test_refine_opens_with_what_holds_now(
    slack: SlackServer, visitors: Visitors, look: str, how: dict[str, Any]
) -> None:
    page, answer = answered(slack, visitors, **how)
    answer.get_by_role("button", name="Refine").click()
    form = page.get_by_role("dialog")
    expect(form.get_by_role("combobox", name="Figure")).to_have_value("total revenue")
    expect(form.get_by_role("combobox", name="Period (day)")).to_have_value(f"last month ({last_month('%B')})")
    screenshot(page, f"journey-refine-{look}")
    form.get_by_role("button", name="Cancel").click()
    expect(form).to_have_count(0)


def test_refine_by_keyboard(slack: SlackServer, visitors: Visitors) -> None:
    page, answer = answered(slack, visitors)
    by_keyboard(page, answer.get_by_role("button", name="Refine"))
    form = page.get_by_role("dialog")
    show = form.get_by_role("combobox", name="Show")
    show.fill("the 3")
    page.get_by_role("option", name="the 3 highest").click()
    by_keyboard(page, form.get_by_role("button", name="Ask"))
    newest = page.locator("#thread .message").last
    expect(newest).to_contain_text(f"{last_month('%B %Y')}, top 3")
    keep(page, newest, "refined")


def test_a_long_table_is_sorted_paged_and_filtered(slack: SlackServer, visitors: Visitors) -> None:
    page, answer = answered(slack, visitors)
    rows = answer.locator("tbody tr")
    expect(rows).to_have_count(10)
    by_keyboard(page, answer.get_by_role("button", name="Country"))
    expect(rows.first).to_contain_text("Brazil")
    keep(page, answer, "table-sorted")
    by_keyboard(page, answer.get_by_role("button", name="Next"))
    expect(rows).to_have_count(6)
    answer.get_by_role("searchbox").fill("united")
    expect(rows).to_have_count(2)
    keep(page, answer, "table-filtered")


@pytest.mark.parametrize(("look", "how"), [("narrow", NARROW), ("dark", DARK)])
def test_an_answer_with_its_row(slack: SlackServer, visitors: Visitors, look: str, how: dict[str, Any]) -> None:
    page, answer = answered(slack, visitors, **how)
    over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert over <= 0
    keep(page, answer, f"answer-{look}")
    keep(page, answer.get_by_role("button", name="Refine"), f"row-{look}")


def test_what_a_screen_reader_finds(slack: SlackServer, visitors: Visitors) -> None:
    _, answer = answered(slack, visitors)
    for name in ("CSV", "SQL", "Refine", "More choices", "👍 This answer is correct", "👎 This answer is not right"):
        expect(answer.get_by_role("button", name=name)).to_have_count(1)
    expect(answer.get_by_role("group", name="Feedback")).to_be_visible()
    expect(answer.get_by_role("table", name="16 rows: Country, Revenue")).to_be_visible()
    expect(answer.get_by_role("columnheader")).to_have_text(["Country", "Revenue"])
