"""What of a kept query somebody may hear: whatever cannot be judged any more is kept back."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ai.agents.rights.audience import UNKNOWN, Audience, AudienceFilter
from ai.errors import NotAllowed
from ai.memory.prompt import AUTHOR
from ai.memory_store import QueryOrigin
from ai.sql.rights import EVERYTHING, Rights, SourceRights
from ai.types import AnsweredQuery, Disclosed, Request, ThreadKey
from tests.cases import cases
from tests.desk import Desk, open_desk

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


MARKED = "SELECT name FROM apps"


def told(desk: Desk, turn_id: str, sqls: Sequence[str], *, fails: bool = False, mark: str | None = None) -> None:
    """Log a turn of somebody: its question, its queries, and its answer."""
    memory = desk.memory
    memory.receive(THREAD, turn_id, f"question of {turn_id}", "U1", AT)
    for number, sql in enumerate(sqls):
        origin = QueryOrigin(THREAD, turn_id, f"part {number}", "shop", "q", "built-in")
        query = memory.save_query(origin, sql, "", None)
        if fails:
            memory.fail_query(query, "it failed")
            continue
        own = desk.database.seen_by(["everybody"]).check(sql).mark if mark is None else mark
        with desk.database.run(desk.database.check("SELECT name FROM apps")) as stream:
            columns, blocks = stream.columns, list(stream.blocks)
        results = memory.parts.results.under(own)
        kept = results.keep(f"q{query}", columns, blocks, max_rows=9, max_bytes=9_999)
        memory.finish_query(query, kept, 1, "x")
    memory.add_reply(THREAD, turn_id, f"answer of {turn_id}")


def test_answers_are_heard_by_those_who_may_see_all_their_queries(tmp_path: Path) -> None:
    with open_desk(tmp_path, rights=RIGHTS) as desk:
        told(desk, "own", [MARKED])
        told(desk, "of others", [MARKED], mark="another")
        told(desk, "of both", [MARKED, MARKED], mark="another")
        told(desk, "words alone", [])
        told(desk, "failed", [MARKED], fails=True)
        heard = AudienceFilter(desk.memory, desk.audience)
        lines = [*desk.memory.history(THREAD)]
        summary = replace(lines[0], turn_id="summary", author=AUTHOR, content="what was said")
        request = Request("t", THREAD, "q", "U1", AT, "shop", roles=("everybody",))
        names = ["own", "of others", "of both", "words alone", "failed"]
        allowed = [line.content for line in heard.allowed([*lines, summary], request)]
        assert [words for words in allowed if words.startswith("question")] == [f"question of {one}" for one in names]
        assert [words for words in allowed if not words.startswith("question")] == ["answer of own"]
        boss = replace(request, roles=("boss",))
        assert len(heard.allowed([*lines, summary], boss)) == len(lines) + 1


def test_whose_queries_are_told_of_is_noted(tmp_path: Path) -> None:
    with open_desk(tmp_path, rights=RIGHTS) as desk:
        told(desk, "own", [MARKED])
        heard = AudienceFilter(desk.memory, desk.audience)
        boss = Request("t", THREAD, "q", "U1", AT, "shop", roles=("boss",))
        question, answer = desk.memory.history(THREAD)
        heard.told([question], boss)
        assert (boss.disclosed.queries, boss.disclosed.summaries) == ([], False)
        heard.told([question, answer], boss)
        assert [one.sql for one in boss.disclosed.queries] == [MARKED]
        assert not boss.disclosed.summaries
        told(desk, "failed", [MARKED], fails=True)
        heard.told([each for each in desk.memory.history(THREAD) if each.turn_id == "failed"], boss)
        assert len(boss.disclosed.queries) == 1


def test_rows_of_other_rights_are_not_seen_while_they_are_kept(tmp_path: Path) -> None:
    with open_desk(tmp_path, rights=RIGHTS) as desk:
        told(desk, "of others", [MARKED], mark="another")
        (query,) = desk.memory.queries(THREAD, 1)
        desk.audience.check_sql(query, ["everybody"])
        with pytest.raises(NotAllowed):
            desk.audience.check_rows(query, ["everybody"])
        desk.audience.check_rows(replace(query, result=None), ["everybody"])
        told(desk, "own", [MARKED])
        own, _ = desk.memory.queries(THREAD, 2)
        assert [desk.audience.sight(one, ["everybody"]) for one in (own, query)] == ["all", "sql"]
