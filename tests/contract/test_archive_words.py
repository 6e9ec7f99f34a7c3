"""Archives, exports and forgetting by plain words and by the buttons under them: each case is a line of steps."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ai.agents.port import Answer, QuestionEvent, run_now
from ai.types import Request
from tests.cases import cases
from tests.desk import Desk, open_desk
from tests.memories import THREAD

SAID = ("We decided that pricing stays at 49 dollars", "how many apps are there?", "which platforms are there?")


def say(desk: Desk, text: str, user: str = "U1") -> Answer:
    at = datetime.now(UTC)
    request = Request(f"T1:C1:{at.timestamp()}", THREAD, text, user, at, "shop")
    desk.memory.receive(THREAD, request.turn_id, text, user, at)
    return Answer(tuple(desk.orchestrator.answer(request, run_now)))


def asks(answer: Answer) -> list[str]:
    return [ask for event in answer.events if isinstance(event, QuestionEvent) for ask in event.asks]


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("archive_words.jsonl")))
def test_archives_by_words(case: dict[str, Any], tmp_path: Path) -> None:
    with open_desk(tmp_path) as desk:
        for text in () if case.get("empty") else SAID:
            say(desk, text)
        before = desk.memory.archives.everything(THREAD)
        answer = Answer(())
        for step in case["steps"]:
            text = asks(answer)[step["press"]] if "press" in step else step["ask"]
            answer = say(desk, text, step.get("by", "U1"))
            assert [part for part in step.get("says", ()) if part not in answer.text] == [], answer.text
            assert [part for part in step.get("lacks", ()) if part in answer.text] == [], answer.text
            assert not step.get("button") or asks(answer)[0].startswith(step["button"]), asks(answer)
        kept = desk.memory.archives.everything(THREAD)
        assert kept[: len(before)] == before or "forgotten" in case["case"], "archiving never touches the log"
