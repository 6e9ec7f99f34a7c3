"""The files that are made as a whole: `python -m tests.docs.pages` writes them anew."""

from collections.abc import Callable, Mapping

from tests.docs import command_page, compose_settings, troubleshooting
from tests.paths import ROOT

PAGES: Mapping[str, Callable[[], str]] = {
    "compose.yml": compose_settings.page,
    "docs/commands.md": command_page.page,
    "docs/troubleshooting.md": troubleshooting.page,
}

if __name__ == "__main__":
    for name, made in PAGES.items():
        text = made()
        (ROOT / name).write_text(text, "utf-8")
