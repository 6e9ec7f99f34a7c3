"""Charts of results: which one fits, Vega-Lite as data, pictures. Pure until `draw` makes a picture."""

from ai.charts.chart import ResultChart, as_drawn, chart_of
from ai.charts.choose import chosen, is_sure
from ai.charts.design import ChartDesign, ChartEdits, Kind
from ai.charts.edits import changed, fits, named_rows

__all__ = [
    "ChartDesign",
    "ChartEdits",
    "Kind",
    "ResultChart",
    "as_drawn",
    "changed",
    "chart_of",
    "chosen",
    "fits",
    "is_sure",
    "named_rows",
]
