"""A real browser for tests: pages that a person opens, and the complaints of the browser, of which none is tolerated."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from local_slack.testing import ANA, GENERAL, SlackServer
from tests.paths import ARTIFACTS

_PATIENCE_MS = 20_000  # how long a loaded machine may take for a step that takes milliseconds
_FLAGS = [
    "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--process-per-site", "--in-process-gpu",
]  # fmt: skip


@contextmanager
def chromium() -> Iterator[Browser]:
    """The installed Chromium; skips the test by name where there is none."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("chromium is not installed")
    expect.set_options(timeout=_PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=_FLAGS)
        browser.new_context(viewport={"width": 1280, "height": 860})
        yield browser
        browser.close()


class Visitors:
    """Opens the page as people, and collects everything the browser complains about.

    Pages of the usual shape share one context, whose cache makes them quick; `with_own` options get a context of their own.
    """

    def __init__(self, browser: Browser, slack: SlackServer) -> None:
        self._browser = browser
        self._slack = slack
        self._opened: list[Page | BrowserContext] = []
        self.complaints: list[str] = []

    def visit(self, person: str = ANA, channel: str = GENERAL, *, thread: str | None = None, **with_own: Any) -> Page:
        """The page of one person, loaded; `with_own` are Playwright's options of a browser context."""
        page = self._context(with_own).new_page()
        page.set_default_timeout(_PATIENCE_MS)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._listen)
        self._opened.append(page)
        place = {"as": person, "channel": channel} | ({"thread": thread} if thread else {})
        page.goto(f"{self._slack.url}/#{urlencode(place)}")
        expect(page.locator("#act-as")).to_have_value(person)
        return page

    def forgive(self, *expected: str) -> None:
        """Drop the complaints that a test provokes on purpose."""
        self.complaints = [line for line in self.complaints if not any(words in line for words in expected)]

    def leave(self) -> None:
        for opened in reversed(self._opened):
            opened.close()

    def _context(self, options: dict[str, Any]) -> BrowserContext:
        if not options:
            return self._browser.contexts[0]
        context = self._browser.new_context(**options)
        self._opened.append(context)
        return context

    def _listen(self, line: ConsoleMessage) -> None:
        if line.type in {"error", "warning"}:
            self.complaints.append(line.text)


@contextmanager
def visiting(browser: Browser, slack: SlackServer) -> Iterator[Visitors]:
    """Visitors who leave at the end, and of whom the browser may not complain."""
    visitors = Visitors(browser, slack)
    try:
        yield visitors
    finally:
        visitors.leave()
    assert visitors.complaints == [], visitors.complaints


def screenshot(page: Page, name: str) -> None:
    """Keep a picture of the page, with its animations standing still."""
    page.screenshot(path=ARTIFACTS / "screenshots" / f"{name}.png", animations="disabled")
