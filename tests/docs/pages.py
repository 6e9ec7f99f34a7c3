"""The files that are made from the code, whole or in part: `python -m tests.docs.pages` writes them anew."""

from collections.abc import Callable, Mapping
from functools import partial

from benchmarks.report.page import page
from benchmarks.report.rows import Report
from tests.docs import command_page, compose_settings, package_weights, tables, troubleshooting
from tests.paths import ROOT

PAGES: Mapping[str, Callable[[], str]] = {
    "compose.yml": compose_settings.page,
    "docs/benchmarks.md": lambda: page(Report.read(ROOT / "docs/benchmarks.json")),
    "docs/commands.md": command_page.page,
    "docs/troubleshooting.md": troubleshooting.page,
    **{name: partial(tables.page, name) for name in tables.TABLES},
}

MEASURED = {"docs/packages.md": package_weights.page}  # differs a little by machine

if __name__ == "__main__":
    for name, made in {**PAGES, **MEASURED}.items():
        text = made()
        (ROOT / name).write_text(text, "utf-8")
