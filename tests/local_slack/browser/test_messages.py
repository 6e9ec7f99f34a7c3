"""What a person does with messages: edit, delete, react, mark as unread, bring files; and what guests and outsiders see."""

import re
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Locator, Page, expect
from slack_sdk import WebClient

from local_slack.testing import ANA, BEN, GENERAL, MENTION, PRODUCT, SALES, SlackServer
from tests.local_slack.browser.chromium import Visitors, screenshot
from tests.wait import until

GUS, EVA, PARTNERS = "U0GUS", "U0EVA", "C0PARTNERS"


def composer(page: Page, pane: str = "conversation") -> Locator:
    return page.locator(f"#{pane} textarea")


def messages(page: Page) -> Locator:
    return page.locator("#conversation .message")


def with_message(page: Page, index: int, tool: str) -> None:
    """Press a tool of a message."""
    messages(page).nth(index).hover()
    messages(page).nth(index).get_by_role("button", name=tool).click()


def test_the_last_message_is_edited_with_the_keyboard(visitors: Visitors, slack: SlackServer) -> None:
    slack.say(ANA, GENERAL, f"{MENTION} how many aps &amp; users?")
    slack.say(BEN, GENERAL, "not yours")
    page = visitors.visit()
    expect(messages(page)).to_have_count(2)
    composer(page).press("ArrowUp")
    editor = page.get_by_label("Edit message")
    expect(editor).to_have_value("@datathread how many aps & users?")
    expect(editor).to_be_focused()
    screenshot(page, "page-edit")
    editor.fill("@datathread how many apps & users?")
    page.keyboard.press("Enter")
    expect(messages(page).first).to_contain_text(re.compile(r"how many apps & users\?\s*\(edited\)"))
    assert slack.messages(GENERAL)[0]["text"] == f"{MENTION} how many apps &amp; users?"
    composer(page).press("ArrowUp")
    editor.fill("something else")
    page.keyboard.press("Escape")
    expect(editor).to_have_count(0)
    assert slack.messages(GENERAL)[0]["text"] == f"{MENTION} how many apps &amp; users?"


def test_an_own_message_is_deleted_after_a_question(visitors: Visitors, slack: SlackServer) -> None:
    slack.say(ANA, GENERAL, "a mistake")
    page = visitors.visit()
    with_message(page, 0, "More")
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(messages(page)).to_have_count(1)
    with_message(page, 0, "More")
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("button", name="Delete").click()
    expect(messages(page)).to_have_count(0)
    assert slack.messages(GENERAL) == []


def test_the_messages_of_others_are_theirs(visitors: Visitors, slack: SlackServer) -> None:
    slack.say(BEN, GENERAL, "mine")
    page = visitors.visit()
    with_message(page, 0, "More")
    expect(page.get_by_role("menuitem")).to_have_text(["Mark unread from here", "Copy link"])
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)


def test_a_reaction_is_chosen_and_taken_back(visitors: Visitors, slack: SlackServer) -> None:
    slack.say(BEN, GENERAL, "done")
    ana, ben = visitors.visit(ANA), visitors.visit(BEN)
    with_message(ana, 0, "Add reaction")
    ana.get_by_label("Find an emoji").fill("rocket")
    ana.keyboard.press("Enter")
    mine = ana.get_by_role("button", name="🚀 Ana Lima with :rocket:")
    expect(mine).to_have_attribute("aria-pressed", "true")
    ben.get_by_role("button", name="🚀 Ana Lima with :rocket:").click()
    both = ana.get_by_role("button", name="🚀 Ana Lima, Ben Okafor with :rocket:")
    expect(both).to_have_text("🚀 2")
    both.click()
    expect(ana.get_by_role("button", name="🚀 Ben Okafor with :rocket:")).to_have_attribute("aria-pressed", "false")


def test_new_messages_stand_below_a_line(visitors: Visitors, slack: SlackServer) -> None:
    slack.say(BEN, SALES, "old")
    page = visitors.visit(channel=SALES)
    expect(messages(page)).to_have_count(1)
    page.get_by_role("link", name="general").click()
    slack.say(BEN, SALES, f"<@{ANA}> look")
    link = page.get_by_role("link", name="sales, 1 unread")
    expect(link.locator(".count-mentions")).to_have_text("1")
    link.click()
    expect(page.locator(".news + .message")).to_contain_text("look")
    screenshot(page, "page-unread")
    with_message(page, 0, "More")
    page.get_by_role("menuitem", name="Mark unread from here").click()
    expect(page.get_by_role("link", name="sales, 2 unread")).to_be_visible()
    page.reload()
    expect(page.get_by_role("link", name="sales", exact=True)).to_be_visible()


def test_a_file_is_dropped_and_sent_with_words(visitors: Visitors, slack: SlackServer) -> None:
    page = visitors.visit()
    page.evaluate(
        """() => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File(["a,b\\n1,2\\n"], "rows.csv", { type: "text/csv" }));
          const pane = document.querySelector("#conversation");
          pane.dispatchEvent(new DragEvent("dragover", { dataTransfer, bubbles: true, cancelable: true }));
          window.marked = pane.classList.contains("dropping");
          pane.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        }"""
    )
    assert page.evaluate("window.marked")
    expect(page.locator(".tray .chip[aria-busy=false]")).to_have_text("rows.csv")
    screenshot(page, "page-file-to-send")
    composer(page).fill("see these")
    page.keyboard.press("Enter")
    expect(messages(page)).to_contain_text("see these")
    expect(messages(page).locator(".file-facts")).to_have_text("CSV · 8 bytes")
    expect(page.locator(".chip")).to_have_count(0)
    message = slack.messages(GENERAL)[0]
    assert (message["user"], message["files"][0]["name"]) == (ANA, "rows.csv")


def test_a_file_may_be_taken_out_again_and_go_without_words(
    visitors: Visitors, slack: SlackServer, tmp_path: Path
) -> None:
    page = visitors.visit()
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text(name)
    page.locator("#conversation input[type=file]").set_input_files([tmp_path / "one.txt", tmp_path / "two.txt"])
    page.get_by_role("button", name="Remove one.txt").click()
    expect(page.locator(".tray .chip[aria-busy=false]")).to_have_text("two.txt")
    page.get_by_role("button", name="Send").click()
    expect(messages(page).locator(".file-name")).to_have_text("two.txt")


def test_a_reply_is_sent_to_the_channel_too(visitors: Visitors, slack: SlackServer) -> None:
    root = slack.say(BEN, GENERAL, "a question")
    page = visitors.visit(thread=root)
    page.get_by_label("Also send to #general").check()
    composer(page, "thread").fill("everybody should know")
    page.keyboard.press("Enter")
    expect(messages(page).last).to_contain_text(re.compile("Replied to a thread.*everybody should know", re.S))
    expect(page.get_by_label("Also send to #general")).not_to_be_checked()


def test_a_guest_sees_what_a_guest_may_see(visitors: Visitors) -> None:
    page = visitors.visit(GUS, PRODUCT)
    expect(page.locator("#act-as option:checked")).to_have_text("Gus Petit (guest)")
    expect(page.locator(".place")).to_have_text(["product", re.compile("^datathread")])
    screenshot(page, "page-guest")


def test_somebody_from_outside_is_marked(visitors: Visitors, slack: SlackServer) -> None:
    slack.say(EVA, PARTNERS, "hello from Northwind")
    page = visitors.visit(ANA, PARTNERS)
    expect(messages(page).locator(".badge")).to_have_text("Northwind")
    expect(page.locator(".pane-title .badge")).to_have_text("shared with another organisation")
    page.get_by_label("Act as", exact=True).select_option(label="Eva Lind (external, Northwind)")
    expect(page.locator(".place")).to_have_text(["partners", re.compile("^datathread")])


def test_a_link_to_a_thread_is_copied(visitors: Visitors, slack: SlackServer) -> None:
    root = slack.say(BEN, GENERAL, "a question")
    page = visitors.visit(permissions=["clipboard-read", "clipboard-write"])
    with_message(page, 0, "More")
    page.get_by_role("menuitem", name="Copy link").click()
    expect(page.get_by_role("alert")).to_have_text("The link is copied.")
    page.goto(page.evaluate("navigator.clipboard.readText()"))
    expect(page.locator("#thread .message")).to_contain_text("a question")
    assert root in page.url


def test_a_reset_of_the_workspace_is_seen(visitors: Visitors, slack: SlackServer, bot: WebClient) -> None:
    bot.chat_postMessage(channel=GENERAL, text="soon gone")
    page = visitors.visit()
    expect(messages(page)).to_have_count(1)
    slack.reset()
    expect(messages(page)).to_have_count(0)
    expect(page.locator(".hint")).to_be_visible()


def test_the_sidebar_is_walked_with_arrows(visitors: Visitors, slack: SlackServer) -> None:
    page = visitors.visit()
    page.get_by_role("link", name="general").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(SALES))
    expect(composer(page)).to_be_focused()
    page.keyboard.type("typed at once")
    page.keyboard.press("Enter")
    until(lambda: [one["text"] for one in slack.messages(SALES)] == ["typed at once"], what="the message")
