"""“Refine” over the wire: the parts of an answer in a modal, and the answer to what was chosen."""

from collections.abc import Iterator

import pytest

from local_slack.testing import SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, Json, button, table
from tests.wait import until


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    with slack_server() as server, BotProcess(server, tmp_path_factory.mktemp("refine")):
        yield server


def opened(thread: Conversation, answer: Json) -> Json:
    """Press Refine and wait for the modal."""
    place = {"channel": thread.channel, "ts": answer["ts"]}
    thread.slack.act("action", thread.user, message=place, action=button(answer, "Refine"))
    return until(lambda: thread.slack.modals(thread.user), 30, "the modal")[-1]


def choice(modal: Json, part: str, *names: str) -> Json:
    (block,) = [block for block in modal["blocks"] if block.get("block_id") == part]
    element = block["element"]
    options = [option for name in names for option in element["options"] if option["text"]["text"] == name]
    assert len(options) == len(names)
    picked = {"selected_options": options} if "multi" in element["type"] else {"selected_option": options[0]}
    return {part: {element["action_id"]: {"type": element["type"], **picked}}}


def send(thread: Conversation, modal: Json, *choices: Json) -> Json:
    """Send the modal as the page does: what was not touched as it stood."""
    values = {block["block_id"]: _initial(block["element"]) for block in modal["blocks"] if block["type"] == "input"}
    values |= {part: state for picked in choices for part, state in picked.items()}
    return thread.slack.act("submit", thread.user, view_id=modal["id"], values=values)


def _initial(element: Json) -> Json:
    state = {"type": element["type"]}
    if "multi" in element["type"]:
        state["selected_options"] = element.get("initial_options", [])
    else:
        state["selected_option"] = element.get("initial_option")
    return {element["action_id"]: state}


def test_an_answer_is_refined_without_typing(slack: SlackServer) -> None:
    thread = Conversation(slack)
    answer = thread.ask("revenue by country in October 2026")
    modal = opened(thread, answer)
    labels = [block["label"]["text"] for block in modal["blocks"] if block["type"] == "input"]
    assert labels == ["Figure", "Period (day)", "Only where", "For each", "Show"]
    thread._asked += 1
    changes = [choice(modal, "per", "app platform"), choice(modal, "only", "country is Germany", "country is France")]
    assert not send(thread, modal, *changes).get("errors")
    refined = until(lambda: thread.answers()[1:], 60, "the refined answer")[0]
    assert "October" in refined["text"]
    assert {row[0] for row in table(refined)[1:]} == {"iOS", "Android", "Web"}
    assert "Revenue" in thread.ask("and only for iOS?")["text"]  # the thread goes on from there


def test_a_form_without_a_change_says_so(slack: SlackServer) -> None:
    thread = Conversation(slack)
    modal = opened(thread, thread.ask("how many apps do we have?"))
    assert "Nothing is changed yet" in str(send(thread, modal).get("errors"))
