"""How long things are kept: edits, retention, erasure, export."""

from ai.memory.keeping.access import AccessEntry, AccessLog, Outcome
from ai.memory.keeping.export import as_json, as_markdown
from ai.memory.keeping.lifecycle import Forgotten, Lifecycle

__all__ = ["AccessEntry", "AccessLog", "Forgotten", "Lifecycle", "Outcome", "as_json", "as_markdown"]
