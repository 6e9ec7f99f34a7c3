"""Functions a query may call: one data file per dialect, made by `tests.function_lists.generate`.

A function new in an engine is refused until somebody looks.
"""

from functools import cache
from importlib.resources import files


@cache
def allowed_functions(dialect: str) -> frozenset[str]:
    """Return the allowed functions of a dialect in lower case."""
    text = files(__name__).joinpath(f"{dialect}.txt").read_text(encoding="utf-8")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return frozenset(line for line in lines if line)
