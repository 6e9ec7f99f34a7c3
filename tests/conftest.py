"""What holds for all tests: which are slow, which may be skipped, and which generate the same examples each time.

`make test` leaves the slow ones out, `make slow` runs them, and so does every change before it lands. What guards a
change must not fail by luck; `make deep` and `make fuzz` are there to be lucky.
"""

import gc
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.postgres import Postgres, postgres
from tests.skips import NamedSkips

# Suites that start browsers, servers or dozens of processes. What a part promises at its heart is never only here.
SLOW = (
    "tests/architecture/test_recipes.py",
    "tests/contract/test_deeds.py::test_no_option",
    "tests/contract/test_doctor.py",
    "tests/contract/test_engine_rights.py::test_drift",
    "tests/contract/test_explosive_queries.py",
    "tests/contract/test_http_api.py::test_any_",
    "tests/contract/test_memory_settings.py",
    "tests/contract/test_prompt_budget.py",
    "tests/contract/test_seals.py::test_whatever",
    "tests/contract/test_side_by_side.py::test_the_release_before",
    "tests/e2e/test_actions.py",
    "tests/e2e/test_calls.py",
    "tests/e2e/test_causes.py::test_planted",
    "tests/e2e/test_charts.py",
    "tests/e2e/test_corpora.py",
    "tests/e2e/test_corrections.py",
    "tests/e2e/test_direct_messages.py",
    "tests/e2e/test_edits.py",
    "tests/e2e/test_engine_kill.py",
    "tests/e2e/test_evaluation.py",
    "tests/e2e/test_explanations.py",
    "tests/e2e/test_extras.py::test_a_missing_extra_is_one_sentence[a memory",
    "tests/e2e/test_extras.py::test_a_missing_extra_is_one_sentence[a model",
    "tests/e2e/test_extras.py::test_a_missing_extra_is_one_sentence[a queue",
    "tests/e2e/test_extras.py::test_a_missing_extra_is_one_sentence[a source in MySQL",
    "tests/e2e/test_extras.py::test_an_excel_export",
    "tests/e2e/test_extras.py::test_without_redis",
    "tests/e2e/test_feedback.py",
    "tests/e2e/test_file_or_data.py",
    "tests/e2e/test_first_contact.py",
    "tests/e2e/test_flow.py",
    "tests/e2e/test_forgetting.py",
    "tests/e2e/test_http_beside_slack.py",
    "tests/e2e/test_language_model.py",
    "tests/e2e/test_memory_kill.py",
    "tests/e2e/test_missed.py",
    "tests/e2e/test_model_costs.py",
    "tests/e2e/test_monitoring.py",
    "tests/e2e/test_never_worse.py",
    "tests/e2e/test_other_words.py",
    "tests/e2e/test_programs.py::test_a_notebook",
    "tests/e2e/test_run.py",
    "tests/e2e/test_secrets.py",
    "tests/e2e/test_slack_over_http.py",
    "tests/e2e/test_stopping.py",
    "tests/e2e/test_surfaces.py",
    "tests/e2e/test_times.py",
    "tests/e2e/test_unsure.py",
    "tests/e2e/test_walk.py",
    "tests/e2e/test_ways.py",
    "tests/local_slack/browser/",
    "tests/property/test_archives.py::test_archiving_loses_nothing_on_postgres",
    "tests/property/test_charts.py",
    "tests/property/test_comparisons.py",
    "tests/property/test_opening.py::test_a_new_file",
    "tests/property/test_opening.py::test_a_server",
    "tests/property/test_opening.py::test_an_empty_postgres",
    "tests/property/test_reader_on_public_sets.py",
    "tests/property/test_windows.py",
    "tests/unit/ai/sql/test_linking.py::test_what_public_questions_need_is_found[bird",
    "tests/unit/bot/engine/test_engine.py::test_a_turn_whose_end_was_never_written_down",
    "tests/unit/bot/engine/test_waiting.py::test_a_turn_that_hangs_is_begun_anew",
    "tests/unit/bot/monitoring/test_meter.py::test_processes_add_up",
)
# Of these suites the quick tests of what nothing else tries in the process of its test: commands, and DuckDB.
QUICK = (
    "tests/contract/test_database.py::test_a_cell_that_is_too_big_is_an_error_and_not_a_crash[duckdb]",
    "tests/contract/test_database.py::test_rows_come_with_their_columns[duckdb]",
    "tests/contract/test_database.py::test_the_catalogue_says_what_there_is[duckdb]",
    "tests/contract/test_database.py::test_what_fooled_the_guard_is_stopped_by_the_engine[duckdb]",
    "tests/e2e/test_ways.py::test_a_semantics_file_that_does_not_fit",
    "tests/e2e/test_ways.py::test_people_get_what_they_come_for[a conversation is remembered in SQLite-",
    "tests/e2e/test_ways.py::test_people_get_what_they_come_for[a database without roles leaves the rights to the guard-sqlite]",
    "tests/e2e/test_ways.py::test_people_get_what_they_come_for[a receipt is checked",
    "tests/e2e/test_ways.py::test_people_get_what_they_come_for[charts and files that do not fit",
    "tests/e2e/test_ways.py::test_people_get_what_they_come_for[the definitions of a source are drafted, checked and shown-sqlite]",
    "tests/e2e/test_ways.py::test_people_get_what_they_come_for[whoever changes",
    "tests/e2e/test_ways.py::test_the_",
)
LONGER = frozenset({"deep", "fuzz", "chaos"})  # of these only a short form is slow
SLOW_KINDS = ("[mariadb", "-mariadb", "[duckdb", "-duckdb")
ON_MARIADB = tuple(f"tests/contract/test_{name}.py" for name in ("database", "stopping"))


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    with postgres() as running:
        yield running


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # until the tests are found: nothing of what is loaded by then goes away again
    config.pluginmanager.register(NamedSkips())
    settings.register_profile("steady", derandomize=True)
    if config.getoption("markexpr") not in ("deep", "fuzz"):
        settings.load_profile("steady")


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)  # readings make objects by the thousand, and few of them are in cycles
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        if not LONGER.isdisjoint(marks):
            continue
        if "browser" in marks or _is_slow(item.nodeid):
            item.add_marker("slow")


def _is_slow(test: str) -> bool:
    return not test.startswith(QUICK) and (test.startswith(SLOW) or _is_of_a_slow_kind(test))


def _is_of_a_slow_kind(test: str) -> bool:
    """Return whether a contract is tried on a server that takes seconds to start, or on an engine of processes."""
    kinds = (*SLOW_KINDS, "[mysql", "-mysql") if test.startswith(ON_MARIADB) else SLOW_KINDS
    return test.startswith("tests/contract/") and any(kind in test for kind in kinds)
