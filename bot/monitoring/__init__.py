"""Measure the bot for Prometheus. No metric holds words, SQL, cells or ids of people."""

from bot.monitoring.levels import Levels, levels_of
from bot.monitoring.meter import SILENT, Meter, SharedMeter, shared_folder
from bot.monitoring.spans import NO_SPANS, OtelSpans, Spans
from bot.monitoring.watched import LineCounter, WatchedClient, WatchedLedger, WatchedTurns, count_lines

__all__ = [
    "NO_SPANS",
    "SILENT",
    "Levels",
    "LineCounter",
    "Meter",
    "OtelSpans",
    "SharedMeter",
    "Spans",
    "WatchedClient",
    "WatchedLedger",
    "WatchedTurns",
    "count_lines",
    "levels_of",
    "shared_folder",
]
