"""What the engine recorded of a turn is forgotten with it."""

from pathlib import Path
from threading import Event

import pytest

from ai.errors import QueryFailed
from ai.stopping import Stop
from ai.types import Step
from bot.engine import forget_turns
from tests.unit.bot.engine.conftest import Run, thread, turn_id
from tests.wait import until

SECRET = "zebrafish"


def found_in(folder: Path, words: str) -> int:
    return sum(file.read_bytes().count(words.encode()) for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("all_of_them", [False, True])
def test_no_byte_of_a_failed_step_is_left(run: Run, folder: Path, all_of_them: bool) -> None:
    first, second = turn_id(thread(1)), turn_id(thread(2))
    url, go = f"sqlite:///{folder}/engine.sqlite", Event()

    def fail(turn: str, step: Step, stop: Stop) -> str:
        def quote() -> None:
            raise QueryFailed(f'syntax error at or near "{SECRET} {turn}"')

        with pytest.raises(QueryFailed):
            step("execute", quote)
        go.wait(20)
        return "failed"

    with run(fail) as engine:
        engine.enqueue(first, thread(1))
        engine.enqueue(second, thread(2))
        until(lambda: found_in(folder, f"{SECRET} {first}") and found_in(folder, f"{SECRET} {second}"))
        go.set()
        until(lambda: not engine.store.unfinished())
        assert forget_turns(url, None if all_of_them else [first])
        assert not found_in(folder, f"{SECRET} {first}")
        assert bool(found_in(folder, second)) is not all_of_them
    assert not found_in(folder, f"{SECRET} {first}")


def test_where_no_engine_was_there_is_nothing_to_forget(tmp_path: Path) -> None:
    assert forget_turns(f"sqlite:///{tmp_path}/engine.sqlite", ["T1:C1:1.0"])
    assert list(tmp_path.iterdir()) == []
