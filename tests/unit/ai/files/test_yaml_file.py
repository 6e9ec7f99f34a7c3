"""YAML within its bounds: values with their lines, and a sentence with the line for what is wrong."""

from pathlib import Path
from typing import Any

import pytest

from ai.errors import ConfigError
from ai.files.yaml_file import read
from tests.cases import cases


def text_of(told: str | dict[str, int]) -> str:
    """Write out a text that is told by how deep or how long it is."""
    match told:
        case {"deep": int(depth)}:
            return "[" * depth + "]" * depth
        case {"length": int(length)}:
            return "#" * length
    return str(told)


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("yaml.jsonl")))
def test_a_file_gives_its_values_or_says_why_not(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("file.yaml")
    path.write_text(text_of(case["text"]), "utf-8")
    if "says" in case:
        with pytest.raises(ConfigError) as refused:
            read(path, "The file")
        assert str(refused.value) == case["says"]
        return
    found = read(path, "The file")
    assert case["gives"] is None or [found.value, found.lines] == case["gives"]


@pytest.mark.parametrize("content", [None, b"\xff"], ids=["not there", "not text"])
def test_what_cannot_be_read_is_said(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "file.yaml").write_bytes(content)
    with pytest.raises(ConfigError, match=r"^The file cannot be read; give a YAML file in UTF-8\.$"):
        read(tmp_path / "file.yaml", "The file")
