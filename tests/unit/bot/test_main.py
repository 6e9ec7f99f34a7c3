"""The program ends with one sentence and an exit status: 2 for what people can mend, 130 where they broke it off."""

import gc
import sys
from collections.abc import Iterator

import pytest

from bot import __version__
from bot.cli.main import LOADING, main
from tests.paths import ROOT


@pytest.fixture
def arguments(request: pytest.FixtureRequest) -> Iterator[None]:
    """Set the arguments of the program; bring them and the garbage collector back to what they were."""
    before, frozen, given = gc.get_threshold(), gc.get_freeze_count() > 0, sys.argv
    sys.argv = ["datathread", *request.param]
    yield
    sys.argv = given
    gc.set_threshold(*before)
    gc.unfreeze()
    if frozen:
        gc.freeze()


@pytest.mark.usefixtures("arguments")
@pytest.mark.parametrize(
    ("arguments", "language", "status", "told"),
    [
        (["guard", "--dialect", "sqlite", "--policy", "pyproject.toml"], "en", 2, "pyproject.toml is not JSON; see"),
        (["guard", "--dialect", "sqlite", "--policy", "pyproject.toml"], "zz", 2, "pyproject.toml is not JSON; see"),
        (["restore", "tests/nowhere"], "de", 2, "tests/nowhere enthält keine Sicherung"),
        (["audit", "T1", "--seal", "x"], "en", 2, "Give a turn or a seal, not both."),
        (["nothing"], "en", 2, "No such command 'nothing'."),
        (["audit", "--nothing"], "en", 2, "No such option"),
    ],
    indirect=["arguments"],
)
def test_an_error_is_a_sentence_and_a_status(
    language: str,
    status: int,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("LANGUAGE", language)
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (status, "")
    assert told in said.err
    assert gc.get_threshold()[0] == LOADING


@pytest.mark.usefixtures("arguments")
@pytest.mark.parametrize("arguments", [["--version"]], indirect=True)
def test_a_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main()
    assert capsys.readouterr().out == f"{__version__}\n"
