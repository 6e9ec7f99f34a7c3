"""The workspace file: what a line of `workspace_files.jsonl` gives, with all defaults, or the sentence it is refused with."""

import json
from pathlib import Path
from typing import Any

import pytest

from ai.errors import ConfigError
from bot.setup import load_workspace
from config import load
from tests.cases import cases

FILES = Path(__file__).with_name("workspace_files.jsonl")
NOTHING = json.loads(FILES.read_text("utf-8").splitlines()[0])["gives"]
SHOP = {"sources": {"shop": {"url": "sqlite:///shop.db"}}}


@pytest.mark.parametrize("case", cases(FILES))
def test_a_file_is_read_or_refused(case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "workspace.yml"
    file.write_text(json.dumps({**SHOP, **case["file"]}), "utf-8")
    settings = load(config_file=file)
    if "said" in case:
        with pytest.raises(ConfigError) as error:
            load_workspace(settings)
        assert str(error.value) == f"{file}: {case['said']}"
        return
    assert load_workspace(settings).model_dump() == {**NOTHING, **case["gives"]}
