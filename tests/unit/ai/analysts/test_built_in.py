"""The built-in analyst behind the port."""

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from ai.analysts.built_in import BuiltInAnalyst
from ai.analysts.port import SQL_QUERY, TAKEN, AskBack, CannotAnswer, Draft, Proposal, Question
from ai.analysts.registry import open_thinkers
from ai.errors import ConfigError
from ai.memory.prompt import ThreadPart
from ai.results.table import ResultColumn, ResultTable
from ai.sql.database import Database
from ai.sql.guard import check
from ai.types import AnsweredQuery, LoggedMessage, Role, ThreadKey
from tests.cases import cases
from tests.unit.ai.nl2sql.store import open_store

HERE = Path(__file__).parent
ANALYST = BuiltInAnalyst()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_store(tmp_path_factory.mktemp("store"))


def ask(store: Database, text: str, *past: AnsweredQuery) -> Question:
    return Question(text, store.catalog(), date(2026, 11, 22), past=past)


def asked_before(question: Question, draft: Draft) -> AnsweredQuery:
    return AnsweredQuery(
        id=1,
        thread=ThreadKey("T", "C", "1.0"),
        turn_id="T:C:1.0",
        source="store",
        question=question.text,
        sql=draft.sql,
        reading=draft.reading,
        meaning=draft.meaning,
        analyst=ANALYST.name,
        row_count=1,
        truncated=False,
        headline="",
        result=None,
        elapsed_ms=1,
        created_at=datetime(2026, 11, 22, tzinfo=UTC),
    )


def drafted(question: Question) -> Draft:
    found = ANALYST.write_sql(question)
    assert isinstance(found, Draft), found
    return found


@pytest.mark.parametrize("case", cases(HERE / "routes.jsonl"))
def test_route(case: dict[str, Any], store: Database) -> None:
    past: tuple[AnsweredQuery, ...] = ()
    if "after" in case:
        before = ask(store, case["after"])
        past = (asked_before(before, drafted(before)),)
    assert ANALYST.route(ask(store, case["text"], *past)).intent == case["intent"]


def test_a_follow_up_edits_the_meaning_that_came_back(store: Database) -> None:
    first = ask(store, "how many apps do we have?")
    then = drafted(ask(store, "what about iOS?", asked_before(first, drafted(first))))
    assert then.reading == "number of apps where platform is iOS"


def test_a_meaning_of_another_analyst_is_left_alone(store: Database) -> None:
    first = ask(store, "how many apps do we have?")
    foreign = replace(asked_before(first, drafted(first)), meaning={"model": "x"})
    assert isinstance(ANALYST.write_sql(ask(store, "what about iOS?", foreign)), CannotAnswer)


def test_what_was_assumed_stands_in_the_reading(store: Database) -> None:
    draft = drafted(ask(store, "Germny installs"))
    assert draft.assumptions
    assert all(assumption in draft.reading for assumption in draft.assumptions)


def test_an_ambiguous_word_is_asked_back_with_answers_that_work(store: Database) -> None:
    found = ANALYST.write_sql(ask(store, "how many apps in Germany?"))
    assert isinstance(found, AskBack)
    assert len(found.options) == 2
    for option in found.options:
        drafted(ask(store, option))


def said(*messages: tuple[Role, str]) -> ThreadPart:
    """A thread with these messages and nothing else."""
    at = datetime(2026, 11, 22, tzinfo=UTC)
    lines = [
        LoggedMessage(ThreadKey("T", "C", "1.0"), number, f"T:C:{number}", role, text, "", 1, at)
        for number, (role, text) in enumerate(messages)
    ]
    return ThreadPart(tuple(lines))


@pytest.mark.parametrize(
    "text", ["apps made of cheese", "revenue in Atlantis last month", "list airports with flights"]
)
def test_an_honest_no_offers_what_answers_when_it_is_picked(store: Database, text: str) -> None:
    found = ANALYST.write_sql(ask(store, text))
    assert isinstance(found, AskBack)
    assert len(set(found.options)) == len(found.options) > 0
    before = said(("user", text), ("assistant", found.text))
    picked = [drafted(replace(ask(store, option), thread_part=before)).sql for option in found.options]
    assert len(set(picked)) == len(picked)


def test_a_second_refusal_is_worded_anew_and_names_its_cause(store: Database) -> None:
    found = ANALYST.write_sql(ask(store, "apps made of cheese"))
    assert isinstance(found, AskBack)
    before = said(("user", "apps made of cheese"), ("assistant", found.text))
    again = ANALYST.write_sql(replace(ask(store, "how many apps are made of cheese?"), thread_part=before))
    assert isinstance(again, AskBack)
    assert again.text != found.text
    assert "cheese" in again.text
    told = said(("user", "apps made of cheese"), ("assistant", "\n".join((found.text, *again.options))))
    last = ANALYST.write_sql(replace(ask(store, "how many apps are made of cheese?"), thread_part=told))
    assert isinstance(last, CannotAnswer)
    assert "cheese" in last.reason
    for suggestion in last.suggestions:
        drafted(ask(store, suggestion))


@pytest.mark.parametrize("case", cases(HERE / "refused.jsonl"))
def test_after_a_refusal_a_whole_question_is_answered_and_a_step_refused_for_its_own_words(
    case: dict[str, Any], store: Database
) -> None:
    lines: list[tuple[Role, str]] = []
    past: tuple[AnsweredQuery, ...] = ()
    told = []
    for number, text in enumerate(case["thread"]):
        question = replace(ask(store, text, *past), thread_part=said(*lines))
        found = ANALYST.write_sql(question)
        told.append("" if isinstance(found, Draft) else found.text if isinstance(found, AskBack) else found.reason)
        if isinstance(found, Draft):
            past = (replace(asked_before(question, found), turn_id=f"T:C:{2 * number}"), *past)
        lines += [("user", text), ("assistant", told[-1] or "an answer")]
    if "reads" in case:
        assert isinstance(found, Draft), told
        assert found.reading.split(" (")[0] == case["reads"]
    else:
        assert all(heard.startswith(why) for heard, why in zip(told, case["says"], strict=True)), told
        assert len(set(told)) == len(told)


def result_of(draft: Draft, store: Database) -> ResultTable:
    with store.run(check(draft.sql, store.catalog())) as stream:
        rows = tuple(tuple(row) for batch in stream.batches for row in batch)
        return ResultTable(tuple(ResultColumn(column.name) for column in stream.columns), rows, len(rows))


@pytest.mark.parametrize("case", cases(HERE / "follow_ups.jsonl"))
def test_an_open_reading_is_picked_or_changed(case: dict[str, Any], store: Database) -> None:
    lines: list[tuple[Role, str]] = []
    past: tuple[AnsweredQuery, ...] = ()
    for number, text in enumerate(case["thread"]):
        question = replace(ask(store, text, *past), thread_part=said(*lines))
        assert ANALYST.route(question).intent == SQL_QUERY
        found = answered(question, store)
        if isinstance(found, Draft):
            past = (replace(asked_before(question, found), turn_id=f"T:C:{2 * number}"), *past)
        lines += [("user", text), ("assistant", found.text if isinstance(found, AskBack) else "an answer")]
    assert isinstance(found, Draft), found
    assert found.reading == case["reads"]
    kept = found.meaning.get(TAKEN) if isinstance(found.meaning, dict) else None
    assert kept == case.get("taken")


def answered(question: Question, store: Database) -> Proposal:
    """Return what is told after the query ran."""
    found = ANALYST.write_sql(question)
    if not isinstance(found, Draft):
        return found
    return ANALYST.doubt(question, result_of(found, store)) or found


def test_it_does_not_pretend_to_repair(store: Database) -> None:
    question = ask(store, "how many apps do we have?")
    assert isinstance(ANALYST.repair_sql(question, drafted(question), "no such table"), CannotAnswer)


def test_the_number_stands_in_the_sentence(store: Database) -> None:
    question = ask(store, "how many apps do we have?")
    result = ResultTable((ResultColumn("app_count"),), ((49,),), 1)
    assert "".join(ANALYST.phrase(question, drafted(question), result)) == "There are 49 apps."


def test_a_result_without_our_meaning_is_still_told(store: Database) -> None:
    result = ResultTable((ResultColumn("x"),), (("a",), ("b",)), 2)
    told = ANALYST.phrase(ask(store, "anything"), Draft("no SQL", ""), result)
    assert "".join(told) == r"There are 2 rows\: a and b."


def test_registry() -> None:
    with open_thinkers("built_in") as thinkers:
        assert thinkers.analyst.name == ANALYST.name
    with pytest.raises(ConfigError, match="built_in"):
        open_thinkers("oracle")
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"), open_thinkers("language_model"):
        pass


def test_choices_are_named_in_plain_words_or_not_offered(store: Database) -> None:
    text = "revenue by app in november compared with october sorted by change"
    found = ANALYST.write_sql(ask(store, text))
    assert isinstance(found, AskBack)
    assert found.options
    assert not [option for option in found.options if "CASE WHEN" in option or " = (" in option]
