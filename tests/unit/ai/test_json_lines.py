"""Files of JSON lines: numbered, separators of Unicode within a text kept, and one sentence for what cannot be read."""

import json
from pathlib import Path

import pytest

from ai.errors import ConfigError
from ai.files.json_lines import numbered, written


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    objects: list[dict[str, object]] = [{"id": 1}, {"text": "one\u2028line\u0085still"}]
    assert written(objects, file) == 2
    assert [json.loads(line) for _, line in numbered(file)] == objects


def test_blank_lines_count_and_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    file.write_bytes(b"\n{}\r\n \n[]")
    assert [(number, json.loads(line)) for number, line in numbered(file)] == [(2, {}), (4, [])]


@pytest.mark.parametrize("content", [b"\xff\xfe", None], ids=["not text", "not there"])
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "items.jsonl"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigError, match="cannot be read; give a file of JSON lines"):
        list(numbered(file))
