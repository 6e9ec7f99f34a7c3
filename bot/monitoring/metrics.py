"""All metrics, one row each; docs/monitoring.md lists them.

Labels have few values: those listed here, or the first few to come. The rest is "other".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from ai.errors import ModelFault
from ai.ledger import Purpose

PREFIX = "datathread_"
OTHER = "other"
MOST_VALUES = 60  # of a label whose values are not listed
Kind = Literal["counter", "histogram", "gauge"]

SOON = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
LATER = (0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 900.0)


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric by its name without prefix and suffix."""

    name: str
    kind: Kind
    labels: tuple[str, ...]
    help: str
    buckets: tuple[float, ...] = ()

    @property
    def full_name(self) -> str:
        return f"{PREFIX}{self.name}{'_total' if self.kind == 'counter' else ''}"


METRICS = (
    Metric(
        "questions", "counter", ("outcome", "agent"), "Turns that ended, by outcome and by the agent that answered."
    ),
    Metric("answer_seconds", "histogram", ("agent",), "From the message in Slack to its delivered answer.", LATER),
    Metric("begin_seconds", "histogram", (), "From the message in Slack to the begin of its turn.", LATER),
    Metric("stage_seconds", "histogram", ("stage",), "One stage of a turn.", SOON),
    Metric("retries", "counter", ("what",), "Work begun again: turns put off, calls of Slack repeated, SQL repaired."),
    Metric("refused_queries", "counter", ("layer",), "Queries that the guard refused, by its layer."),
    Metric(
        "model_calls", "counter", ("purpose", "outcome"), "Calls of the language model; an outcome is ok or a fault."
    ),
    Metric("model_seconds", "histogram", ("purpose",), "One call of the language model.", SOON),
    Metric(
        "model_tokens", "counter", ("purpose", "kind"), "Tokens of these calls; `cached` ones are part of `prompt`."
    ),
    Metric("model_cost", "counter", ("currency",), "What these calls cost by the prices of the settings."),
    Metric("slack_calls", "counter", ("method", "outcome"), "Calls of Slack's Web API; `limited` is a 429."),
    Metric("log_lines", "counter", ("level",), "Warnings and errors in the log, those left out as alike included."),
    Metric("starts", "counter", ("process",), "Starts of the processes; more than one each means that one died."),
    Metric("queue_waiting", "gauge", (), "Accepted questions that nobody has begun though they are due."),
    Metric("queue_oldest_seconds", "gauge", (), "How long the oldest of them has waited: the lag of the engine."),
    Metric("workers", "gauge", (), "Processes that answer, of all bots on this queue."),
    Metric("line_silence_seconds", "gauge", (), "Since a receiver last gave a sign of life."),
    Metric("memory_bytes", "gauge", (), "Size of the memory's database."),
    Metric("results_bytes", "gauge", (), "Size of the results that are kept."),
    Metric("disk_free_bytes", "gauge", (), "Room left on the disk of DATA_DIR."),
    Metric("unreadable_levels", "gauge", (), "Gauges of this page that could not be read just now."),
    Metric("info", "gauge", ("version",), "1, with the version of the bot."),
)
BY_NAME: Mapping[str, Metric] = {metric.name: metric for metric in METRICS}

STAGES = {  # the steps of a turn, by the stage that they are timed as
    "open": "open",
    "route": "route",
    "write_sql": "write",
    "repair_sql": "write",
    "instead": "write",
    "second_reading": "write",
    "why": "write",
    "candidate": "query",
    "vote": "vote",
    "phrase": "phrase",
    "chart": "chart",
    "reshape": "reshape",
    "research": "research",
    "log access": "record",
    "close": "deliver",
    "upload": "files",
    "share": "files",
    "sum up": "sum up",
}
LABELS: Mapping[str, frozenset[str]] = {
    "outcome": frozenset({"answered", "asked back", "stopped", "failed", "forgotten", "undeliverable", "crashed"})
    | {"ok", "broken off", *get_args(ModelFault)}
    | {"limited", "refused", "unreachable"},
    "stage": frozenset({*STAGES.values(), OTHER}),
    "what": frozenset({"turn", "slack", "sql"}),
    "purpose": frozenset(get_args(Purpose)),
    "kind": frozenset({"prompt", "cached", "completion"}),
    "level": frozenset({"warning", "error", "critical"}),
}


def stage_of(step: str) -> str:
    """Return the stage of a step; its number or name after a colon does not count."""
    name = step.partition("#")[0].partition(":")[0]
    is_query = name.startswith("run_") or step.endswith(":run")
    return "query" if is_query else STAGES.get(name, OTHER)
