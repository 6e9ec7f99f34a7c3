"""Round values along an axis, and how they are written there."""

import math
from collections.abc import Sequence

from ai.answers.formats import Format
from ai.language import formats as written

CLOCK = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400)
ROUND = (1, 2, 2.5, 5, 10)
TINY = 1e-9
POWERS_APART = 100  # times: as far as no two values of an even axis are
POWERS = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "K"))


def nice_steps(low: float, high: float, most: int, by: Format) -> list[float]:
    """Return evenly spaced round values around a range, at most so many steps."""
    if high <= low:
        spread = abs(low) * 0.1 or 1.0
        low, high = low - spread, high + spread
    step = _step((high - low) / most, by)
    first, last = math.floor(low / step + TINY), math.ceil(high / step - TINY)
    while last - first > most:
        step = _step(step * 1.01, by)
        first, last = math.floor(low / step + TINY), math.ceil(high / step - TINY)
    return [float(f"{number * step:.12g}") for number in range(first, max(last, first + 1) + 1)]


def _step(rough: float, by: Format) -> float:
    scale = by.scale if by.kind in ("percent", "time") else 1.0
    size = rough * scale
    if by.kind == "time" and 1 <= size <= CLOCK[-1]:
        return next(step for step in CLOCK if step >= size) / scale
    if by.kind == "bytes" and size > 1:
        power = 1024 ** int(math.log(size, 1024))
        return next((p * power for p in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024) if p * power >= size), size)
    power = 10.0 ** math.floor(math.log10(size)) if size > 0 else 1.0
    return next(factor * power for factor in ROUND if factor * power >= size * (1 - TINY)) / scale


def axis_steps(values: Sequence[float], by: Format, *, from_zero: bool, most: int = 5) -> list[float]:
    """Return the values named along an axis. Lines of positive figures begin at zero unless that flattens them."""
    low, high = min(values), max(values)
    near = low >= 0 and low < 0.5 * high
    if from_zero or near or low == high:
        low, high = min(low, 0.0), max(high, 0.0)
    if low == high:
        high = 1.0
    return nice_steps(low, high, most, by)


def log_steps(values: Sequence[float]) -> list[float]:
    """Return powers of ten around positive values, with their halves where those are few."""
    first, last = math.floor(math.log10(min(values)) + TINY), math.ceil(math.log10(max(values)) - TINY)
    last = max(last, first + 1)
    every = math.ceil((last - first + 1) / 7)
    return [10.0**power for power in range(first, last + (first - last) % every + 1, every)]


def axis_labels(steps: Sequence[float], by: Format) -> list[str]:
    """Write an axis's values shortly, all with the same digits and unit: "$1.5M", "40%", "2 h"; powers each by itself."""
    size = max(map(abs, steps))
    if len(steps) > 1 and min(filter(None, map(abs, steps)), default=size) <= size / POWERS_APART:
        return [label for step in steps for label in axis_labels([step], by)]
    if by.kind in ("number", "money", "unit", "plain") and size >= 10_000:
        return _compact(steps, by, size)
    if by.kind == "money":
        whole = all(float(step * by.scale).is_integer() for step in steps)
        return [written.money(step * by.scale, by.unit, 0 if whole else 2, by.locale) for step in steps]
    if by.kind in ("number", "unit"):
        return [written.number(_scaled(step, by), 6, by.locale) for step in steps]
    return [by.said(int(step) if float(step).is_integer() else step) for step in steps]


def _compact(steps: Sequence[float], by: Format, size: float) -> list[str]:
    power, letter = next((each for each in POWERS if size * by.scale >= each[0]), POWERS[-1])
    if size >= 1e16:
        return [f"{step * by.scale:.3g}" for step in steps]
    places = 0
    while places < 3 and any(
        abs(round(s * by.scale / power, places) * power - s * by.scale) > power * TINY for s in steps
    ):
        places += 1
    texts = [written.number(step * by.scale / power, places, by.locale, places) for step in steps]
    if by.kind != "money":
        return ["0" if not step else f"{text}{letter}" for step, text in zip(steps, texts, strict=True)]
    return [_money(step, text, letter, by) for step, text in zip(steps, texts, strict=True)]


def _money(step: float, text: str, letter: str, by: Format) -> str:
    """Put the sign of the currency where the locale has it."""
    zero = written.money(0, by.unit, 0, by.locale)
    digits = text.lstrip("-−") + letter if step else "0"
    return f"{'−' if step < 0 else ''}{zero.replace('0', digits, 1)}"


def _scaled(step: float, by: Format) -> float:
    return float(f"{step * by.scale:.12g}")
