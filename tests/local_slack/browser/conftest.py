"""Marks all tests here as `browser`. Without playwright there are no fixtures, and the modules skip themselves by name."""

from importlib.util import find_spec
from pathlib import Path

import pytest

if find_spec("playwright"):
    from tests.local_slack.browser.fixtures import app_server, bot, browser, server, session, slack, visitors, window

    __all__ = ["app_server", "bot", "browser", "server", "session", "slack", "visitors", "window"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")
