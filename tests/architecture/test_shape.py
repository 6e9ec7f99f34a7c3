"""The shape of the code: sizes, annotations, where errors are caught, where the environment is read.

Each test names the offenders, so that its message is the list of what to mend.
"""

import ast
from graphlib import CycleError, TopologicalSorter
from statistics import median

import pytest

from tests.architecture import source
from tests.architecture.source import Function, Module

MODULE_LINES, MODULE_MEDIAN = 300, 120
FUNCTION_LINES, NINE_OF_TEN = 50, 25
PORT_METHODS = 5

# Where an error of any kind must end in a named outcome instead of ending the process, and what would end otherwise.
BORDERS = {
    "bot/cli/predict.py": "the item of a set: all after it would stay without an answer",
    "bot/contact/watch.py": "the watching job: a line gone dead would never be noticed again",
    "bot/contact/gaps.py": "the looking job: what was missed would never be found",
    "bot/contact/reception.py": "the taking job: one event that nobody understands would hold up all others",
    "bot/turn/runner.py": "the turn: a question would stay without an answer",
    "bot/engine/workflow.py": "the turn's workflow: the thread would be blocked for good",
    "bot/engine/dispatch.py": "the engine's loop: no turn would begin or end any more",
    "bot/engine/sweep.py": "the sweeping job: crashed turns would never be resumed",
}

BROAD = {"Exception", "BaseException"}

SAMPLES = [
    ("catches everything", "try: f()\nexcept: g()"),
    ("catches everything", "try: f()\nexcept (OSError, Exception): g()"),
    ("catches everything", "with contextlib.suppress(BaseException): f()"),
    ("reads the environment", "os.getenv('A')"),
    ("reads the environment", "def f(): from os import environ"),
    ("pretends", "from unittest import mock"),
    ("sleeps", "from time import sleep"),
    ("", "try: f()\nexcept OSError: g()"),
    ("", "os.path.join('mock', 'sleep')"),
]


def test_modules_are_short() -> None:
    assert {m.path: m.lines for m in source.product() if m.lines > MODULE_LINES} == {}
    assert median(m.lines for m in source.product()) <= MODULE_MEDIAN


def test_functions_are_short() -> None:
    lengths = {f"{m.path}:{f.name}:{f.lineno}": _length(f) for m in source.product() for f in m.functions()}
    assert {name: n for name, n in lengths.items() if n > FUNCTION_LINES} == {}
    longer = {name: n for name, n in lengths.items() if n > NINE_OF_TEN}
    assert len(longer) <= len(lengths) / 10, longer


def test_everything_is_annotated() -> None:
    bare = [f"{m.path}:{f.lineno} {f.name}" for m in source.product() for f in m.functions() if not _annotated(f)]
    assert bare == []


def test_every_error_is_caught_by_name_except_at_the_borders() -> None:
    assert {m.path for m in source.product() if _catches_everything(m)} == BORDERS.keys()


def test_the_environment_is_read_in_one_place() -> None:
    readers = {m.path for m in source.product() if _reads_environment(m)}
    assert readers == {"config.py"}


def test_no_state_is_global() -> None:
    assert [m.path for m in source.product() if any(isinstance(node, ast.Global) for node in m.nodes)] == []


def test_ports_are_small() -> None:
    methods = {
        f"{m.path}:{node.name}": sum(isinstance(i, Function) and not i.decorator_list for i in node.body)
        for m in source.product()
        for node in m.nodes
        if isinstance(node, ast.ClassDef) and any(_named(base, "Protocol") for base in node.bases)
    }
    assert {name: count for name, count in methods.items() if count > PORT_METHODS} == {}


def test_no_import_cycle_of_any_kind() -> None:
    names = {m.name for m in source.product()}
    graph = {m.name: {_owner(dotted, names) for dotted in m.imported()} & names - {m.name} for m in source.product()}
    assert sum(map(len, graph.values())) > len(names), "the imports were not found"
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" imports ".join(reversed(error.args[1]))) from None


def test_tests_use_real_components() -> None:
    assert [m.path for m in source.tests() if _pretends(m)] == []


def test_tests_wait_for_states_not_for_time() -> None:
    assert [m.path for m in source.tests() if _sleeps(m)] == []


@pytest.mark.parametrize("sample", SAMPLES, ids=[code for _, code in SAMPLES])
def test_what_is_looked_for_is_found(sample: tuple[str, str]) -> None:
    detector, code = sample
    found = {name for name, sees in DETECTORS.items() if sees(source.parsed("sample.py", code))}
    assert found == ({detector} if detector else set())


def _length(function: Function) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def _annotated(function: Function) -> bool:
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    given = [a for a in every if a is not None and a.arg not in ("self", "cls")]
    return function.returns is not None and all(a.annotation is not None for a in given)


def _catches_everything(module: Module) -> bool:
    """Whether some handler, or `suppress`, takes errors of every kind."""
    for node in module.nodes:
        if isinstance(node, ast.ExceptHandler) and (node.type is None or _names(node.type) & BROAD):
            return True
        if isinstance(node, ast.Call) and _named(node.func, "suppress") and any(_names(a) & BROAD for a in node.args):
            return True
    return False


def _pretends(module: Module) -> bool:
    return any("mock" in parts or parts == ["monkeypatch", "setattr"] for parts in _parts(module))


def _sleeps(module: Module) -> bool:
    return any(parts[-1] == "sleep" for parts in _parts(module))


def _reads_environment(module: Module) -> bool:
    words = {"environ", "environb", "getenv", "getenvb"}
    return any(parts[0] == "os" and words & set(parts) for parts in _parts(module))


def _parts(module: Module) -> list[list[str]]:
    """Every name that is imported, and every attribute of a plain name, in parts: ["os", "getenv"]."""
    asked = [n for n in module.nodes if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)]
    return [d.split(".") for d in module.imported()] + [[*_names(node.value), node.attr] for node in asked]


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _named(node: ast.AST, name: str) -> bool:
    return (isinstance(node, ast.Name) and node.id == name) or (isinstance(node, ast.Attribute) and node.attr == name)


def _owner(dotted: str, modules: set[str]) -> str:
    """The module that a dotted name stands for: itself, or the module that it is a member of."""
    return dotted if dotted in modules else dotted.rpartition(".")[0]


DETECTORS = {
    "catches everything": _catches_everything,
    "reads the environment": _reads_environment,
    "pretends": _pretends,
    "sleeps": _sleeps,
}
