"""Direct messages are one conversation, whatever thread each message begins; the agent view opens with prompts."""

from collections.abc import Iterator

import pytest

from local_slack.testing import ANA, BEN, DM_OF, SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import answer_to

HERE = DM_OF[ANA]


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    with slack_server("--manifest", "manifest.yml") as server, BotProcess(server, tmp_path_factory.mktemp("direct")):
        yield server


def asked(slack: SlackServer, text: str, thread_ts: str | None = None, user: str = ANA) -> tuple[str, str]:
    """Say it in the direct messages; return the thread's ts and the words of the answer under it."""
    before = len(slack.replies(DM_OF[user], thread_ts)) if thread_ts else 0
    said = slack.say(user, DM_OF[user], text, thread_ts=thread_ts)
    root = thread_ts or said
    return root, str(answer_to(slack, DM_OF[user], root, before + 1, timeout=60)["text"])


def test_a_top_level_message_goes_on_with_the_conversation_and_is_answered_under_itself(slack: SlackServer) -> None:
    first, answer = asked(slack, "how many apps do we have?")
    assert "There are 49 apps." in answer
    second, answer = asked(slack, "what about iOS?")
    assert second != first
    assert "There are 21 apps on iOS." in answer
    _, answer = asked(slack, "and Android?", thread_ts=second)
    assert "There are 20 apps on Android." in answer


def test_a_new_topic_starts_over(slack: SlackServer) -> None:
    asked(slack, "how many apps do we have?", user=BEN)
    _, answer = asked(slack, "new topic", user=BEN)
    assert answer.startswith("A new topic: what would you like to know?")
    _, answer = asked(slack, "what about iOS?", user=BEN)
    assert "There are 21 apps on iOS." not in answer
    _, answer = asked(slack, "new topic: how many users are there?", user=BEN)
    assert "users" in answer


def test_a_conversation_has_its_question_as_title_and_the_agent_view_its_prompts(slack: SlackServer) -> None:
    root, _ = asked(slack, "different topic: how many users do we have?")
    (titled,) = [one for one in slack.state()["sessions"] if one["thread_ts"] == root]
    assert titled["title"] == "how many users do we have?"
    slack.open_home(ANA, "messages")
    prompts = slack.wait_for(lambda: slack.state()["prompts"], "suggested prompts")[-1]["prompts"]
    assert len(prompts) == 4
    for prompt in prompts:
        _, answer = asked(slack, prompt["message"])
        assert any(letter.isdigit() for letter in answer), (prompt, answer)
