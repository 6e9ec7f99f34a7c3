"""A chart whole: its design, figures, words and Vega-Lite specification."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ai.answers.view import View
from ai.charts.design import ChartDesign, Kind
from ai.charts.kinds.bars import bar_spec
from ai.charts.kinds.columns import column_spec
from ai.charts.kinds.lines import line_spec
from ai.charts.kinds.others import number_spec, pie_spec, scatter_spec
from ai.charts.kinds.panels import panel_spec
from ai.charts.letters import letters_of
from ai.charts.plot import Plot, plot_of
from ai.charts.shaping import parts_of, shaped
from ai.charts.theme import ChartWords, Spec
from ai.charts.words import words_of
from ai.language.texts import ENGLISH


@dataclass(frozen=True, slots=True)
class ResultChart:
    """What is shown of a result. `spec` is Vega-Lite, its data within; `legend` (Markdown) explains its numbers."""

    design: ChartDesign
    words: ChartWords
    plot: Plot
    spec: Spec
    legend: str = ""


def chart_of(view: View, design: ChartDesign) -> ResultChart | str:
    """Return the chart of a design, or the reason why there is none."""
    if design.kind == "none":
        return f"{design.reason} {view.masked}".rstrip()
    made = shaped(view, design)
    if not made.rows:
        return "Nothing is left to draw."
    plot = plot_of(made, design, parts_of(view, design))
    if not plot.values:
        return "There is no value to draw."
    panels = () if plot.is_one_unit else plot.lines
    scales = [line.values for line in panels] or [tuple(plot.values)]  # those drawn on one axis
    if design.log and not all(any(value is not None and value > 0 for value in values) for values in scales):
        return "A logarithmic scale needs values above zero."
    words, letters = words_of(plot), letters_of(plot)
    spec = SPECS[design.kind](letters.plot(plot), letters.words(words))
    return ResultChart(design, words, plot, spec, letters.legend)


def as_drawn(chart: ResultChart, *, changes: bool) -> str:
    """Return the finding of a chart as a sentence, or what a changed one shows and how."""
    if not changes:
        return f"{chart.words.title}."
    shown = chart.words.subtitle.split(" · ")[0] if chart.plot.view.names.language == ENGLISH else ""
    shown = shown or chart.words.title
    return (SHARED if chart.design.shares else AS_DRAWN[chart.design.kind]).format(shown)


def _lines(plot: Plot, words: ChartWords) -> Spec:
    return line_spec(plot, words) if plot.is_one_unit else panel_spec(plot, words)


def _bars(plot: Plot, words: ChartWords) -> Spec:
    return (column_spec if plot.is_standing else bar_spec)(plot, words)


SHARED = "{0}, as shares."
AS_DRAWN: Mapping[Kind, str] = {
    "none": "{0}.",
    "number": "{0}.",
    "line": "{0}, as lines.",
    "small_multiples": "{0}, as small charts.",
    "bar": "{0}, as bars.",
    "grouped_bar": "{0}, as bars side by side.",
    "stacked_bar": "{0}, as stacked bars.",
    "histogram": "{0}, as a histogram.",
    "scatter": "{0}, as dots.",
    "pie": "{0}, as a pie.",
}
SPECS: Mapping[Kind, Callable[[Plot, ChartWords], Spec]] = {
    "line": _lines,
    "small_multiples": panel_spec,
    "bar": _bars,
    "grouped_bar": _bars,
    "stacked_bar": _bars,
    "histogram": _bars,
    "scatter": scatter_spec,
    "pie": pie_spec,
    "number": number_spec,
}
