"""The texts of the errors in the code: `error_texts` lists them, `unread` the errors whose text is made at run time."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TypeGuard

import ai.errors
from ai.errors import DatathreadError
from tests.architecture import source

# Sentences that `datathread check`, `status` and Slack show without an error around them.
SHOWN = (
    ("bot.doctor.readiness", "SLOW"),
    ("bot.doctor.readiness", "BROKEN"),
    ("bot.delivery.refusals", "PLACE"),
    ("bot.http_api.problems", "JSON_ONLY"),
)


@dataclass(frozen=True, order=True)
class ErrorText:
    """A text with `…` for what is filled in, and the name of its error."""

    error: str
    text: str


@dataclass(frozen=True, order=True)
class Unread:
    """An error whose text no constant tells."""

    module: str
    expression: str


def error_texts() -> set[ErrorText]:
    raised = {found for module in source.product() for found in _in(module) if isinstance(found, ErrorText)}
    shown = {text for module, name in SHOWN for text in _texts(getattr(import_module(module), name))}
    return raised | {ErrorText("", text) for text in shown}


def unread() -> set[Unread]:
    return {found for module in source.product() for found in _in(module) if isinstance(found, Unread)}


@cache
def tree() -> frozenset[str]:
    """Return the names of all errors of ours, wherever they are defined."""
    names = {n for n, one in vars(ai.errors).items() if isinstance(one, type) and issubclass(one, DatathreadError)}
    for module in source.product():
        classes = (node for node in module.nodes if isinstance(node, ast.ClassDef))
        names |= {one.name for one in classes if names & {base.id for base in one.bases if isinstance(base, ast.Name)}}
    return frozenset(names)


def _in(module: source.Module) -> Iterator[ErrorText | Unread]:
    for node in module.nodes:
        if isinstance(node, ast.ClassDef) and node.name in tree():
            said = (call.args[0] for call in ast.walk(node) if _is_super(call) and call.args)
            yield from (ErrorText(node.name, text) for one in said for text in _spoken(module.name, one) or ())
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in tree():
            yield from _raised(module, node.func.id, node)


def _raised(module: source.Module, error: str, call: ast.Call) -> Iterator[ErrorText | Unread]:
    speaks_itself = {"Masked", "MissingExtra", "QueryTimeout", "QueryFailed", "TokenRefused"}
    if not call.args or error in speaks_itself:
        return
    texts = _spoken(module.name, call.args[0])
    if texts is None:
        yield Unread(module.path, ast.unparse(call.args[0]))
    else:
        yield from (ErrorText(error, text) for text in texts)


def _is_super(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "super().__init__"


def _spoken(module: str, node: ast.expr) -> list[str] | None:
    """Return the texts an expression can become, None where only a run tells."""
    match node:
        case ast.Constant(value=str(text)):
            return [_slotted(text)]
        case ast.JoinedStr(values=parts):
            return [_slotted("".join(p.value if isinstance(p, ast.Constant) else "{}" for p in parts))]  # type: ignore[misc]
        case ast.IfExp(body=one, orelse=other):
            both = [_spoken(module, one), _spoken(module, other)]
            return None if None in both else [text for texts in both for text in texts or ()]
        case ast.Name(id=name) if name.isupper():
            return _texts(getattr(import_module(module), name))
        case ast.Subscript(value=ast.Name(id=name)) if name.isupper():
            return _texts(getattr(import_module(module), name))
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="format")) if name.isupper():
            return _texts(getattr(import_module(module), name))
    return None


def _texts(value: str | Mapping[str, str]) -> list[str]:
    return [_slotted(one) for one in ([value] if isinstance(value, str) else value.values())]


def _slotted(text: str) -> str:
    return re.sub(r"\{[^{}]*\}", "…", text).strip()
