"""Before any answer, a file, a chart or the SQL of one is refused by what is open."""

from collections.abc import Callable

import pytest

from ai.analysts.port import AskBack, CannotAnswer
from tests.desk import Desk
from tests.fakes import ScriptedAnalyst

OF_AN_ANSWER = (
    "show me the SQL",
    "export this as csv",
    "plot it",
    "explain this answer",
    "both results in one workbook",
)


@pytest.mark.parametrize("asked", OF_AN_ANSWER)
@pytest.mark.parametrize(
    ("drafts", "said"),
    [
        (
            [AskBack("Which?", ("apps", "teams"))],
            "“names?” has no answer yet, because I asked back whether you mean “apps”",
        ),
        ([AskBack("Names of what?", ())], "“names?” has no answer yet, because I asked back what it means; say"),
        ([CannotAnswer("I know no names.")], "I could not answer “names?”, so there is nothing of it to show"),
        ([], "Nothing has been asked in this thread yet"),
    ],
)
def test_what_is_open_is_named(
    open_desk: Callable[..., Desk], drafts: list[AskBack | CannotAnswer], said: str, asked: str
) -> None:
    desk = open_desk(ScriptedAnalyst(list(drafts)))
    if drafts:
        desk.orchestrator.process_message("names?", "1.0")
    assert said in desk.orchestrator.process_message(asked, "1.0").text
