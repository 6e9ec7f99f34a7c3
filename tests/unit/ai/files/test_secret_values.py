"""Secrets outside of settings: what is taken for one in a text, and names in place of values."""

from pathlib import Path
from typing import Any

import pytest

from ai.analysts.client.endpoint import Endpoint
from ai.errors import ConfigError
from ai.files.secret_values import FilledFile, filled, from_files, passwords
from ai.files.yaml_file import YamlFile
from ai.memory.seals import fresh_keys
from ai.memory.seals.keys import SealKeys
from bot.setup.workspace_file import ApiToken, SourceConfig
from tests.cases import cases


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("secrets.jsonl")))
def test_a_secret_is_known_in_a_text(case: dict[str, Any]) -> None:
    assert {*passwords([case["value"]])} == {*case["hidden"]}


def test_values_are_put_in_and_taken_out_again(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(" from a file\n", "utf-8")
    told = {"a": ["${ONE}-$${ONE}", 5, None], "b": {"c": "$${TWO}${_THREE3}"}}
    environment = {"ONE": "first", "_THREE3_FILE": str(tmp_path / "key")}
    found = filled(YamlFile(told, {}), Path("file"), environment)
    assert found.value == {"a": ["first-${ONE}", 5, None], "b": {"c": "${TWO}from a file"}}
    assert found.used == {"ONE": "first", "_THREE3": "from a file"}
    assert found.hidden("the first is from a file") == "the ${ONE} is ${_THREE3}"
    assert from_files(["ONE", "_THREE3", "FOUR"], {"_THREE3_FILE": str(tmp_path / "key")}) == {"_THREE3": "from a file"}


@pytest.mark.parametrize(
    ("value", "lines", "said"),
    [
        ("${A}", {}, "file, : A is not set; set it, or A_FILE."),
        ({"x": ["${A}"]}, {"x.0": 7}, "file, line 7, x.0: A is not set; set it, or A_FILE."),
        ({"x": ["b", "${B} ${A}"]}, {}, "file, x.1: B and A are not set; set them, or B_FILE."),
    ],
)
def test_a_name_without_a_value_is_said_with_its_place(value: object, lines: dict[str, int], said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        filled(YamlFile(value, lines), Path("file"), {})
    assert str(refused.value) == said


@pytest.mark.parametrize(("length", "fits"), [(65_535, True), (65_536, False)])
def test_a_secret_is_at_most_so_long(tmp_path: Path, length: int, *, fits: bool) -> None:
    (tmp_path / "key").write_text("x" * length, "utf-8")
    environment = {"KEY_FILE": str(tmp_path / "key")}
    if fits:
        assert from_files(["KEY"], environment) == {"KEY": "x" * length}
    else:
        with pytest.raises(ConfigError, match="which is too long; write the secret there"):
            from_files(["KEY"], environment)


@pytest.mark.parametrize(
    "holder",
    [
        SealKeys((b"hunter22",)),
        fresh_keys(),
        Endpoint("model", "hunter22"),
        SourceConfig(url="postgresql://bot:hunter22@host/shop"),
        ApiToken(token="hunter22-hunter22", team="T1", user="U1", channels=["*"]),
    ],
    ids=lambda holder: type(holder).__name__,
)
def test_what_holds_a_secret_does_not_print_it(holder: object) -> None:
    assert "hunter22" not in repr(holder)
    assert "keys=" not in repr(holder)


def test_nothing_is_hidden_without_values() -> None:
    assert FilledFile({}, {}).hidden("plain") == "plain"
