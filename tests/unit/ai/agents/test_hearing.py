"""What of a kept query somebody may hear: whatever cannot be judged any more is kept back."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ai.agents.rights.audience import UNKNOWN, Audience
from ai.errors import NotAllowed
from ai.sql.rights import EVERYTHING, Rights, SourceRights
from ai.types import AnsweredQuery, Disclosed, Request, ThreadKey
from tests.cases import cases
from tests.desk import open_desk

RIGHTS = SourceRights(
    Rights(tables=frozenset({"apps", "teams"}), rows={"apps": "platform = 'iOS'"}),
    (("boss", EVERYTHING), ("nobody", Rights(tables=frozenset()))),
)
THREAD, AT = ThreadKey("T", "C", "1.0"), datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def audiences(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[bool, Audience]]:
    """The audience of a source with rights, and of one without."""
    divided, plain = (tmp_path_factory.mktemp(name) for name in ("divided", "plain"))
    with open_desk(divided, rights=RIGHTS) as one, open_desk(plain) as other:
        yield {True: one.audience, False: other.audience}


def kept(case: dict[str, Any]) -> AnsweredQuery:
    return AnsweredQuery(
        id=1, turn_id="t", thread=THREAD, question="q", analyst="built-in", created_at=AT, source=case["source"], sql=case["sql"],
        result=case.get("result"),
    )  # fmt: skip


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("hearing.jsonl")))
def test_what_is_heard_of_a_kept_query(audiences: dict[bool, Audience], case: dict[str, Any]) -> None:
    audience, query, roles = audiences[case.get("divided", True)], kept(case), [case["role"]]
    assert audience.sight(query, roles) == case["sees"]
    told = Disclosed(case["source"], case["sql"], case.get("mark"))
    assert audience.hides(told, roles) is case["hides"]
    assert len(audience.shown([query], roles)) == (case["sees"] != "nothing")
    if case["sees"] == "all":
        audience.check_rows(query, roles)
    if case["sees"] == "nothing":
        with pytest.raises(NotAllowed):
            audience.check_sql(query, roles)
    else:
        audience.check_sql(query, roles)


def test_a_source_that_is_gone_is_wholly_hidden(audiences: dict[bool, Audience]) -> None:
    audience = audiences[True]
    assert [audience.restricts(source, ["boss"]) for source in ("gone", "shop")] == [True, False]
    assert [audience.restricts("shop", ["everybody"]), audience.divides("gone"), audience.divides("shop")] == [
        True,
        False,
        True,
    ]
    assert not audiences[False].divides("shop")
    gone = kept({"source": "gone", "sql": "SELECT name FROM apps"})
    narrowed = kept({"source": "shop", "sql": "SELECT name FROM apps"})
    assert [audience.narrows(one, ["everybody"]) for one in (gone, narrowed)] == [False, True]
    assert not audience.narrows(narrowed, ["boss"])


def test_rows_under_the_same_rights_are_not_hidden(audiences: dict[bool, Audience]) -> None:
    sql = "SELECT name FROM apps"
    mark = audiences[True].sources["shop"].seen_by(["everybody"]).check(sql).mark
    assert not audiences[True].hides(Disclosed("shop", sql, mark), ["everybody"])
    assert audiences[True].hides(Disclosed("shop", sql, mark + "0"), ["everybody"])


@pytest.mark.parametrize("divided", [True, False])
def test_looks_and_words_are_noted_where_something_is_kept_back(
    audiences: dict[bool, Audience], *, divided: bool
) -> None:
    request = Request("t", THREAD, "q", "U1", AT, "shop", roles=("boss",))
    entry = audiences[divided].access(request, "told", "modal")
    assert (entry is not None) is divided
    assert entry is None or (entry.person, entry.right) == ("U1", "boss")
    query = kept({"source": "shop", "sql": "SELECT name FROM apps"})
    audiences[divided].note(query, request)
    audiences[divided].note(query, request, rows=False)
    noted = [Disclosed("shop", query.sql, UNKNOWN), Disclosed("shop", query.sql, None)]
    assert request.disclosed.queries == (noted if divided else [])
