"""Workspaces, the states saved in them, and traces of tools."""

from ai.memory.workspaces.states import Snapshot, State, StateOrigin, States
from ai.memory.workspaces.traces import TracedCall, Traces
from ai.memory.workspaces.workspaces import Workspace, Workspaces

__all__ = ["Snapshot", "State", "StateOrigin", "States", "TracedCall", "Traces", "Workspace", "Workspaces"]
