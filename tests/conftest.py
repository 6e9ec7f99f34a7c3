"""Which tests are slow: `make test` leaves them out, `make slow` runs them, and so does every change before it lands."""

import pytest

# Suites that start browsers, servers or dozens of processes. What a part promises at its heart is never only here.
SLOW = (
    "tests/browser/",
    "tests/contract/test_explosive_queries.py",
    "tests/contract/test_http_api.py",
    "tests/e2e/test_engine_kill.py",
    "tests/e2e/test_http_beside_slack.py",
)
SLOW_KINDS = ("[mariadb", "-mariadb", "[duckdb", "-duckdb")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(SLOW) or (
            item.nodeid.startswith("tests/contract/") and any(kind in item.nodeid for kind in SLOW_KINDS)
        ):
            item.add_marker("slow")
