"""The tables at the ends of documents that list what the code has: settings, sayings, tools and metrics."""

from collections.abc import Callable, Mapping
from typing import Any

from ai.agents.registry import registered
from ai.agents.toolbox.table import all_tools
from ai.agents.toolbox.tool import Tool
from bot.monitoring.metrics import METRICS
from config import SECRETS, Settings
from tests.paths import ROOT

BOUNDS = {"minimum": "from", "exclusiveMinimum": "above", "maximum": "to", "maxLength": "characters up to"}


def settings() -> str:
    """Return the settings as the table of docs/settings.md."""
    lines = ["| Variable | Default | Allowed | Unit | What it is for |", "|---|---|---|---|---|"]
    schema = Settings.model_json_schema()["properties"]
    for name, field in Settings.model_fields.items():
        extra = field.json_schema_extra
        unit = extra.get("unit", "") if isinstance(extra, dict) else ""
        default = "" if field.default is None else f"`{field.default}`"
        also = f", `{name.upper()}_FILE`" if name.upper() in SECRETS else ""
        lines.append(f"| `{name.upper()}`{also} | {default} | {allowed(schema[name])} | {unit} | {field.description} |")
    return "\n".join(lines) + "\n"


def allowed(schema: Mapping[str, Any]) -> str:
    """Say which values a setting takes, where there are bounds."""
    known = {
        name: value
        for part in (schema, *schema.get("anyOf", ()), schema.get("additionalProperties", {}))
        for name, value in part.items()
    }
    if choices := known.get("enum"):
        return ", ".join(f"`{choice}`" for choice in choices)
    return " ".join(f"{words} {known[name]:,}" for name, words in BOUNDS.items() if name in known)


def sayings() -> str:
    """Return what to say to each agent as the table of docs/what-to-say.md."""
    lines = ["| Say, for example | You get | Agent | Told to a model as |", "|---|---|---|---|"]
    for card in registered().by_rank:
        said = "<br>".join(f"“{example}”" for example in card.examples)
        lines.append(f"| {said} | {card.gives} | `{card.intent}` | {card.told} |")
    return "\n".join(lines) + "\n"


def tools() -> str:
    """Return the tools as the table of docs/tools.md."""
    lines = ["| Tool | Arguments | What it does | Who may call it |", "|---|---|---|---|"]
    lines += [f"| `{t.name}` | {_arguments(t)} | {t.does} | {', '.join(sorted(t.callers))} |" for t in all_tools()]
    return "\n".join(lines) + "\n"


def metrics() -> str:
    """Return the metrics as the table of docs/monitoring.md."""
    lines = ["| Metric | Type | Labels | What it tells |", "|---|---|---|---|"]
    for metric in METRICS:
        labels = ", ".join(f"`{label}`" for label in metric.labels)
        lines.append(f"| `{metric.full_name}` | {metric.kind} | {labels} | {metric.help} |")
    return "\n".join(lines) + "\n"


def _arguments(tool: Tool) -> str:
    parameters = tool.schema["function"]["parameters"]
    needed = parameters.get("required", ())
    return ", ".join(f"`{name}`" if name in needed else f"[`{name}`]" for name in parameters["properties"])


TABLES: Mapping[str, Callable[[], str]] = {
    "docs/settings.md": settings,
    "docs/what-to-say.md": sayings,
    "docs/tools.md": tools,
    "docs/monitoring.md": metrics,
}


def page(name: str) -> str:
    """Return a document with the table made anew; what stands before it is written by hand."""
    table = TABLES[name]()
    by_hand, _, _ = (ROOT / name).read_text("utf-8").partition(table[: table.index("|", 1)])
    return by_hand + table
