"""Presses, forms, menus and reactions, dispatched by Bolt in this process to a local Slack: who may, and what follows."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from slack_bolt import App, BoltRequest
from slack_sdk import WebClient

from ai.agents.cards import EARLIER_BUTTON
from ai.agents.overview import Overview
from ai.agents.port import run_now
from ai.agents.querying.refinements import NO_PARTS, Refinable, Refinements
from ai.agents.querying.verdicts import Person
from ai.errors import SourceUnavailable
from ai.sql.rights import Rights
from ai.types import Request, ThreadKey
from bot.access import Access
from bot.contact import Greeting, bolt_app, posting_client
from bot.delivery import Addressee, RateLimiter, SlackDelivery
from bot.listeners import Intake, Notes
from bot.listeners.actions import FOR_OWNERS, redraw
from bot.listeners.asking import ask, words_of
from bot.listeners.earlier import FORM
from bot.listeners.feedback import NOT_OPENED
from bot.listeners.home import NO_SOURCE, home_of, offer_prompts
from bot.listeners.refine import NOT_OPENED as FORM_NOT_OPENED
from bot.listeners.shortcuts import NO_ANSWER, answer_of
from bot.listeners.welcome import greeting
from bot.people import Home, Profile
from bot.render.asked_view import ASK
from bot.render.asked_view import QUESTION as FIELD
from bot.render.buttons import CHOICE, DECISION
from bot.render.message import pages
from config import load
from local_slack.testing import ANA, BEN, BOT, DM_OF, GENERAL, MENTION, MIRA, SlackServer
from tests.desk import Desk, open_desk
from tests.fakes import KeptQueue
from tests.intakes import TEAM, Told, intake_of
from tests.processes import free_port

QUESTION, SAID, DAY = "how many apps?", "There are 3 apps.", "2026-11-01"
JUDGES = "Only members of this channel may judge its answers; join it first."
Body = dict[str, Any]


@dataclass
class Counter:
    """An answered question in a channel, its message, and what is pressed there."""

    slack: SlackServer
    client: WebClient
    desk: Desk
    intake: Intake
    queue: KeptQueue
    told: Told
    thread: ThreadKey
    turn_id: str
    query: int
    message: Body

    def app(self, intake: Intake | None = None) -> App:
        greeting = Greeting("Local", "datathread", self.slack.url, TEAM, BOT, "B0BOT")
        return bolt_app(self.client, intake or self.intake, greeting)

    def sends(self, body: Body, intake: Intake | None = None) -> Body:
        """What Slack hears; what is done after the acknowledgement is done, too."""
        app = self.app(intake)
        told = app.dispatch(BoltRequest(body=body, mode="socket_mode"))
        assert told.status == 200
        app.listener_runner.listener_executor.shutdown()
        return json.loads(told.body) if told.body.startswith("{") else {"text": told.body} if told.body else {}

    def press(self, action: str, value: str, user: str = ANA, intake: Intake | None = None) -> Body:
        pressed = {"type": "button", "action_id": action, "value": value, "action_ts": "1700000050.000001"}
        place = {"channel_id": GENERAL, "message_ts": self.message["ts"], "thread_ts": self.thread.thread_ts}
        body = {
            "type": "block_actions",
            "user": {"id": user, "team_id": TEAM},
            "team": {"id": TEAM},
            "container": {"type": "message", **place},
            "message": self.message,
            "actions": [pressed],
            "trigger_id": "1.1",
        }
        return self.sends(body, intake)

    def submits(self, form: str, about: object, values: Body, user: str = ANA) -> Body:
        view = {"type": "modal", "id": "V1", "callback_id": form, "private_metadata": json.dumps(about)}
        who = {"id": user, "team_id": TEAM}
        sent = {**view, "state": {"values": values}}
        return self.sends({"type": "view_submission", "user": who, "team": {"id": TEAM}, "view": sent})

    def event(self, **event: Any) -> None:
        self.sends({"type": "event_callback", "team_id": TEAM, "event": event})

    def shown(self) -> list[str]:
        return [reply["text"] for reply in self.slack.replies(GENERAL, self.thread.thread_ts)]


@pytest.fixture
def counter(slack_here: SlackServer, tmp_path: Path) -> Iterator[Counter]:
    slack = slack_here
    slack.reset()
    settings = load(slack_api_url=slack.api_url, slack_bot_token=slack.bot_token, slack_app_token=slack.app_token)
    client = posting_client(settings)
    with open_desk(tmp_path, owners=[MIRA]) as desk:
        ts = slack.say(ANA, GENERAL, f"{MENTION} {QUESTION}")
        thread = ThreadKey(TEAM, GENERAL, ts)
        desk.memory.receive(thread, turn_id := f"{TEAM}:{GENERAL}:{ts}", QUESTION, ANA, datetime.now(UTC))
        asked = Request(turn_id, thread, QUESTION, ANA, datetime.now(UTC), source="shop")
        told = pages(list(desk.orchestrator.answer(asked, run_now)))
        delivery = SlackDelivery(client, pauses=(0.01,), limiter=RateLimiter({}))
        delivery.answer(Addressee(thread, turn_id, ANA), told, look_first=False)
        (message,) = slack.replies(GENERAL, ts)
        queue, words = KeptQueue(), Told()
        access = Access({"*": "shop"}, owners=[MIRA])
        intake = intake_of(desk.memory, queue, access, desk.context, told=words)
        (query,) = desk.memory.queries(thread, 1)
        yield Counter(slack, client, desk, intake, queue, words, thread, turn_id, query.id, message)


@pytest.fixture
def answer(counter: Counter) -> str:
    return f"{counter.query} {DAY}"


def test_a_thumb_up_is_kept_and_shown(counter: Counter, answer: str) -> None:
    counter.press("feedback:thumbs", f"right {answer}")
    assert len(counter.told.words) == 1
    (call,) = counter.slack.calls("chat.update")
    assert "Correct, says" in json.dumps(call["args"])


def test_an_answer_is_judged_by_members_alone(counter: Counter, answer: str) -> None:
    outside = replace(counter.intake, is_member=lambda _channel, _user: False)
    for action, value in (("thumbs", "right"), ("thumbs", "wrong"), ("undo", "")):
        counter.press(f"feedback:{action}", f"{value} {answer}".strip(), intake=outside)
    assert counter.told.words == [JUDGES] * 3
    assert counter.slack.calls("chat.update") + counter.slack.calls("views.open") == []


def test_a_thumb_down_opens_a_form(counter: Counter, answer: str) -> None:
    counter.press("feedback:thumbs", f"wrong {answer}")
    assert [call["args"]["trigger_id"] for call in counter.slack.calls("views.open")] == ["1.1"]
    assert counter.told.words == [NOT_OPENED]  # the local Slack knows no such trigger


@pytest.mark.parametrize("action", ["feedback:thumbs", "feedback:undo", "refine", "share"])
def test_a_button_of_an_earlier_version_is_said_to_be_one(counter: Counter, action: str) -> None:
    counter.press(action, "nothing that we know")
    assert counter.told.words == [EARLIER_BUTTON]
    assert counter.slack.calls("views.open") + counter.slack.calls("chat.update") == []


def reason(key: str = "figure") -> Body:
    return {"reason": {"reason": {"type": "radio_buttons", "selected_option": {"value": key}}}}


def objected(counter: Counter, answer: str) -> Body:
    return {"value": answer, "channel": GENERAL, "ts": counter.message["ts"], "thread_ts": counter.thread.thread_ts}


def test_an_objection_is_kept_shown_and_taken_back(counter: Counter, answer: str) -> None:
    assert counter.submits("feedback:objection", objected(counter, answer), reason()) == {}
    assert len(counter.told.words) == 1
    (call,) = counter.slack.calls("chat.update")
    assert "Not right (" in json.dumps(call["args"])
    counter.press("feedback:undo", answer)
    assert len(counter.slack.calls("chat.update")) == 2


def test_an_objection_that_is_refused_is_said_and_not_shown(counter: Counter) -> None:
    about = {**objected(counter, f"{counter.query} {DAY}"), "channel": DM_OF[BEN]}
    assert counter.submits("feedback:objection", about, reason(), BEN) == {}
    assert len(counter.told.words) == 1
    assert counter.slack.calls("chat.update") + counter.slack.calls("conversations.replies") == []


def test_a_form_of_nothing_is_acknowledged(counter: Counter) -> None:
    assert counter.submits(ASK, {"old": 1}, {}) == {}


@pytest.mark.parametrize("form", ["feedback:objection", "refine:parts", ASK])
def test_a_form_of_an_earlier_version_is_said_to_be_one(counter: Counter, form: str) -> None:
    told = counter.submits(form, {"old": 1}, {"some": {"some": {"type": "plain_text_input", "value": "x"}}})
    assert told == {"response_action": "errors", "errors": {"some": FORM}}
    assert (counter.queue.waiting, counter.told.words) == ([], [])


def test_words_that_no_step_understands_are_not_opened_for_refining(counter: Counter) -> None:
    counter.press("refine", str(counter.query))
    assert counter.told.words == [FORM_NOT_OPENED]
    assert [call["args"]["trigger_id"] for call in counter.slack.calls("views.open")] == ["1.1"]
    counter.press("refine", "999999")
    assert len(counter.slack.calls("views.open")) == 1
    assert len(counter.told.words) == 2


def test_a_form_of_what_has_rights_that_is_not_opened_is_noted(counter: Counter, tmp_path: Path) -> None:
    (folder := tmp_path / "rights").mkdir()
    rights = Rights(tables=frozenset({"apps"}), rows={"apps": "name <> 'Ada'"})
    with open_desk(folder, rights=rights) as desk:
        counter.press("refine", "999999", intake=intake_of(desk.memory, counter.queue, context=desk.context))
        (noted,) = desk.memory.access.of(ANA)
    assert (noted.outcome, noted.surface, noted.source) == ("refused", "modal", "shop")


class Unfit(Refinements):
    """An answer whose parts have no name that a menu can hold."""

    def of(self, query_id: int, person: Person, today: date) -> Refinable:
        found = super().of(query_id, person, today)
        return replace(found, parts=tuple(replace(part, options=("x" * 99,), kept=()) for part in found.parts))


def test_a_form_without_a_menu_is_not_opened(counter: Counter) -> None:
    unfit = replace(counter.intake, refinements=Unfit(counter.desk.memory, counter.desk.context))
    counter.press("refine", str(counter.query), intake=unfit)
    assert (counter.told.words, counter.slack.calls("views.open")) == ([NO_PARTS], [])


def refining(counter: Counter, query: int) -> Body:
    place = {"channel": GENERAL, "thread_ts": counter.thread.thread_ts, "action_ts": "1700000060.000001"}
    return {"query_id": query, **place}


def menu(part: str, *names: str) -> Body:
    options = [{"text": {"type": "plain_text", "text": name}, "value": "0"} for name in names]
    return {part: {"menu": {"type": "multi_static_select", "selected_options": options}}}


def test_a_refinement_is_a_question_and_one_of_nothing_is_refused_in_the_form(counter: Counter) -> None:
    person = counter.intake.person(words_of(counter.intake, ANA, GENERAL))
    part = counter.intake.refinements.of(counter.query, person, date(2026, 11, 1)).parts[0]
    assert counter.submits("refine:parts", refining(counter, counter.query), menu(part.name, part.options[-1])) == {}
    assert counter.queue.waiting == [f"{TEAM}:{GENERAL}:1700000060.000001"]
    refused = counter.submits("refine:parts", refining(counter, 999999), menu("only", "iOS"))
    assert refused["response_action"] == "errors"
    assert len(counter.queue.waiting) == 1


def test_an_answer_is_shared_by_its_asker_where_that_is_allowed(counter: Counter) -> None:
    owners = replace(counter.intake, access=Access({"*": "shop"}, owners=[ANA, MIRA]))
    counter.press("share", f"2 {counter.turn_id}", MIRA, owners)
    counter.press("share", f"2 {counter.turn_id}", ANA)
    assert [words[:14] for words in counter.told.words] == ["Only who asked"] * 2
    assert (counter.queue.waiting, counter.slack.calls("chat.update")) == ([], [])
    outside = replace(owners, is_member=lambda _channel, _user: False)
    counter.press("share", f"2 {counter.turn_id}", ANA, outside)
    assert len(counter.told.words) == 3
    counter.press("share", f"2 {TEAM}:{GENERAL}:9.9", ANA, owners)
    assert counter.told.words[3].startswith("That question is no longer kept")
    counter.press("share", f"2 {counter.turn_id}", ANA, owners)
    assert counter.queue.waiting == [f"{counter.turn_id}~1700000050.000001"]
    assert len(counter.slack.calls("chat.update")) == 1
    (entry,) = counter.desk.memory.access.of(ANA)
    assert (entry.outcome, entry.surface, entry.source) == ("shared", "button", "shop")
    assert (entry.turn_id, entry.thread, entry.right, entry.hidden_from) == (
        counter.turn_id,
        counter.thread,
        "owner",
        2,
    )


def chosen(counter: Counter, callback: str, message: Body, user: str = ANA, intake: Intake | None = None) -> None:
    body = {"type": "message_action", "callback_id": callback, "user": {"id": user, "team_id": TEAM}}
    place = {"team": {"id": TEAM}, "channel": {"id": GENERAL}, "message_ts": message["ts"], "trigger_id": "1.1"}
    counter.sends({**body, **place, "message": message}, intake)


def test_an_answer_is_explained_from_its_menu(counter: Counter) -> None:
    chosen(counter, "explain_answer", counter.message)
    assert len(counter.queue.waiting) == 1
    question = counter.desk.memory.question(counter.queue.waiting[0])
    assert question
    assert question.content == f"explain query {counter.query}"
    chosen(counter, "explain_answer", {"ts": counter.thread.thread_ts, "user": ANA, "text": "lunch?"})
    assert (len(counter.queue.waiting), counter.told.words) == (1, [NO_ANSWER])


def test_of_a_turn_the_last_answered_query_is_explained(counter: Counter) -> None:
    memory, said = counter.desk.memory, words_of(counter.intake, ANA, GENERAL, thread_ts=counter.thread.thread_ts)
    found = answer_of(counter.intake, counter.client, said, counter.message)
    assert found
    assert found.id == counter.query
    memory.fail_query(counter.query, "replaced")
    assert answer_of(counter.intake, counter.client, said, counter.message) is None


def test_a_message_is_asked_about_in_its_own_words_unless_they_are_ours(counter: Counter) -> None:
    chosen(counter, "ask_about_message", {"ts": counter.thread.thread_ts, "user": ANA, "text": "lunch?"})
    chosen(counter, "ask_about_message", counter.message)
    assert [call["args"]["trigger_id"] for call in counter.slack.calls("views.open")] == ["1.1"] * 2
    theirs, ours = (json.dumps(call["args"]) for call in counter.slack.calls("views.open"))
    assert "lunch?" in theirs
    assert "initial_value" not in ours


def test_what_a_form_asks_is_posted_and_taken(counter: Counter) -> None:
    field = {FIELD: {FIELD: {"type": "plain_text_input", "value": QUESTION}}}
    told = counter.submits(ASK, [GENERAL, counter.thread.thread_ts], field)
    assert (told, len(counter.queue.waiting), len(counter.shown())) == ({}, 1, 2)


def test_a_question_without_a_thread_begins_one(counter: Counter) -> None:
    said = words_of(counter.intake, ANA, GENERAL, QUESTION)
    assert ask(counter.intake, counter.client, said) == ""
    posted = counter.slack.messages(GENERAL)[-1]
    assert posted.get("thread_ts") in (None, posted["ts"])
    assert counter.queue.waiting == [f"{TEAM}:{GENERAL}:{posted['ts']}"]
    reply = words_of(counter.intake, ANA, GENERAL, QUESTION, counter.thread.thread_ts)
    assert ask(counter.intake, counter.client, reply) == ""
    assert len(counter.shown()) == 2
    for fault, told in (("not_in_channel", "invite me with `/invite`"), ("fatal_error", "Slack could not show your")):
        counter.slack.fault("chat.postMessage", "error", error=fault)
        assert told in ask(counter.intake, counter.client, said)
    assert len(counter.queue.waiting) == 2


def react(counter: Counter, user: str = ANA, reaction: str = "wastebasket", author: str = BOT, **item: str) -> None:
    thing = {"type": "message", "channel": GENERAL, "ts": counter.message["ts"], **item}
    counter.event(type="reaction_added", user=user, reaction=reaction, item_user=author, item=thing, event_ts="1.1")


def test_a_wastebasket_withdraws_an_answer(counter: Counter) -> None:
    react(counter, reaction="eyes")
    react(counter, author=ANA)
    react(counter, type="file")
    assert counter.slack.calls("conversations.replies") == []
    react(counter, BEN)
    assert (len(counter.told.words), counter.queue.waiting) == (1, [])
    react(counter)
    assert len(counter.queue.waiting) == 1


def test_a_file_goes_by_the_hand_of_the_only_asker(counter: Counter) -> None:
    posted = counter.client.chat_postMessage(channel=GENERAL, text="a file", thread_ts=counter.thread.thread_ts)
    react(counter, BEN, ts=str(posted["ts"]))
    assert len(counter.told.words) == 1
    react(counter, ts=str(posted["ts"]))
    assert counter.shown() == [counter.message["text"]]
    again = counter.client.chat_postMessage(channel=GENERAL, text="a file", thread_ts=counter.thread.thread_ts)
    counter.desk.memory.receive(counter.thread, f"{TEAM}:{GENERAL}:2.2", "games?", BEN, datetime.now(UTC))
    react(counter, ts=str(again["ts"]))
    assert len(counter.told.words) == 2


def test_a_choice_of_an_earlier_version_is_said_to_be_one(counter: Counter) -> None:
    counter.press(f"{CHOICE}:0", "nothing that we know")
    assert (counter.told.words, counter.queue.waiting) == ([EARLIER_BUTTON], [])
    counter.press(f"{DECISION}:0", "nothing that we know")
    assert counter.told.words[1:] == [FOR_OWNERS]


@pytest.mark.parametrize("metadata", [{}, {"metadata": {"event_type": "turn", "event_payload": {}}}])
def test_a_message_keeps_its_metadata_when_it_is_drawn_anew(counter: Counter, metadata: Body) -> None:
    message = {"ts": counter.message["ts"], "text": SAID, **metadata}
    redraw(counter.client, GENERAL, message, [])
    (call,) = counter.slack.calls("chat.update")
    assert ("metadata" in call["args"]) is bool(metadata)


def test_our_own_arrival_is_greeted(counter: Counter) -> None:
    for user in (BEN, BOT):
        counter.event(type="member_joined_channel", user=user, channel=GENERAL, event_ts="1.1")
    assert len(counter.slack.calls("chat.postMessage")) == 2  # the answer, and the greeting


def test_what_slack_refuses_to_show_is_logged(counter: Counter, caplog: pytest.LogCaptureFixture) -> None:
    for method in ("chat.update", "views.publish", "chat.postMessage", "agents.sessions.setStatus"):
        counter.slack.fault(method, "error", error="ratelimited_for_good")
    redraw(counter.client, GENERAL, counter.message, [])
    counter.event(type="app_home_opened", user=ANA, channel=DM_OF[ANA], tab="home", event_ts="1.1")
    counter.event(type="member_joined_channel", user=BOT, channel=GENERAL, event_ts="1.1")
    notes, said = Notes(counter.client), words_of(counter.intake, ANA, GENERAL, thread_ts=counter.thread.thread_ts)
    with caplog.at_level("INFO", "bot.listeners.notes"):
        notes.begin(said, QUESTION)
        notes.later(partial(counter.client.chat_delete, channel=GENERAL, ts="9.9"))
        notes.close()
    assert [one.getMessage() for one in caplog.records if one.name.startswith("bot.")] == [
        "could not show what was pressed: SlackApiError",
        "the app's page is not shown: ratelimited_for_good",
        f"no greeting in {GENERAL}: ratelimited_for_good",
        f"{said.turn_id} has no title: ratelimited_for_good",
        "a message is not taken away: message_not_found",
    ]


def test_where_nothing_may_be_asked_the_greeting_says_why(counter: Counter) -> None:
    shown = greeting(replace(counter.intake, access=Access({})), GENERAL).text
    assert shown.startswith("This channel has no data source;")


class Away(Overview):
    """An overview of data that nobody can reach now."""

    def examples(self, request: Request, count: int = 3) -> tuple[str, ...]:
        raise SourceUnavailable("The data are away.")


def test_a_home_without_its_data_says_so_and_shows_the_rest(counter: Counter) -> None:
    away = replace(counter.intake, overview=Away(counter.desk.memory, counter.desk.context))
    page = home_of(away, words_of(away, ANA, DM_OF[ANA]))
    assert (page.note, page.examples, len(page.questions)) == (NO_SOURCE, (), 1)


def home(counter: Counter, user: str = ANA, access: Access | None = None, team: str = "") -> Any:
    intake = replace(counter.intake, access=access) if access else counter.intake
    return home_of(intake, words_of(intake, user, DM_OF[user], team=team))


def test_the_home_shows_each_what_is_theirs(counter: Counter) -> None:
    assert (home(counter).use, home(counter, MIRA).use is None) == (None, False)
    assert home(counter).examples
    nowhere = home(counter, access=Access({}))
    assert (nowhere.note[:32], list(nowhere.channels)) == ("This channel has no data source;", [])
    elsewhere = home(counter, access=Access({GENERAL: "shop", DM_OF[BEN]: "shop"}))
    assert (elsewhere.note, list(elsewhere.channels)) == ("", [GENERAL])
    foreign = intake_of(counter.desk.memory, KeptQueue(), None, counter.desk.context, Home(TEAM), Profile("T9"))
    page = home_of(foreign, words_of(foreign, ANA, DM_OF[ANA], team="T9"))
    assert (page.is_known, bool(page.note)) == (False, True)


def test_prompts_are_offered_where_there_are_any(counter: Counter) -> None:
    offer_prompts(replace(counter.intake, access=Access({})), counter.client, words_of(counter.intake, ANA, DM_OF[ANA]))
    assert counter.slack.calls("assistant.threads.setSuggestedPrompts") == []


def test_a_note_is_said_once_and_in_the_thread_it_is_of(counter: Counter) -> None:
    notes = Notes(counter.client)
    lone, reply = (words_of(counter.intake, ANA, GENERAL, thread_ts=ts) for ts in ("", counter.thread.thread_ts))
    for said, sentence in ((lone, "one"), (lone, "one"), (lone, "two"), (reply, "three")):
        notes.say(said, sentence)
    notes.close()
    told = [(call["args"]["text"], call["args"].get("thread_ts")) for call in counter.slack.calls("chat.postEphemeral")]
    assert told == [("one", None), ("two", None), ("three", counter.thread.thread_ts)]


def test_a_conversation_is_named_after_its_question(counter: Counter) -> None:
    notes, said = Notes(counter.client), words_of(counter.intake, ANA, GENERAL, thread_ts=counter.thread.thread_ts)
    notes.begin(said, "x" * 81)
    notes.begin(said, QUESTION)
    notes.close()
    place = {"channel_id": GENERAL, "thread_ts": counter.thread.thread_ts, "status": "active", "initiator_user_id": ANA}
    titles = ["x" * 79 + "…", QUESTION]
    calls = counter.slack.calls("agents.sessions.setStatus")
    assert [call["args"] for call in calls] == [{**place, "title": title} for title in titles]


def test_a_note_that_did_not_reach_slack_is_told_from_one_that_was_refused(
    counter: Counter, caplog: pytest.LogCaptureFixture
) -> None:
    said = words_of(counter.intake, ANA, GENERAL)
    counter.slack.fault("chat.postEphemeral", "error", error="user_not_in_channel")
    away = WebClient("x", base_url=f"http://127.0.0.1:{free_port()}/api/", retry_handlers=[])
    for client, reached in ((counter.client, True), (away, False)):
        notes = Notes(client)
        assert notes.post(said, "one").result() is reached
        notes.close()
    ours = [record.getMessage()[:29] for record in caplog.records if record.name.startswith("bot.")]
    assert ours == ["could not tell what became of"] * 2
