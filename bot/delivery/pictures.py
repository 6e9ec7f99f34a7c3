"""Pictures of charts beyond Slack's own chart block. A chart that cannot be drawn becomes its table."""

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ai.agents.port import ChartEvent, FileEvent, ReplyEvent, TableEvent, TextEvent
from ai.agents.tools import export_folder, slug
from ai.charts.draw import NotDrawn, png
from bot.render.charts import chart_block

DRAWING = "Drawing the chart…"
NOT_DRAWN = "The chart could not be drawn; these are its figures."
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Pictures:
    """Draws into a folder for each turn."""

    folder: Path

    def drawn(self, events: Iterable[ReplyEvent], turn_id: str, say: Callable[[str], None]) -> Iterator[ReplyEvent]:
        """Yield the events; charts for which Slack has no block become files, and `say` tells of each."""
        events = list(events)
        has_table = any(isinstance(event, TableEvent) for event in events)
        for event in events:
            if isinstance(event, ChartEvent) and chart_block(event.chart) is None:
                say(DRAWING)
                yield from self._picture(event, turn_id, has_table=has_table)
            else:
                yield event

    def _picture(self, event: ChartEvent, turn_id: str, *, has_table: bool) -> Iterator[ReplyEvent]:
        folder = self.folder / export_folder(turn_id)
        words = event.chart.words
        try:
            picture = png(event.chart.spec)
        except NotDrawn:
            log.exception("turn %s: a chart is not drawn", turn_id)
            yield TextEvent(NOT_DRAWN)
            yield from () if has_table else (event.table,)
            return
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{slug(words.title)}.png"
        path.write_bytes(picture)
        yield from [TextEvent(event.chart.legend)] if event.chart.legend else []
        yield FileEvent(path, words.title, words.alt)
