"""The pages that are made as a whole: `python -m tests.docs.pages` writes them anew."""

from collections.abc import Callable, Mapping

from tests.docs import command_page, troubleshooting
from tests.paths import ROOT

PAGES: Mapping[str, Callable[[], str]] = {
    "commands.md": command_page.page,
    "troubleshooting.md": troubleshooting.page,
}

if __name__ == "__main__":
    for name, made in PAGES.items():
        (ROOT / "docs" / name).write_text(made(), "utf-8")
