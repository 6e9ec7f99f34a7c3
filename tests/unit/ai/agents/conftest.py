"""Desks of one test, closed at its end."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from ai.analysts.port import Analyst
from ai.sql.database import QueryLimits
from tests import desk
from tests.desk import Desk


@pytest.fixture
def open_desk(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    with ExitStack() as opened:

        def build(analyst: Analyst | None = None, limits: QueryLimits | None = None, **how: Any) -> Desk:
            return opened.enter_context(desk.open_desk(tmp_path, analyst, limits, **how))

        yield build
