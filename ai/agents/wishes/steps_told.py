"""Describes steps over a result, for the small print. Pure."""

from collections.abc import Callable, Sequence
from typing import Any

from ai.results.steps import Columns, First, Keep, OneOf, Pivot, Rename, Share, Sort, Step

SIGNS = {"=": "is", "!=": "is not"}


def _listed(names: Sequence[str], word: str) -> str:
    *most, last = names
    return f"{', '.join(most)} {word} {last}" if most else last


def _among(step: OneOf, names: list[str]) -> str:
    listed = _listed(step.values, "or" if step.without else "and")
    return f"{'without' if step.without else 'only'} {names[step.column]} {listed}"


def told(steps: tuple[Step, ...], titles: tuple[str, ...]) -> str:
    """Describe the steps in words."""
    said, names = [], list(titles)
    for step in steps:
        said.append(TELL[type(step)](step, names))
        if isinstance(step, Columns):
            names = [names[place] for place in step.columns]
    return ", ".join(said)


TELL: dict[type[Step], Callable[[Any, list[str]], str]] = {
    Sort: lambda step, names: f"sorted by {names[step.column]}, {'highest' if step.descending else 'lowest'} first",
    Keep: lambda step, names: (
        f"only where {names[step.column]} {SIGNS.get(step.comparison, step.comparison)} {step.value}"
    ),
    OneOf: _among,
    First: lambda step, _: f"the first {step.count}",
    Columns: lambda step, names: f"only {_listed([names[place] for place in step.columns], 'and')}",
    Rename: lambda step, names: f"{names[step.column]} called {step.title}",
    Share: lambda step, names: f"with the share of {names[step.column]}",
    Pivot: lambda step, names: f"{names[step.value]} by {names[step.down]} and {names[step.across]}",
}
