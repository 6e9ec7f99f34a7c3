"""What the orchestrator asks back or keeps to its asker, before and after an agent answers."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ai.agents.orchestrator import Orchestrator
from ai.agents.port import PrivateEvent, QuestionEvent, ReplyEvent, run_now
from ai.agents.question_context import QuestionContext
from ai.sql.rights import EVERYTHING, Rights, SourceRights
from ai.sql.thread_files import ThreadFiles
from ai.types import Readers, Request, ThreadKey
from tests.desk import Desk, open_desk

THREAD, AT = ThreadKey("T", "C", "1.1"), datetime(2026, 11, 1, tzinfo=UTC)
RIGHTS = SourceRights(Rights(tables=frozenset()), (("boss", EVERYTHING),))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with open_desk(tmp_path, rights=RIGHTS) as opened:
        yield opened


def asked(desk: Desk, request: Request, orchestrator: Orchestrator | None = None) -> list[ReplyEvent]:
    desk.memory.receive(request.thread, request.turn_id, request.text, request.user, AT)
    return list((orchestrator or desk.orchestrator).answer(request, run_now))


def request(text: str) -> Request:
    return Request("T:C:1.1", THREAD, text, "U1", AT, source="shop", roles=("boss",))


def test_what_a_file_and_the_connected_data_answer_is_asked_back(desk: Desk, tmp_path: Path) -> None:
    with closing(ThreadFiles(tmp_path / "files", {"shop": desk.database})) as files:
        files.add(THREAD, "t1", "U1", "apps.csv", b"name,platform\nInkwell,iOS\nPaper,Web\n")
        source = files.source_of(THREAD)
        assert source
        services = replace(desk.services, context=QuestionContext(desk.memory, files))
        both = replace(request("how many apps do we have?"), source=source, roles=("boss", source), connected="shop")
        (question,) = [each for each in asked(desk, both, Orchestrator(services)) if isinstance(each, QuestionEvent)]
        assert question.text == "The file and the connected data both answer this. Which do you mean?"
        assert (question.deed.of, bool(question.deed.to)) == (both.turn_id, True)


@pytest.mark.parametrize(("readers", "hidden"), [(("everybody",), 2), (("boss",), None)])
def test_names_that_readers_may_not_know_are_for_the_asker_alone(
    desk: Desk, readers: tuple[str, ...], hidden: int | None
) -> None:
    told = asked(desk, replace(request("what data do you have?"), readers=Readers(lambda: {readers: 2})))
    found = [each.hidden_from for each in told if isinstance(each, PrivateEvent)]
    assert found == ([hidden] if hidden else [])
