"""What leads on from an answer, as people use it in a browser: suggested questions, More, Refine, slow answers, choices."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Locator, Page, expect

from local_slack.testing import ANA, BEN, DM_OF, SlackServer, slack_server
from tests.days import last_month
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation
from tests.e2e.slow_database import slow_database
from tests.e2e.test_journeys import DARK, NARROW, REVENUE, answered, by_keyboard, keep
from tests.local_slack.browser.chromium import Visitors, screenshot, visiting

pytestmark = pytest.mark.browser
LOOKS = [("wide", {}), ("narrow", NARROW), ("dark", DARK)]
SLOW = "how many crawls are there?"


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    with slack_server() as server, BotProcess(server, tmp_path_factory.mktemp("journeys")):
        yield server


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    """A local Slack with a bot on a view that takes minutes to count."""
    folder = tmp_path_factory.mktemp("slow")
    url = slow_database(folder, 2_000_000_000)
    with slack_server() as server, BotProcess(server, folder, url, QUERY_SECONDS="600"):
        yield server


def newest(page: Page, words: str | re.Pattern[str]) -> Locator:
    """The newest message of the thread, when it says `words`."""
    message = page.locator("#thread .message").last
    expect(message).to_contain_text(words)
    return message


def folded(page: Page, answer: Locator, entry: str) -> None:
    """Choose an entry behind “More” by keyboard."""
    by_keyboard(page, answer.get_by_role("button", name="More choices"))
    by_keyboard(page, page.get_by_role("menuitem", name=entry))


@pytest.mark.parametrize(("look", "how"), LOOKS)
def test_a_suggested_question_is_asked_by_one_press(
    slack: SlackServer, visitors: Visitors, look: str, how: dict[str, Any]
) -> None:
    page, answer = answered(slack, visitors, "revenue in October 2026", **how)
    suggested = answer.get_by_role("button", name="By country?")
    keep(page, suggested, f"suggested-{look}")
    by_keyboard(page, suggested)
    asked = newest(page, "United States had the most revenue")
    expect(asked).to_contain_text("By country · @Ana Lima")
    keep(page, asked.get_by_text("By country ·"), f"suggested-asked-{look}")


def test_shares_of_the_total_by_keyboard(slack: SlackServer, visitors: Visitors) -> None:
    page, answer = answered(slack, visitors)
    folded(page, answer, "Share of total")
    largest = re.compile(r"makes up 2\d\.\d% of revenue")  # the demo's months end today, and its figures with them
    shares = newest(page, largest)
    expect(shares.get_by_role("columnheader")).to_have_text(["Country", "Revenue", "Share of total"])
    keep(page, shares.get_by_text(largest), "share-of-total")


@pytest.mark.parametrize(("look", "how"), LOOKS)
def test_the_previous_period_by_keyboard(
    slack: SlackServer, visitors: Visitors, look: str, how: dict[str, Any]
) -> None:
    page, answer = answered(slack, visitors, **how)
    folded(page, answer, "Previous period")
    months = f"from {last_month('%B', before=1)} to {last_month('%B')}"
    both = newest(page, months)
    keep(page, both.get_by_text(months), f"previous-period-{look}")


def test_everybody_sees_who_refined(slack: SlackServer, visitors: Visitors) -> None:
    thread = Conversation(slack)
    thread.ask(REVENUE)
    ana, ben = (visitors.visit(person=person, thread=thread.root) for person in (ANA, BEN))
    by_keyboard(ben, ben.locator("#thread .message").nth(1).get_by_role("button", name="Refine"))
    form = ben.get_by_role("dialog")
    form.get_by_role("combobox", name="Show").fill("the 5 h")
    ben.get_by_role("option", name="the 5 highest").click()
    form.get_by_role("button", name="Ask").click()
    seen = newest(ana, "The 5 highest · @Ben")
    keep(ana, seen.get_by_text("The 5 highest ·"), "who-refined")


def test_a_chart_and_its_sql_by_keyboard(slack: SlackServer, visitors: Visitors) -> None:
    page, answer = answered(slack, visitors)
    by_keyboard(page, answer.get_by_role("button", name="Chart"))
    expect(page.locator("#thread .message")).to_have_count(3)
    keep(page, newest(page, "United States had the most revenue"), "chart")
    by_keyboard(page, answer.get_by_role("button", name="SQL"))
    keep(page, newest(page, "SELECT"), "sql")


def test_a_csv_by_keyboard_on_a_narrow_screen(slack: SlackServer, visitors: Visitors) -> None:
    page, answer = answered(slack, visitors, **NARROW)
    by_keyboard(page, answer.get_by_role("button", name="CSV"))
    keep(page, newest(page, "as CSV: 16 rows."), "csv-narrow")


def test_the_evidence_opens_by_keyboard(slack: SlackServer, visitors: Visitors) -> None:
    page, answer = answered(slack, visitors, **DARK)
    evidence = answer.locator("summary").filter(has_text="Where this comes from")
    by_keyboard(page, evidence)
    expect(answer).to_contain_text("SELECT")
    keep(page, evidence, "evidence-dark")


def test_why_it_moved_by_keyboard(slack: SlackServer, visitors: Visitors) -> None:
    page, answer = answered(slack, visitors, "revenue in October 2026")
    by_keyboard(page, answer.get_by_role("button", name="Why?"))
    keep(page, newest(page, "September"), "why")


def test_thanks_and_a_file_in_three_letters(slack: SlackServer, visitors: Visitors) -> None:
    page, _ = answered(slack, visitors)
    box = page.locator("#thread textarea")
    box.fill("thx. csv")
    box.press("Enter")
    keep(page, newest(page, "as CSV: 16 rows."), "thanks-csv")


def test_a_direct_message_on_a_narrow_screen(slack: SlackServer, visitors: Visitors) -> None:
    page = visitors.visit(channel=DM_OF[ANA], **NARROW)
    box = page.locator("#conversation textarea")
    box.fill("how many apps do we have?")
    box.press("Enter")
    page.locator("#conversation .replies").first.click()
    answer = newest(page, "There are 49 apps.")
    over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert over <= 0
    keep(page, answer, "direct-narrow")


def test_what_a_screen_reader_finds_under_an_answer(slack: SlackServer, visitors: Visitors) -> None:
    page, answer = answered(slack, visitors)
    for name in ("United States by day?", "The 5 highest?"):
        expect(answer.get_by_role("button", name=name)).to_have_count(1)
    answer.get_by_role("button", name="More choices").click()
    names = ["Share of total", "Previous period", "Excel", "Rows behind it", "Run again"]
    expect(page.get_by_role("menuitem")).to_have_text(names)
    screenshot(page, "journey-more")


@pytest.mark.parametrize(("look", "how"), LOOKS)
def test_a_slow_answer_shows_its_steps_and_stops_by_keyboard(
    slow: SlackServer, browser: Any, look: str, how: dict[str, Any]
) -> None:
    thread = Conversation(slow)
    thread.say(SLOW)
    with visiting(browser, slow) as visitors:
        page = visitors.visit(thread=thread.root, **how)
        plan = page.get_by_role("region", name="Working on it")
        expect(plan).to_contain_text("Reading the question…")
        expect(plan.get_by_role("img", name="in progress")).to_have_count(1)
        keep(page, plan, f"steps-{look}")
        by_keyboard(page, page.get_by_role("button", name="Stop", exact=True))
        newest(page, "Stopped.")
        keep(page, page.locator("#thread .message").last, f"stopped-{look}")
