"""Stores of an earlier shape: their rows are taken over, on either database."""

from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import create_engine, text

from ai.memory_store import QueryOrigin
from ai.types import AnsweredQuery, AskedBack, Declined, DraftQuery, FailedQuery
from tests.memories import THREAD, migrate, opened, turn


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_what_stood_among_the_queries_is_taken_over(tmp_path: Path, kind: str, request: pytest.FixtureRequest) -> None:
    url = f"sqlite:///{tmp_path / 'state.sqlite'}"
    if kind == "postgres":
        url = request.getfixturevalue("server").new_database()
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        migrate(connection, command.upgrade, "0006")
        for statement in Path(__file__).with_name("kept_in_0006.sql").read_text("utf-8").split(";\n"):
            connection.execute(text(statement.replace(":", "\\:")))
    engine.dispose()
    with opened(tmp_path, url=url) as memory:
        failed, answered, asked, declined, draft = (memory.outcome(number) for number in (1, 2, 5, 6, 7))
        assert isinstance(failed, FailedQuery)
        assert isinstance(answered, AnsweredQuery)
        assert isinstance(asked, AskedBack)
        assert isinstance(declined, Declined)
        assert isinstance(draft, DraftQuery)
        assert (failed.sql, failed.problem) == ("SELECT zebra", "no such column: zebra")
        assert (answered.headline, answered.result, answered.meaning) == ("49", "q2", {"count": "apps"})
        assert (asked.text, asked.options) == ("Which date?", ("order date", "ship date"))
        assert (declined.reason, declined.suggestions) == ("There is no weather here.", ())
        assert memory.answers.phrasing(turn(1)) == "There are 49 apps."
        kept = memory.receipts.of_turn(turn(1))
        assert kept is not None
        assert (kept.fields, kept.problems) == ({"query_id": 2, "seal": "abc123"}, ())
        assert memory.queries(THREAD) == (answered,)
        assert memory.save_refusal(QueryOrigin(THREAD, turn(9), "write_sql", "shop", "x", "y"), "No.", ()) > 0
