"""Functions that a query may call: one data file per dialect, made from the engine's own catalogue by `generate`.

What is not in the file is refused, so a function that a new engine version brings is refused until somebody looks.
"""

from functools import cache
from importlib.resources import files


@cache
def allowed_functions(dialect: str) -> frozenset[str]:
    """Lower-case names of the functions that the guard lets through for this dialect."""
    text = files(__name__).joinpath(f"{dialect}.txt").read_text(encoding="utf-8")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return frozenset(line for line in lines if line)
