"""Workspaces, the states saved in them, and traces of tools."""

from ai.memory.workspaces.states import Snapshot, State, StateOrigin, States
from ai.memory.workspaces.traces import Trace, TracedCall, Traces
from ai.memory.workspaces.workspaces import Workspace, Workspaces

__all__ = ["Snapshot", "State", "StateOrigin", "States", "Trace", "TracedCall", "Traces", "Workspace", "Workspaces"]
