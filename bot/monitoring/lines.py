"""Count the warnings and errors of the log."""

import logging

from bot.monitoring.meter import Meter


class LineCounter(logging.Handler):
    def __init__(self, meter: Meter) -> None:
        super().__init__(logging.WARNING)
        self._meter = meter

    def emit(self, record: logging.LogRecord) -> None:
        self._meter.add("log_lines", level=record.levelname.lower())


def count_lines(meter: Meter) -> None:
    logging.getLogger().addHandler(LineCounter(meter))
