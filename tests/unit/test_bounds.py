"""Each setting with its default, the outermost values that it takes, and the next ones, which it refuses by its name."""

from pathlib import Path
from typing import Any

import pytest

from ai.errors import ConfigError
from config import SECRETS, Settings, load
from tests.cases import cases

BOUNDS = cases(Path(__file__).with_name("bounds.jsonl"))


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_every_setting_is_here() -> None:
    lines = [case.values[0] for case in BOUNDS]
    assert [line["case"] for line in lines] == [name.upper() for name in Settings.model_fields]


@pytest.mark.parametrize("case", BOUNDS)
def test_a_setting_has_its_default_and_its_bounds(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    name, field = case["case"], case["case"].lower()
    found = getattr(load(), field)
    assert (str(found) if isinstance(found, Path) else found) == case["default"]
    for value in case.get("takes", ()):
        monkeypatch.setenv(name, str(value))
        assert getattr(load(), field) == value
    for value in case.get("refuses", ()):
        monkeypatch.setenv(name, str(value))
        with pytest.raises(ConfigError, match=f"^{name} is '{value}': "):
            load()


def test_secrets_are_shown_to_nobody() -> None:
    lines = [case.values[0] for case in BOUNDS]
    secret = {line["case"] for line in lines if line.get("secret")}
    settings = load()
    for line in lines:
        object.__setattr__(settings, line["case"].lower(), f"<{line['case']}>")
    hidden = {line["case"] for line in lines if f"<{line['case']}>" not in repr(settings)}
    assert hidden == {*SECRETS} == secret
