"""What a person does on the page: write, mention, follow threads, be somebody else, see others live, take files along."""

import re
from base64 import b64decode
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Locator, Page, expect
from slack_sdk import WebClient
from websockets.sync.client import connect

from local_slack.testing import ANA, BEN, DM_OF, GENERAL, MENTION, MIRA, PRODUCT, SALES, SlackServer, slack_server
from tests.local_slack.browser.chromium import Visitors, screenshot
from tests.wait import until

DOT = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADAgH/p6nVHAAAAABJRU5ErkJggg==")


def composer(page: Page) -> Locator:
    return page.locator("#conversation textarea")


def messages(page: Page, pane: str = "conversation") -> Locator:
    return page.locator(f"#{pane} .message")


def texts(slack: SlackServer, channel: str = GENERAL) -> list[str]:
    return [message["text"] for message in slack.messages(channel)]


def wait_for_texts(slack: SlackServer, expected: list[str], channel: str = GENERAL) -> None:
    until(lambda: texts(slack, channel) == expected, what=f"{expected} on the server")


def test_an_example_of_the_first_hint_is_asked_with_two_actions(visitors: Visitors, slack: SlackServer) -> None:
    page = visitors.visit()
    expect(page.locator(".example")).to_have_count(3)
    screenshot(page, "page-first-visit")
    page.locator(".example").first.click()
    expect(composer(page)).to_have_value("@datathread how many apps do we have?")
    page.keyboard.press("Enter")
    expect(messages(page).locator(".mention")).to_have_text("@datathread")
    expect(page.locator(".hint")).to_have_count(0)
    wait_for_texts(slack, [f"{MENTION} how many apps do we have?"])


def test_a_direct_message_needs_no_mention(visitors: Visitors, slack: SlackServer) -> None:
    page = visitors.visit(channel=DM_OF[ANA])
    page.locator(".example").first.click()
    page.keyboard.press("Enter")
    expect(messages(page)).to_contain_text("how many apps do we have?")
    wait_for_texts(slack, ["how many apps do we have?"], DM_OF[ANA])


def test_a_mention_is_made_with_the_keyboard_alone(visitors: Visitors, slack: SlackServer) -> None:
    page = visitors.visit()
    expect(composer(page)).to_be_focused()
    people = page.get_by_role("listbox", name="People to mention")
    page.keyboard.type("hey @")
    expect(people.get_by_role("option")).to_have_count(6)
    expect(people.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(composer(page)).to_have_value("hey @Ben Okafor ")
    page.keyboard.type("and @dat")
    page.keyboard.press("Tab")
    expect(page.locator("#conversation .mirror mark")).to_have_text(["@Ben Okafor", "@datathread"])
    screenshot(page, "page-mention")
    page.keyboard.type("how many apps?")
    page.keyboard.press("Enter")
    wait_for_texts(slack, [f"hey <@{BEN}> and {MENTION} how many apps?"])


def test_escape_closes_the_list_and_leaves_the_words(visitors: Visitors, slack: SlackServer) -> None:
    page = visitors.visit()
    page.keyboard.type("@da")
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox", name="People to mention")).to_have_count(0)
    page.keyboard.press("Enter")
    wait_for_texts(slack, ["@da"])


def test_shift_enter_makes_a_line_and_markup_is_sent_escaped(visitors: Visitors, slack: SlackServer) -> None:
    page = visitors.visit()
    page.keyboard.type("1 < 2 & <b>bold</b>")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("second line")
    page.keyboard.press("Enter")
    expect(messages(page).locator("p")).to_have_text("1 < 2 & <b>bold</b>\nsecond line", use_inner_text=True)
    wait_for_texts(slack, ["1 &lt; 2 &amp; &lt;b&gt;bold&lt;/b&gt;\nsecond line"])


def test_a_draft_waits_in_its_channel(visitors: Visitors) -> None:
    page = visitors.visit()
    page.keyboard.type("half a thought")
    page.get_by_role("link", name="sales").click()
    expect(composer(page)).to_have_value("")
    page.get_by_role("link", name="general").click()
    expect(composer(page)).to_have_value("half a thought")


def test_a_thread_is_opened_answered_and_closed(visitors: Visitors, slack: SlackServer, bot: WebClient) -> None:
    root = slack.say(BEN, GENERAL, f"{MENTION} how many apps?")
    bot.chat_postMessage(channel=GENERAL, thread_ts=root, text="There are *49* apps.")
    page = visitors.visit()
    page.get_by_role("button", name=re.compile(r"1 reply\s*last today \d\d:\d\d")).click()
    expect(messages(page, "thread")).to_have_count(2)
    expect(messages(page, "thread").locator("strong")).to_have_text("49")
    expect(messages(page, "thread").locator(".badge")).to_have_text("APP")
    expect(page.locator("#thread textarea")).to_be_focused()
    page.keyboard.type("what about iOS?")
    page.keyboard.press("Enter")
    expect(messages(page, "thread")).to_have_count(3)
    expect(page.locator("#conversation .replies")).to_contain_text("2 replies")
    assert [message["text"] for message in slack.messages(GENERAL, root)][-1] == "what about iOS?"
    page.keyboard.press("Escape")
    expect(page.locator("#thread")).to_be_hidden()
    page.go_back()
    expect(messages(page, "thread")).to_have_count(3)


def test_the_thread_of_an_own_question_opens_with_the_answer(
    visitors: Visitors, slack: SlackServer, bot: WebClient
) -> None:
    page = visitors.visit()
    page.keyboard.type("@datathread how many apps?")
    page.keyboard.press("Enter")
    expect(messages(page)).to_have_count(1)
    root = slack.messages(GENERAL)[0]["ts"]
    bot.assistant_threads_setStatus(channel_id=GENERAL, thread_ts=root, status="is reading the question…")
    expect(page.locator("#thread .status")).to_have_text("datathread is reading the question…")
    bot.chat_postMessage(channel=GENERAL, thread_ts=root, text="49")
    expect(messages(page, "thread")).to_have_count(2)
    expect(page.locator(".status")).to_have_count(0)


def test_what_others_do_appears_changes_and_goes(visitors: Visitors, slack: SlackServer) -> None:
    page = visitors.visit()
    ts = slack.say(BEN, GENERAL, "a frist word")
    expect(messages(page)).to_contain_text("a frist word")
    slack.edit(BEN, GENERAL, ts, "a first word")
    expect(messages(page)).to_contain_text(re.compile(r"a first word\s*\(edited\)"))
    slack.delete(BEN, GENERAL, ts)
    expect(messages(page)).to_have_count(0)


def test_a_deleted_question_leaves_the_place_of_its_thread(visitors: Visitors, slack: SlackServer) -> None:
    page = visitors.visit()
    ts = slack.say(BEN, GENERAL, "a question")
    slack.say(BEN, GENERAL, "a reply", thread_ts=ts)
    expect(page.locator(".replies")).to_contain_text("1 reply")
    slack.delete(BEN, GENERAL, ts)
    for _ in ("as it happens", "as it is loaded anew"):
        expect(messages(page).locator(".content")).to_have_text("This message was deleted.")
        expect(page.locator(".replies")).to_contain_text("1 reply")
        page.reload()


def test_reactions_and_what_only_one_person_sees(visitors: Visitors, slack: SlackServer, bot: WebClient) -> None:
    ana, ben = visitors.visit(ANA), visitors.visit(BEN)
    ts = slack.say(BEN, GENERAL, "nice")
    bot.reactions_add(channel=GENERAL, timestamp=ts, name="tada")
    bot.chat_postEphemeral(channel=GENERAL, user=ANA, text="for you")
    expect(ana.locator(".reactions li")).to_have_text("🎉 1")
    expect(ben.locator(".reactions li")).to_have_text("🎉 1")
    expect(messages(ana).last).to_contain_text(re.compile(r"Only visible to you\s*for you"))
    expect(messages(ben)).to_have_count(1)


def test_messages_of_one_author_stand_under_one_name(visitors: Visitors, slack: SlackServer) -> None:
    for author in (BEN, BEN, MIRA):
        slack.say(author, GENERAL, "hello")
    page = visitors.visit()
    expect(page.locator(".author")).to_have_text(["Ben Okafor", "Mira Novák"])
    expect(page.locator(".day")).to_have_text("Today")


def test_two_windows_are_two_people(visitors: Visitors, slack: SlackServer) -> None:
    ana, ben = visitors.visit(ANA), visitors.visit(BEN)
    composer(ana).fill("hello from Ana")
    ana.keyboard.press("Enter")
    expect(messages(ben).locator(".author")).to_have_text("Ana Lima")
    composer(ben).fill("hello from Ben")
    ben.keyboard.press("Enter")
    expect(ana.locator(".author")).to_have_text(["Ana Lima", "Ben Okafor"])


def test_acting_as_somebody_else_changes_who_writes(visitors: Visitors, slack: SlackServer) -> None:
    page = visitors.visit()
    page.get_by_label("Act as", exact=True).select_option(label="Mira Novák")
    expect(page).to_have_url(re.compile("as=U0MIRA"))
    expect(page.locator(".me .avatar")).to_have_text("MN")
    composer(page).fill("it is me")
    page.keyboard.press("Enter")
    expect(messages(page).locator(".author")).to_have_text("Mira Novák")
    page.get_by_role("link", name="datathread", exact=True).click()
    expect(page).to_have_url(re.compile(DM_OF[MIRA]))
    assert slack.messages(GENERAL)[0]["user"] == MIRA


def test_unread_marks_count_and_go(visitors: Visitors, slack: SlackServer) -> None:
    page = visitors.visit()
    slack.say(BEN, SALES, "one")
    slack.say(BEN, SALES, "two")
    page.get_by_role("link", name="sales, 2 unread").click()
    expect(messages(page)).to_have_count(2)
    expect(page.get_by_role("link", name="sales", exact=True)).to_be_visible()
    root = slack.messages(SALES)[0]["ts"]
    slack.say(BEN, SALES, "three", thread_ts=root)
    expect(page.locator(".replies .dot")).to_have_count(1)
    page.locator(".replies").click()
    expect(page.locator(".replies .dot")).to_have_count(0)


def test_the_presence_of_the_bot_is_plain_to_see(visitors: Visitors, slack: SlackServer) -> None:
    page = visitors.visit()
    notice = page.locator(".notice")
    expect(notice).to_contain_text("datathread is not connected. make run starts it")
    opening = WebClient(token=slack.app_token, base_url=slack.api_url).apps_connections_open(app_token=slack.app_token)
    with connect(opening["url"]):
        expect(notice).to_have_count(0)
    expect(notice).to_have_count(1)


def test_a_file_is_taken_along(visitors: Visitors, bot: WebClient, tmp_path: Path) -> None:
    content = "platform,apps\niOS,21\nAndroid,28\n"
    bot.files_upload_v2(channel=GENERAL, filename="apps.csv", title="Apps", content=content, initial_comment="All rows")
    page = visitors.visit()
    expect(page.locator(".file-facts")).to_have_text("CSV · 32 bytes")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download apps.csv").click()
    download.value.save_as(tmp_path / "apps.csv")
    assert download.value.suggested_filename == "apps.csv"
    assert (tmp_path / "apps.csv").read_text("utf-8") == content


def test_a_picture_is_shown_with_its_message(visitors: Visitors, bot: WebClient) -> None:
    bot.files_upload_v2(channel=GENERAL, filename="dot.png", title="A dot", content=DOT, initial_comment="a chart")
    page = visitors.visit()
    picture = page.get_by_role("img", name="A dot")
    expect(picture).to_be_visible()
    until(lambda: picture.evaluate("node => node.complete && node.naturalWidth === 1"), what="the picture")


def test_code_is_copied(visitors: Visitors, bot: WebClient) -> None:
    bot.chat_postMessage(channel=GENERAL, text="```SELECT 1 &lt; 2```")
    page = visitors.visit(permissions=["clipboard-read", "clipboard-write"])
    page.locator(".code").hover()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "SELECT 1 < 2"


def test_a_message_that_could_not_be_sent_is_kept(visitors: Visitors, slack: SlackServer) -> None:
    page = visitors.visit(offline=False)
    page.context.set_offline(True)
    composer(page).fill("do not lose me")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Your words are kept")
    expect(composer(page)).to_have_value("do not lose me")
    page.context.set_offline(False)
    page.keyboard.press("Enter")
    wait_for_texts(slack, ["do not lose me"])
    visitors.forgive("ERR_INTERNET_DISCONNECTED")


def test_the_page_comes_back_with_its_server(browser: Browser) -> None:
    with slack_server() as first:
        visitors = Visitors(browser, first)
        page = visitors.visit()
        port = first.url.rsplit(":", 1)[1]
    expect(page.locator(".notice")).to_contain_text("The local workspace does not answer.")
    with slack_server("--port", port) as second:
        second.say(BEN, GENERAL, "back again")
        expect(messages(page)).to_contain_text("back again")
        visitors.leave()
    visitors.forgive("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING")
    assert visitors.complaints == []


def test_an_address_of_nobody_leads_to_somebody(visitors: Visitors, slack: SlackServer) -> None:
    page = visitors.visit()
    page.goto(f"{slack.url}/#as=U0NOBODY&channel=C0NOWHERE")
    expect(page).to_have_url(re.compile(f"as={ANA}&channel={GENERAL}"))
    expect(page.locator(".hint")).to_be_visible()
    visitors.forgive("404")


def test_a_small_screen_shows_one_pane_at_a_time(visitors: Visitors, slack: SlackServer, bot: WebClient) -> None:
    root = slack.say(BEN, PRODUCT, "a question")
    bot.chat_postMessage(channel=PRODUCT, thread_ts=root, text="an answer")
    page = visitors.visit(viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    expect(page.locator("#sidebar")).to_be_hidden()
    page.get_by_role("button", name="Show channels").click()
    page.get_by_role("link", name="product").click()
    expect(page.locator("#sidebar")).to_be_hidden()
    page.get_by_role("button", name=re.compile("1 reply")).click()
    expect(messages(page, "thread")).to_have_count(2)
    expect(page.locator("#conversation")).to_be_hidden()
    screenshot(page, "page-narrow")
    page.get_by_role("button", name="Close thread").click()
    expect(page.locator("#conversation")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_every_control_has_a_name(visitors: Visitors, slack: SlackServer) -> None:
    root = slack.say(BEN, GENERAL, "a question")
    page = visitors.visit(thread=root)
    expect(messages(page, "thread")).to_have_count(1)
    expect(page.locator("[aria-current]")).to_have_count(1)
    nameless = page.locator("button, a, textarea, select").evaluate_all(
        "nodes => nodes.filter(n => !(n.ariaLabel || n.textContent.trim() || n.labels?.length)).map(n => n.outerHTML)"
    )
    assert nameless == []
