"""What tests over the wire share. Without playwright there is no browser, and its modules skip themselves by name."""

from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from tests.services import bot, slack

__all__ = ["bot", "slack"]

if find_spec("playwright"):
    from playwright.sync_api import Browser

    from tests.local_slack.browser.chromium import chromium
    from tests.local_slack.browser.fixtures import visitors

    __all__ += ["browser", "visitors"]

    @pytest.fixture(scope="module")  # its event loop would stand in the way of other modules
    def browser() -> Iterator[Browser]:
        with chromium() as running:
            yield running
