"""Calls the toy tool by its name, as a model would."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from ai.agents.toolbox.table import offered
from ai.agents.toolbox.tool import Caller
from ai.memory.limits import MemoryLimits
from ai.memory_store import open_memory
from ai.results.store import ResultStore
from ai.types import Place, ThreadKey

with TemporaryDirectory() as folder:
    memory = open_memory(f"sqlite:///{folder}/state.sqlite", ResultStore(Path(folder) / "results"), MemoryLimits())
    (tool,) = (tool for tool in offered("researcher") if tool.name == "echo")
    caller = Caller(Place("T", "C"), ThreadKey("T", "C", "1.0"), by="researcher")
    sys.stdout.write(str(tool.run(memory, caller, {"words": "hello"})))
    memory.close()
