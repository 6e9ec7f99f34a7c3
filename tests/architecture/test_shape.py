"""The shape of the code: sizes, annotations, where errors are caught, where the environment is read.

Each test names the offenders, so that its message is the list of what to mend.
"""

import ast
from graphlib import CycleError, TopologicalSorter
from statistics import median

from tests.architecture import source
from tests.architecture.source import Function, Module

MODULE_LINES, MODULE_MEDIAN = 300, 120
FUNCTION_LINES, NINE_OF_TEN = 50, 25
PORT_METHODS = 5

# Where an error of any kind must end in a named outcome instead of ending the process, and what would end otherwise.
BORDERS = {
    "bot/turn.py": "the turn: a question would stay without an answer",
    "bot/engine/workflow.py": "the turn's workflow: the thread would be blocked for good",
    "bot/engine/sweep.py": "the sweeping job: crashed turns would never be resumed",
}

BROAD = {"Exception", "BaseException"}


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
    pretending = [m.path for m in source.tests() if any("mock" in dotted.split(".") for dotted in m.imported())]
    replacing = [m.path for m in source.tests() if "setattr" in _attributes_of(m, "monkeypatch")]
    assert (pretending, replacing) == ([], [])


def test_tests_wait_for_states_not_for_time() -> None:
    sleeping = [
        m.path
        for m in source.tests()
        if any(dotted.endswith(".sleep") for dotted in m.imported())
        or "sleep" in _attributes_of(m, "time") | _attributes_of(m, "asyncio")
    ]
    assert sleeping == []


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


def _reads_environment(module: Module) -> bool:
    words = {"environ", "environb", "getenv", "getenvb"}
    return bool(words & _attributes_of(module, "os")) or any(d in {f"os.{w}" for w in words} for d in module.imported())


def _attributes_of(module: Module, name: str) -> set[str]:
    """What is asked of a plain name: {"getenv"} for `os.getenv(…)`."""
    return {
        node.attr
        for node in module.nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
    }


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _named(node: ast.AST, name: str) -> bool:
    return (isinstance(node, ast.Name) and node.id == name) or (isinstance(node, ast.Attribute) and node.attr == name)


def _owner(dotted: str, modules: set[str]) -> str:
    """The module that a dotted name stands for: itself, or the module that it is a member of."""
    return dotted if dotted in modules else dotted.rpartition(".")[0]
