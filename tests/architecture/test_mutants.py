"""The mutants: the ledger names ones that exist, and a change goes into the functions of this process."""

import json
from ast import parse, unparse
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from ai.sql.rights import Rights
from tests.mutants.areas import rates, sampled
from tests.mutants.forbidden import ROOMS, forbidden
from tests.mutants.lines import PAGES, Lines, Run, is_about
from tests.mutants.mutant import Mutant, files
from tests.mutants.operators import usual
from tests.mutants.trial import Outcome, living_with, put_in
from tests.mutants.verdicts import LEDGER, accepted, killers
from tests.paths import ROOT


@dataclass(frozen=True)
class Noted:
    """What tests ran of one file, by line."""

    by_line: dict[int, set[str]]

    def ran(self, _path: str) -> frozenset[int]:
        return frozenset(self.by_line)

    def tests(self, _path: str, lines: Collection[int]) -> set[str]:
        return {test for line in lines for test in self.by_line.get(line, ())}

    def ways(self, _path: str) -> dict[str, str]:
        return {test: test for tests in self.by_line.values() for test in tests}


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
    with living_with(_named(f"{GRANTS}:Rights.allows: without `table.lower()")):
        assert not rights.allows("a")
    assert rights.allows("a")


def test_a_mutant_of_a_file_that_nobody_has_imported_needs_a_new_process() -> None:
    assert not put_in(next(usual([GRANTS])), {})


def test_the_usual_mutants_of_a_file_have_names_of_their_own() -> None:
    found = [mutant.name for mutant in usual(["config.py", GRANTS])]
    assert len(found) == len({*found}) > 300
    assert any(mutant.at_import for mutant in usual(["config.py"]))
    assert not any("for `True`" in mutant.name for mutant in usual(["ai/analysis/finding.py"]))  # frozen dataclasses


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
    ran = {never.line: {"quick", "slow"}, never.shows: {"slow"}, never.shows + 1: {"other"}}
    texts = {never.path: (ROOT / never.path).read_text()}
    lines = Lines([Run({"slow": 2.0, "quick": 1.0, "other": 0.5}, texts, Noted(ran))])
    assert lines.of(never) == ["slow"]
    assert lines.of(replace(never, shows=0)) == ["quick", "slow", "other"]
    assert lines.of(replace(never, shows=0, at_import=True)) == ["other", "quick", "slow"]
    assert Lines([Run({}, texts, Noted({}))]).of(never) == []
    page = f"{PAGES}::test_a_page_is_current[docs/settings.md]"
    held = Lines([Run({"other": 0.5, page: 1.0}, texts, Noted(ran))])
    assert held.of(replace(never, shows=0, at_import=True))[0] == page
    assert page not in held.of(replace(never, shows=0))


def test_what_is_only_imported_is_tried_by_the_tests_about_it_first() -> None:
    about, module = "tests/architecture/test_mutants.py", "ai/sql/rights/grants.py"
    assert is_about(about, module)
    assert is_about("tests/unit/ai/charts/test_specs.py", "ai/charts/theme.py")  # by the module that it imports
    assert not is_about(about, "ai/charts/theme.py")


def test_a_sample_is_of_each_area_and_its_rates_are_told() -> None:
    found = [*usual([GRANTS, "config.py", "bot/turn/patience.py"])]
    chosen = sampled(found, None, 2, 7)
    assert chosen == sampled(found, None, 2, 7) != sampled(found, None, 2, 8)
    outcomes: dict[Mutant, Outcome] = {mutant: "killed" if mutant.path == GRANTS else "survived" for mutant in chosen}
    assert [*rates(outcomes)] == ["100% of   2 in ai/sql/rights", "  0% of   2 in bot/turn", "  0% of   2 in config.py"]
    assert len(sampled(found, 3, None, 7)) == 3
    assert sampled(found, None, None, 7) == found


def test_a_verdict_names_a_test_and_no_mutant_that_stays() -> None:
    assert [name for name, test in killers().items() if not test.partition("::")[2] or name in accepted()] == []


def test_an_error_that_is_answered_passes_and_one_that_is_raised_on_is_swallowed() -> None:
    answered = _named("ai/agents/rights/audience.py:Audience.sight: let the error pass of")
    raised = _named("ai/agents/orchestrator.py:Orchestrator.run: swallow the error of `except Stopped")
    assert "except SqlRefused:\n            raise" in unparse(answered.tree())
    assert "str(stopped))\n            raise" in unparse(parse((ROOT / raised.path).read_text("utf-8")))
    assert "str(stopped))\n            pass" in unparse(raised.tree())


def test_what_only_the_type_checker_reads_is_no_mutant() -> None:
    names = [mutant.name for mutant in usual(["bot/people/standing.py", "bot/monitoring/__init__.py"])]
    assert not [name for name in names if name.startswith("bot/people/standing.py:: 'XX")]  # of a Literal
    assert not [name for name in names if "WatchedTurns" in name]  # a name in `__all__`
    assert not [mutant for mutant in usual(["bot/delivery/calls.py"]) if "swap the arguments of `max(" in mutant.name]
