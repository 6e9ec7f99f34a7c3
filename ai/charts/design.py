"""What is drawn: a kind of chart, the columns in their parts, and changes people asked for."""

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from ai.types import Json

CHART_TOOL = "draw_chart"  # as charts are traced
Kind = Literal[
    "none", "number", "line", "bar", "grouped_bar", "stacked_bar", "histogram", "scatter", "pie", "small_multiples"
]
Grain = Literal["", "day", "week", "month", "quarter", "year"]


@dataclass(frozen=True, slots=True)
class ChartDesign:
    """A chart before its data. `x`, `y` and `series` are places of columns.

    `reason` says why there is none, or why not as asked. `top` keeps the largest, the others added up with `rest`. Bars
    stand or lie by rule where `standing` is None.
    """

    kind: Kind
    x: int | None = None
    y: tuple[int, ...] = ()
    series: int | None = None
    reason: str = ""
    grain: Grain = ""
    log: bool = False
    shares: bool = False
    top: int = 0
    rest: bool = False
    without: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    standing: bool | None = None

    def as_json(self) -> dict[str, Json]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @classmethod
    def of(cls, fields: dict[str, Any]) -> "ChartDesign":
        known: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in fields.items()}
        return cls(**known)

    def none(self, reason: str) -> "ChartDesign":
        return replace(self, kind="none", reason=reason)


@dataclass(frozen=True, slots=True)
class ChartEdits:
    """What a message changes about a chart; `stacked` and `log` are None where it says nothing of them."""

    kind: Kind | None = None
    stacked: bool | None = None
    grain: Grain = ""
    log: bool | None = None
    shares: bool | None = None
    top: int | None = None
    rest: bool = False
    without: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    all_again: bool = False
    standing: bool | None = None
    turned: bool = False

    def __bool__(self) -> bool:
        return self != ChartEdits()
