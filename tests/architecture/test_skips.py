"""A skip that is not named fails, of a test and of a whole file; one that is named stays a skip."""

from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.skips import ALLOWED, NamedSkips

TESTS = """
import pytest

def test_one():
    pytest.skip("nobody knows why")

@pytest.mark.skipif(True, reason="a whim")
def test_two(): ...

@pytest.mark.xfail(reason="known")
def test_three():
    assert False
"""


class Heard:
    """What became of tests and files that did not pass."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome != "passed":
            self.found[report.nodeid.rpartition("::")[2]] = report.outcome

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.outcome != "passed":
            self.found[Path(report.nodeid).name] = report.outcome


def test_a_skip_that_nobody_named_fails(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS, "utf-8")
    (tmp_path / "test_file.py").write_text("import pytest\npytest.importorskip('nothing_of_this_name')\n", "utf-8")
    (tmp_path / "test_named.py").write_text("import pytest\ndef test_four(): pytest.skip('it rains')\n", "utf-8")
    heard, named = Heard(), NamedSkips([{"test": "test_named.py", "reason": "it rains"}])
    options = [
        "-q",
        "-c",
        "/dev/null",
        f"--rootdir={tmp_path}",
        "--continue-on-collection-errors",
        "-p",
        "no:cacheprovider",
    ]
    pytest.main([*options, "-p", "no:xdist", str(tmp_path)], plugins=[heard, named])
    assert heard.found == {
        "test_one": "failed",
        "test_two": "failed",
        "test_three": "skipped",
        "test_file.py": "failed",
        "test_four": "skipped",
    }


def test_the_list_names_tests_that_exist() -> None:
    assert [line["test"] for line in ALLOWED if not (ROOT / line["test"]).exists()] == []
    assert len({(line["test"], line["reason"]) for line in ALLOWED}) == len(ALLOWED)
