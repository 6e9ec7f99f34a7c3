"""The mutants: the ledger names ones that exist, and a change goes into the functions of this process."""

import json
from ast import parse, unparse
from collections import Counter
from dataclasses import replace
from pathlib import Path

from ai.sql.rights import Rights
from tests.mutants.forbidden import ROOMS, forbidden
from tests.mutants.lines import Lines
from tests.mutants.mutant import Mutant, files
from tests.mutants.operators import usual
from tests.mutants.trial import loaded_functions, put_in
from tests.mutants.verdicts import LEDGER, accepted, killers
from tests.paths import ROOT

GRANTS = "ai/sql/rights/grants.py"


def test_the_ledger_names_mutants_that_exist_and_why_they_stay() -> None:
    lines = [json.loads(line) for line in LEDGER.read_text("utf-8").splitlines()]
    paths = {line["mutant"].partition(":")[0] for line in lines}
    known = {mutant.name for mutant in (*forbidden(), *usual(path for path in paths if (ROOT / path).exists()))}
    assert [line["mutant"] for line in lines if line["mutant"] not in known] == []
    assert all(line["reason"].endswith(".") for line in lines)
    assert max(Counter(line["mutant"] for line in lines).values(), default=1) == 1


def test_every_room_holds_branches_that_say_no() -> None:
    found = [mutant.path for mutant in forbidden()]
    assert [room for room in ROOMS if not any(Path(path).is_relative_to(room) for path in found)] == []
    assert all((ROOT / room).exists() and [*files(room)] for room in ROOMS)


def test_a_mutant_goes_into_the_functions_and_out_again() -> None:
    rights = Rights(tables=frozenset({"a"}))
    functions = loaded_functions()
    codes = [(function, function.__code__) for found in functions.values() for function in found]
    try:
        assert put_in(_named(f"{GRANTS}:Rights.allows: without `table.lower()"), functions)
        assert not rights.allows("a")
    finally:
        for function, code in codes:
            function.__code__ = code
    assert rights.allows("a")


def test_the_usual_mutants_of_a_file_have_names_of_their_own() -> None:
    found = [mutant.name for mutant in usual(["config.py", GRANTS])]
    assert len(found) == len({*found}) > 300
    assert any(mutant.at_import for mutant in usual(["config.py"]))


def _named(start: str) -> Mutant:
    return next(mutant for mutant in forbidden() if mutant.name.startswith(start))


def test_what_a_branch_leaves_out_is_shown_by_its_first_line() -> None:
    never = _named("bot/http_api/callers.py:ApiCaller.may_read: never take `if key.team")
    always = _named("bot/http_api/callers.py:ApiCaller.may_read: always take `if key.team")
    text = (ROOT / never.path).read_text("utf-8").splitlines()
    assert text[never.shows - 1].strip() == "return False"
    assert (never.line, always.shows) == (never.shows - 1, 0)


def test_the_tests_of_a_mutant_are_those_of_the_line_that_shows_it() -> None:
    never = _named("bot/http_api/callers.py:ApiCaller.may_read: never take `if key.team")
    around = {never.line: ["quick", "slow"], never.shows: ["slow"]}
    lines = Lines({never.path: around}, {"slow": 2.0, "quick": 1.0}, {never.path: (ROOT / never.path).read_text()})
    assert lines.of(never) == ["slow"]
    assert lines.of(replace(never, shows=0)) == ["quick", "slow"]
    assert Lines(texts=lines.texts).of(never) == []


def test_a_verdict_names_a_test_and_no_mutant_that_stays() -> None:
    assert [name for name, test in killers().items() if not test.partition("::")[2] or name in accepted()] == []


def test_an_error_that_is_answered_passes_and_one_that_is_raised_on_is_swallowed() -> None:
    answered = _named("ai/agents/rights/audience.py:Audience.sight: let the error pass of")
    raised = _named("ai/agents/orchestrator.py:Orchestrator.run: swallow the error of `except Stopped")
    assert "except SqlRefused:\n            raise" in unparse(answered.tree())
    assert "str(stopped))\n            raise" in unparse(parse((ROOT / raised.path).read_text("utf-8")))
    assert "str(stopped))\n            pass" in unparse(raised.tree())
