"""What a person does with an app, in the real page with a real Bolt app behind it: controls, modals, home, commands, streams."""

import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Locator, Page, expect

from local_slack.testing import ANA, BEN, DM_OF, GENERAL, SALES
from tests.cases import cases
from tests.local_slack.browser.bolt_app import VIEWS
from tests.local_slack.browser.chromium import screenshot
from tests.local_slack.browser.fixtures import AppSession
from tests.wait import until

HERE = Path(__file__).parent
DM = DM_OF[ANA]


FILLED = {
    "Title": "Installs",
    "Send to": "ana@example.com",
    "Rows": "25",
    "Until": "2026-12-24T18:00",
    "Story": "for the board",
}


def composer(page: Page, pane: str = "conversation") -> Locator:
    return page.locator(f"#{pane} textarea")


def button(text: str, action_id: str, **more: Any) -> dict[str, Any]:
    return {"type": "button", "action_id": action_id, "text": {"type": "plain_text", "text": text}, **more}


def open_form(session: AppSession, page: Page) -> Locator:
    """A message whose button opens the form, pressed."""
    actions = {"type": "actions", "elements": [button("New report", "modal:form")]}
    ts = session.bot.chat_postMessage(channel=GENERAL, text="a form", blocks=[actions])["ts"]
    expect(page.locator(f'.message[data-ts="{ts}"]')).to_be_visible()
    expect(page.locator(".message")).to_have_count(1)
    page.get_by_role("button", name="New report").click()
    form = page.get_by_role("dialog", name="New report")
    expect(form).to_be_visible()
    return form


def take(page: Page, step: str, how: list[str]) -> None:
    match step:
        case "click":
            role, name = how
            page.get_by_role(role, name=name, exact=True).click()  # type: ignore[arg-type]
        case "fill":
            label, text = how
            page.get_by_label(label, exact=True).fill(text)
        case "type":
            expect(page.get_by_role("listbox")).to_be_visible()
            page.keyboard.type(how[0])
        case _:
            page.keyboard.press(how[0])


@pytest.mark.parametrize("case", cases(HERE / "controls.jsonl"))
def test_a_control_tells_the_app_what_was_chosen(session: AppSession, window: Page, case: dict[str, Any]) -> None:
    element = {**case["element"], "action_id": "used"}
    block = {"type": case.get("block", "actions"), "block_id": "here", "elements": [element]}
    ts = session.bot.chat_postMessage(channel=GENERAL, text="fallback", blocks=[block])["ts"]
    expect(window.locator(f'.message[data-ts="{ts}"]')).to_be_visible()
    expect(window.locator(".message")).to_have_count(1)
    for step, *how in case["use"]:
        take(window, step, how)
    action = session.heard.action("used")
    assert {name: action[name] for name in case["sent"]} == case["sent"]
    assert (action["block_id"], action["type"]) == ("here", element["type"])


def test_what_was_put_in_goes_along_with_a_button(session: AppSession, window: Page) -> None:
    element = {"type": "plain_text_input", "action_id": "name"}
    field = {"type": "input", "block_id": "who", "label": {"type": "plain_text", "text": "Name"}, "element": element}
    actions = {"type": "actions", "elements": [button("Save", "save")]}
    session.bot.chat_postMessage(channel=GENERAL, text="fallback", blocks=[field, actions])
    window.get_by_label("Name").fill("Apps")
    window.get_by_role("button", name="Save").click()
    session.heard.action("save")
    values = session.heard.last("block_actions")["state"]["values"]
    assert values["who"]["name"] == {"type": "plain_text_input", "value": "Apps"}


def test_feedback_stays_pressed_while_its_message_changes(session: AppSession) -> None:
    pair = {
        f"{name}_button": {"text": {"type": "plain_text", "text": name}, "value": name}
        for name in ("positive", "negative")
    }
    element = {"type": "feedback_buttons", "action_id": "feedback", **pair}
    blocks = [{"type": "context_actions", "block_id": "feedback", "elements": [element]}]
    ts = session.bot.chat_postMessage(channel=GENERAL, text="one", blocks=blocks)["ts"]
    page = session.visitors.visit()
    page.get_by_role("button", name="positive").click()
    expect(page.get_by_role("button", name="positive")).to_have_attribute("aria-pressed", "true")
    session.bot.chat_update(channel=GENERAL, ts=ts, text="two", blocks=[*blocks, {"type": "divider"}])
    expect(page.locator(".message hr")).to_have_count(1)
    expect(page.get_by_role("button", name="positive")).to_have_attribute("aria-pressed", "true")


def test_a_button_is_shown_to_whom_it_is_for(session: AppSession) -> None:
    actions = {
        "type": "actions",
        "elements": [button("For Ben", "b", visible_to_user_ids=[BEN]), button("For all", "a")],
    }
    session.bot.chat_postMessage(channel=GENERAL, text="fallback", blocks=[actions])
    expect(session.visitors.visit(ANA).locator(".actions button")).to_have_text(["For all"])
    expect(session.visitors.visit(BEN).locator(".actions button")).to_have_text(["For Ben", "For all"])


def test_a_form_is_filled_in_and_sent(session: AppSession, tmp_path: Path) -> None:
    page = session.visitors.visit()
    form = open_form(session, page)
    form.get_by_role("button", name="Create").click()
    expect(form.locator(".complaint:visible")).to_have_text(["Please complete this required field."] * 2)
    expect(form.get_by_label("Title")).to_be_focused()
    screenshot(page, "app-form-complaints")
    for label, text in FILLED.items():
        form.get_by_label(label).fill(text)
    for menu, typed, option in (("Chart", "pi", "Pie"), ("People", "ben", "Ben Okafor")):
        form.get_by_role("combobox", name=menu).fill(typed)
        form.get_by_role("option", name=option).click()
    form.get_by_role("checkbox", name="SQL").check()
    form.get_by_role("radio", name="Daily").check()
    (tmp_path / "notes.txt").write_text("hello")
    form.locator("input[type=file]").set_input_files(tmp_path / "notes.txt")
    expect(form.locator(".chip[aria-busy=false]")).to_have_text("notes.txt")
    screenshot(page, "app-form-filled")
    form.get_by_role("button", name="Create").click()
    expect(form).to_be_hidden()
    values = session.heard.last("view_submission")["view"]["state"]["values"]
    sent = {name: next(iter(of_block.values())) for name, of_block in values.items()}
    assert [sent[name]["value"] for name in ("title", "mail", "rows")] == ["Installs", "ana@example.com", "25"]
    assert (sent["day"]["selected_date"], sent["until"]["selected_date_time"] > 1_700_000_000) == ("2026-11-23", True)
    assert (sent["chart"]["selected_option"]["value"], sent["people"]["selected_users"]) == ("pie", [BEN])
    assert [option["value"] for option in sent["with"]["selected_options"]] == ["sql"]
    assert sent["often"]["selected_option"]["value"] == "daily"
    assert sent["story"]["rich_text_value"]["elements"][0]["elements"] == [{"type": "text", "text": "for the board"}]
    assert [file["name"] for file in sent["files"]["files"]] == ["notes.txt"]


@pytest.mark.parametrize(
    ("label", "typed", "complaint"),
    [
        ("Title", "ab", "Please write at least 3 characters."),
        ("Send to", "ana", "Please write an e-mail address."),
        ("Link", "example", "Please write a whole address, with https://"),
        ("Rows", "7.5", "Please write a whole number."),
        ("Rows", "101", "Please write 100 or less."),
        ("Title", "wrong", "This title is taken."),
    ],
)
def test_a_form_says_what_is_wrong(session: AppSession, window: Page, label: str, typed: str, complaint: str) -> None:
    form = open_form(session, window)
    form.get_by_label("Title").fill("Installs")
    form.get_by_role("combobox", name="Chart").fill("line")
    form.get_by_role("option", name="Line").click()
    form.get_by_label(label).fill(typed)
    form.get_by_role("button", name="Create").click()
    expect(form.locator(".complaint:visible")).to_have_text([complaint])
    form.get_by_label(label).fill("")
    expect(form.locator(".complaint:visible")).to_have_count(0)


def test_a_form_may_become_another(session: AppSession, window: Page) -> None:
    form = open_form(session, window)
    form.get_by_role("combobox", name="Chart").fill("line")
    form.get_by_role("option", name="Line").click()
    form.get_by_label("Title").fill("next")
    window.keyboard.press("Enter")
    expect(window.get_by_role("dialog", name="Preview")).to_contain_text("This is how it will look.")
    window.keyboard.press("Escape")
    expect(window.get_by_role("dialog")).to_have_count(0)


def test_modals_lie_upon_each_other(session: AppSession, window: Page) -> None:
    form = open_form(session, window)
    form.get_by_label("Title").fill("kept")
    form.get_by_role("button", name="Preview").click()
    above = window.get_by_role("dialog", name="Preview")
    expect(above).to_contain_text("This is how it will look.")
    above.get_by_role("button", name="Back").click()
    expect(form.get_by_label("Title")).to_have_value("kept")
    window.keyboard.press("Escape")
    expect(window.get_by_role("dialog")).to_have_count(0)
    assert session.heard.last("view_closed")["is_cleared"] is False


def test_the_home_of_the_app(session: AppSession) -> None:
    page = session.visitors.visit(channel=DM)
    page.get_by_role("link", name="Home").click()
    home = page.get_by_role("region", name="Home of the app")
    expect(home).to_contain_text("datathread has not put anything here yet.")
    until(lambda: session.heard.last("app_home_opened")["tab"] == "home", what="the tab")
    session.bot.views_publish(user_id=ANA, view=VIEWS["home"])
    expect(home.get_by_role("heading")).to_have_text("Your data")
    screenshot(page, "app-home")
    home.get_by_role("button", name="Forget everything").click()
    page.get_by_role("button", name="Forget", exact=True).click()
    assert session.heard.action("forget_all")["type"] == "button"
    home.get_by_role("button", name="New report").click()
    expect(page.get_by_role("dialog", name="New report")).to_be_visible()


def test_a_command_is_completed_and_sent(session: AppSession) -> None:
    page = session.visitors.visit()
    page.keyboard.type("/")
    commands = page.get_by_role("listbox", name="Commands")
    expect(commands.get_by_role("option")).to_have_text(
        [re.compile("^/ask"), re.compile("^/forget"), re.compile("^New report")]
    )
    screenshot(page, "app-commands")
    page.keyboard.type("as")
    page.keyboard.press("Tab")
    expect(composer(page)).to_have_value("/ask ")
    page.keyboard.type("@ben how many apps?")
    page.keyboard.press("Enter")
    answer = page.locator(".ephemeral")
    expect(answer).to_contain_text(re.compile(r"Only visible to you\s*You asked: "))
    assert session.heard.last("slash_command")["command"] == "/ask"
    answer.hover()
    answer.get_by_role("button", name="Dismiss").click()
    expect(page.locator(".message")).to_have_count(0)
    composer(page).fill("/nothing here")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("/nothing is not a command here")
    expect(composer(page)).to_have_value("/nothing here")


def test_shortcuts_from_the_list_and_from_a_message(session: AppSession) -> None:
    session.slack.say(BEN, GENERAL, "an answer")
    page = session.visitors.visit()
    page.keyboard.type("/new")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="New report")).to_be_visible()
    assert session.heard.last("shortcut")["callback_id"] == "new_report"
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(composer(page)).to_have_value("")
    page.locator(".message").hover()
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Explain this answer").click()
    expect(page.get_by_role("dialog", name="New report")).to_be_visible()
    assert session.heard.last("message_action")["message"]["text"] == "an answer"


def test_suggested_prompts_are_asked_with_a_click(session: AppSession) -> None:
    prompts = [{"title": "Top 5", "message": "top 5 apps by installs & revenue"}]
    session.bot.assistant_threads_setSuggestedPrompts(channel_id=DM, title="Try this", prompts=prompts)
    page = session.visitors.visit(channel=DM)
    expect(page.locator(".prompts p")).to_have_text("Try this")
    page.keyboard.type("my draft")
    page.get_by_role("button", name="Top 5").click()
    expect(page.locator("#conversation .message")).to_contain_text("top 5 apps by installs & revenue")
    expect(composer(page)).to_have_value("my draft")
    assert session.heard.last("message")["text"] == "top 5 apps by installs &amp; revenue"


def test_a_stream_grows_and_is_stopped(session: AppSession) -> None:
    page = session.visitors.visit(channel=DM)
    page.keyboard.type("top 5 apps?")
    page.keyboard.press("Enter")
    root = until(lambda: session.slack.messages(DM), what="the question")[0]["ts"]
    bot, thread = session.bot, page.locator("#thread")
    bot.agents_sessions_setStatus(channel_id=DM, thread_ts=root, status="processing", title="Top five apps")
    turns = ["Reading the question", "Writing SQL"]
    bot.assistant_threads_setStatus(channel_id=DM, thread_ts=root, status="is thinking…", loading_messages=turns)
    expect(thread.locator(".status")).to_have_text(turns[0])
    expect(thread.locator(".status")).to_have_text(turns[1])
    expect(thread.get_by_role("heading", level=1)).to_have_text("Top five apps")
    stream = bot.chat_startStream(
        channel=DM, thread_ts=root, task_display_mode="plan", chunks=[{"type": "plan_update", "title": "Answering"}]
    )["ts"]
    task = {"type": "task_update", "id": "1", "title": "Run the SQL", "status": "in_progress", "details": "12 rows"}
    bot.chat_appendStream(channel=DM, ts=stream, chunks=[task])
    expect(thread.locator(".task-in_progress")).to_contain_text("12 rows")
    bot.chat_appendStream(channel=DM, ts=stream, chunks=[{**task, "status": "complete"}])
    bot.chat_appendStream(channel=DM, ts=stream, markdown_text="The top five by **inst")
    bot.chat_appendStream(channel=DM, ts=stream, markdown_text="alls** are")
    expect(thread.locator(".streaming strong").last).to_have_text("installs")
    expect(thread.locator(".plan-count")).to_have_text("1 of 1 done")
    expect(thread.locator(".status")).to_have_count(0)
    screenshot(page, "app-stream")
    thread.get_by_role("button", name="Stop").click()
    assert session.heard.last("agent_session_stopped")["streaming_message_ts"] == [stream]
    expect(thread.locator(".ending")).to_have_text("Stopped.")
    bot.agents_sessions_setStatus(channel_id=DM, thread_ts=root, status="active")
    expect(thread.get_by_role("button", name="Stop")).to_be_hidden()


def test_a_stream_that_expires_says_so(session: AppSession) -> None:
    root = session.slack.say(ANA, DM, "a long question")
    session.bot.chat_startStream(channel=DM, thread_ts=root, markdown_text="It begins")
    page = session.visitors.visit(channel=DM, thread=root)
    expect(page.locator("#thread .streaming")).to_have_text("It begins")
    session.slack.control("clock", {"advance": 301})
    expect(page.locator("#thread .ending")).to_contain_text("five minutes")


def test_where_a_person_looks_is_told_to_the_app(session: AppSession) -> None:
    page = session.visitors.visit()
    page.get_by_role("link", name="sales").click()

    def told() -> bool:
        context = session.heard.last("app_context_changed")["context"]
        return bool(context["entities"][0]["value"] == SALES)

    until(told, what="the context of #sales")


def test_an_app_that_does_not_answer_is_named(session: AppSession) -> None:
    session.bot.chat_postMessage(
        channel=GENERAL, text="x", blocks=[{"type": "actions", "elements": [button("Wait", "silent")]}]
    )
    page = session.visitors.visit()
    page.get_by_role("button", name="Wait").click()
    expect(page.get_by_role("alert")).to_have_text("datathread did not respond in time.")
    session.visitors.forgive("504")
