"""The generated tables of docs/local-slack.md: methods and behaviours with a contract test each, and limits, with their sources.

python -m tests.local_slack.contract.listing writes them into the page.
"""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

from local_slack.limits import Limit, strict
from local_slack.web_api.methods.registry import METHODS, Method
from tests.paths import ROOT

FOLDER = Path(__file__).parent


def table() -> str:
    """One line a method: its token, scope, tier, and a test that calls it by its name or by the client's."""
    lines = ["| Method | Token | Scope | Tier | Contract test |", "| --- | --- | --- | --- | --- |"]
    tests = list(_tests())
    for name, method in METHODS.items():
        found = next((test for test, called in tests if _names(name) & called), "none")
        lines.append(f"| `{name}` | {method.token} | {_code(method.scope)} | {_tier(name, method)} | {found} |")
    return "\n".join(lines) + "\n"


def _tests() -> Iterator[tuple[str, set[str]]]:
    """Every test with the attributes and texts in it, those of plain behaviour first."""
    for path in sorted(FOLDER.glob("test_*.py"), key=lambda path: path.name != "test_web_api.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield f"`{path.stem}::{node.name}`", set(_words(node))


def _words(function: ast.FunctionDef) -> Iterator[str]:
    """What a test calls; lists of expected calls are none, so texts count only as arguments."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                yield node.func.attr
            yield from (arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))
        elif isinstance(node, ast.Tuple):
            yield from (one.attr for one in node.elts if isinstance(one, ast.Attribute))


def _names(method: str) -> set[str]:
    """What stands for a call of `method` in a test."""
    return {method, method.replace(".", "_")}


def _code(scope: str) -> str:
    return f"`{scope}`" if scope else ""


def _tier(name: str, method: Method) -> str:
    if name == "chat.postMessage":
        return "1/s a channel"
    return str(method.tier or "")


def limits_table() -> str:
    """One line a limit: its value, and how sure it is."""
    lines = ["| Limit | Value | Known from | Source |", "| --- | --- | --- | --- |"]
    lines += [f"| `{row.name}` | {_value(row)} | {row.status} | {row.source} |" for row in strict().rows.values()]
    return "\n".join(lines) + "\n"


def behaviours() -> list[dict[str, str]]:
    path = ROOT / "local_slack" / "limits" / "behaviours.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def behaviours_table() -> str:
    """One line a behaviour: how sure it is, and the contract test."""
    lines = ["| Behaviour | Known from | Source | Contract test |", "| --- | --- | --- | --- |"]
    lines += [f"| {row['what']} | {row['status']} | {row['source']} | `{row['test']}` |" for row in behaviours()]
    return "\n".join(lines) + "\n"


def _value(row: Limit) -> str:
    if row.value is None:
        return f"no limit ({row.unit})"
    return ", ".join(row.value) if isinstance(row.value, tuple) else f"{row.value:,} {row.unit}"


def _write(page: Path) -> None:
    text = page.read_text("utf-8")
    for made in (table(), behaviours_table(), limits_table()):
        begin = text.index(made.partition("\n")[0])
        end = text.index("\n\n", begin) + 1
        text = text[:begin] + made + text[end:]
    page.write_text(text, "utf-8")


if __name__ == "__main__":
    _write(ROOT / "docs" / "local-slack.md")
