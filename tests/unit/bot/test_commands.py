"""Commands of the command line in this process, on files that a line of `commands.jsonl` writes before."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bot.cli.main import commands
from tests.cases import cases
from tests.desk import shop


def holds(told: Any, wanted: Any) -> bool:
    """Whether everything wanted is in what was told; other fields do not matter."""
    if isinstance(wanted, dict):
        return isinstance(told, dict) and all(holds(told.get(name), value) for name, value in wanted.items())
    return bool(told == wanted)


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("commands.jsonl")))
def test_a_command_does_what_it_says(case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    for name, lines in case.get("files", {}).items():
        text = lines if isinstance(lines, str) else "".join(f"{json.dumps(line)}\n" for line in lines)
        Path(name).write_text(text, "utf-8")
    environment = {"DATA_DIR": "data", **case.get("set", {})}
    for earlier in case.get("after", []):
        assert CliRunner().invoke(commands, earlier, env=environment).exit_code == 0
    done = CliRunner().invoke(commands, case["run"], env=environment)
    assert done.exit_code == case.get("status", 0), done.output
    told = done.output if done.exception is None or isinstance(done.exception, SystemExit) else str(done.exception)
    assert [text for text in case.get("says", []) if text not in told] == [], told
    written = [json.loads(line) for line in Path("out").read_text("utf-8").splitlines()] if "out" in case else []
    assert [pattern for pattern in case.get("leaves", []) if not [*tmp_path.glob(pattern)]] == []
    assert len(written) == len(case.get("out", []))
    assert [
        (one, wanted) for one, wanted in zip(written, case.get("out", []), strict=True) if not holds(one, wanted)
    ] == []
