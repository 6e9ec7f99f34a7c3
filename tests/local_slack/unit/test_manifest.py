"""What is read out of an app's manifest, and what is said of a file that is none."""

from pathlib import Path

import pytest

from local_slack.state.demo_workspace import demo_app
from local_slack.state.entities import Command, Shortcut
from local_slack.state.manifest import ManifestError, app_from_manifest
from tests.paths import ROOT

EVERYTHING = ROOT / "tests" / "local_slack" / "contract" / "manifest.yml"


def test_a_manifest_says_what_the_app_may_and_hears() -> None:
    app = app_from_manifest(EVERYTHING, demo_app())
    assert app.scopes == (
        "app_mentions:read", "chat:write", "commands", "im:history", "files:write", "users:read",
    )  # fmt: skip
    assert app.event_types == {"app_mention", "message.im", "reaction_added"}
    assert app.commands == (Command("/ask", "Ask a question", "question"),)
    assert app.shortcuts == (
        Shortcut("explain", "Explain this answer", "message", "What it was made of"),
        Shortcut("question", "New question", "global", "Ask anywhere"),
    )


def test_our_own_manifest_is_read() -> None:
    assert "chat:write" in app_from_manifest(ROOT / "manifest.yml", demo_app()).scopes


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.json", "{", "is no valid JSON"),
        ("a.yml", "a: [", "is no valid YAML"),
        ("a.yml", "- a", "must be an object with features"),
        ("a.yml", "features: 1", "features in the manifest must be an object."),
    ],
)
def test_what_is_no_manifest_is_a_sentence(tmp_path: Path, name: str, content: str, sentence: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ManifestError, match=sentence):
        app_from_manifest(path, demo_app())


def test_a_missing_manifest_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match="cannot be read: No such file"):
        app_from_manifest(tmp_path / "none.yml", demo_app())
