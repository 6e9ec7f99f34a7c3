"""The functions of `pyarrow.compute`, made when one is first called: that takes longer than most answers."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyarrow.compute import *  # noqa: F403 - the same names
else:

    def __getattr__(name: str) -> Any:
        return getattr(import_module("pyarrow.compute"), name)
