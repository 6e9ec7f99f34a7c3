"""Migrations only add: a bot of the release before goes on beside a store that this one has migrated."""

import ast

import pytest

from tests.architecture.source import product
from tests.paths import ROOT

SINCE = "0011"  # the first release that others are upgraded from without a stop
VERSIONS = "ai/memory/migrations/versions/"
NEW = sorted(path.name for path in (ROOT / VERSIONS).glob("*.py") if path.name[:4] > SINCE)
ADDING = {"add_column", "create_table", "create_index", "get_bind", "execute"}
TAKING = ("DROP ", "ALTER ", "RENAME ", "NOT NULL")


@pytest.mark.parametrize("name", NEW)
def test_a_migration_only_adds(name: str) -> None:
    (migration,) = [module for module in product() if module.path == VERSIONS + name]
    calls = [node for node in migration.nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    of_op = [call for call in calls if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "op"]
    assert {call.func.attr for call in of_op if isinstance(call.func, ast.Attribute)} <= ADDING
    added = [call.args[1] for call in of_op if ast.unparse(call.func) == "op.add_column"]
    assert [ast.unparse(column) for column in added if _must_be_given(column)] == []
    said = [str(node.value) for node in migration.nodes if isinstance(node, ast.Constant)]
    assert [text for text in said if any(word in text for word in TAKING)] == []


def _must_be_given(column: ast.expr) -> bool:
    """Return whether older code, which does not know a column, could not add a row."""
    assert isinstance(column, ast.Call)
    given = {keyword.arg: ast.unparse(keyword.value) for keyword in column.keywords}
    return given.get("nullable") == "False" and "server_default" not in given
