"""A page of the API, made from its OpenAPI document: every operation with an example, without scripts."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}"
    "pre{background:#f4f4f4;padding:.7rem;overflow:auto}"
)
EXAMPLES: Mapping[str, str] = {
    "chat_id": "T1/http:U_ANA:C_SALES/1764000000.000100",
    "q": "revenue",
    "turn_id": "T1:http:U_ANA:C_SALES:1764000000.000100",
    "name": "apps.csv",
    "tool": "memory",
    "format": "markdown",
}


def page(document: Mapping[str, Any]) -> str:
    parts = [part for path, item in document["paths"].items() for part in _operations(path, item)]
    head = f"<!doctype html><meta charset=utf-8><title>Datathread API</title><style>{STYLE}</style>"
    about = f"<h1>Datathread API</h1><p>{escape(document['info']['description'])}</p>"
    return "\n".join((head, about, *parts))


def _operations(path: str, item: Mapping[str, Any]) -> Iterator[str]:
    for method, operation in item.items():
        yield f"<h2>{method.upper()} {escape(path)}</h2><p>{escape(operation.get('description', ''))}</p>"
        yield f"<pre>{escape(_example(method, path, operation))}</pre>"
        answers = (
            f"<li>{status}: {escape(each['description'])}</li>" for status, each in operation["responses"].items()
        )
        yield f"<ul>{''.join(answers)}</ul>"


def _example(method: str, path: str, operation: Mapping[str, Any]) -> str:
    asked = [each for each in operation.get("parameters", ()) if each["in"] == "query" and each.get("required")]
    query = "&".join(f"{each['name']}={EXAMPLES.get(each['name'], '…')}" for each in asked)
    for name, value in EXAMPLES.items():
        path = path.replace(f"{{{name}}}", value)
    lines = [f"curl -s -X {method.upper()} 'http://127.0.0.1:8080{path}{'?' if query else ''}{query}'"]
    lines.append("  -H 'Authorization: Bearer …'")
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    if content:
        lines += ["  -H 'Content-Type: application/json'", f"  -d '{_body(path)}'"]
    return " \\\n".join(lines)


def _body(path: str) -> str:
    if "/tools/" in path:
        return '{"chat_id": "…", "arguments": {"operation": "list"}}'
    return '{"message": "how many apps do we have?"}'
