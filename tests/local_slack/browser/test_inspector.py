"""The drawer of calls and envelopes: found with the keyboard, searched, and honest about what was refused."""

import re

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Locator, Page, expect
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from local_slack.testing import ANA, GENERAL, MENTION
from tests.local_slack.browser.chromium import Visitors, screenshot
from tests.local_slack.browser.fixtures import AppSession

LONG = "a header that goes on and on " * 10


def entries(page: Page) -> Locator:
    return page.get_by_role("region", name="Inspector").get_by_role("option")


def test_a_refused_call_shows_what_was_wrong_and_where(visitors: Visitors, bot: WebClient) -> None:
    header = {"type": "header", "text": {"type": "plain_text", "text": LONG}}
    with pytest.raises(SlackApiError):
        bot.chat_postMessage(channel=GENERAL, text="fallback", blocks=[{"type": "divider"}, header])
    page = visitors.visit()
    page.keyboard.press("Control+.")
    expect(page.get_by_label("Search", exact=True)).to_be_focused()
    page.keyboard.type("goes on and on")
    expect(entries(page)).to_have_count(1)
    page.keyboard.press("Tab")
    page.get_by_role("listbox", name="Calls and envelopes").focus()
    page.keyboard.press("ArrowDown")
    details = page.get_by_role("region", name="Details")
    expect(details.get_by_role("heading", level=3)).to_have_text("chat.postMessage")
    expect(details.locator(".entry-facts")).to_contain_text("invalid_blocks")
    expect(details.locator(".entry-errors li")).to_have_text(
        re.compile(r"must be less than 151 characters.*/blocks/1/text/text")
    )
    expect(details.locator(".json-wrong")).to_contain_text('"text": "a header that goes on')
    screenshot(page, "inspector")
    page.emulate_media(color_scheme="dark")
    screenshot(page, "inspector-dark")
    page.keyboard.press("Escape")
    expect(page.locator("#inspector")).to_be_hidden()
    expect(page.locator("#conversation textarea")).to_be_focused()


def test_entries_come_as_they_happen_by_kind(visitors: Visitors, bot: WebClient) -> None:
    page = visitors.visit()
    page.get_by_role("button", name="Inspector").click()
    page.get_by_role("button", name="Calls").click()
    bot.chat_postMessage(channel=GENERAL, text="first")
    expect(entries(page).locator(".entry-name")).to_have_text(["chat.postMessage"])
    bot.users_info(user=ANA)
    expect(entries(page).locator(".entry-name")).to_have_text(["users.info", "chat.postMessage"])
    page.get_by_role("button", name="Errors").click()
    expect(entries(page)).to_have_count(0)
    with pytest.raises(SlackApiError):
        bot.users_info(user="U0NOBODY")
    expect(entries(page).locator(".entry-outcome")).to_have_text(["user_not_found"])
    page.get_by_role("button", name="Calls").click()
    expect(entries(page)).to_have_count(3)
    page.get_by_role("button", name="Close inspector").click()
    expect(page.locator("#inspector")).to_be_hidden()


def test_an_envelope_gets_its_acknowledgement(session: AppSession) -> None:
    page = session.visitors.visit()
    page.get_by_role("button", name="Inspector").click()
    session.slack.say(ANA, GENERAL, f"{MENTION} how many apps?")
    page.get_by_role("button", name="Envelopes").click()
    row = entries(page).filter(has_text="app_mention")
    expect(row.locator(".entry-outcome")).to_have_text("acknowledged")
    row.click()
    expect(page.get_by_role("region", name="Details")).to_contain_text("sent over Socket Mode")
    expect(page.get_by_role("region", name="Details").locator(".json").first).to_contain_text("how many apps?")


def test_no_token_is_shown(visitors: Visitors, bot: WebClient) -> None:
    bot.auth_test()
    page = visitors.visit()
    page.get_by_role("button", name="Inspector").click()
    entries(page).filter(has_text="auth.test").click()
    expect(page.get_by_role("region", name="Details")).to_contain_text("auth.test")
    assert "xoxb-" not in page.locator("#inspector").inner_text()


def test_a_small_screen_gives_the_inspector_all_of_it(visitors: Visitors, bot: WebClient) -> None:
    bot.chat_postMessage(channel=GENERAL, text="first")
    page = visitors.visit(viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Inspector").click()
    entries(page).first.click()
    expect(page.get_by_role("region", name="Details")).to_contain_text("chat.postMessage")
    screenshot(page, "inspector-narrow")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
