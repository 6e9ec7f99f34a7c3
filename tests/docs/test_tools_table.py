"""The page about tools holds the table of tools as it is."""

from ai.agents.toolbox.table import tools_table
from tests.paths import ROOT


def test_the_table_of_tools_is_current() -> None:
    page = (ROOT / "docs" / "tools.md").read_text("utf-8")
    assert page.endswith("\n\n" + tools_table()), "docs/tools.md is stale: run `make fix`"
