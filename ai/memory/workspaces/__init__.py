"""Workspaces, the states saved in them, and traces of tools."""

from ai.memory.workspaces.states import Origin, Snapshot, State, States
from ai.memory.workspaces.traces import TracedCall, Traces
from ai.memory.workspaces.workspaces import Workspace, Workspaces

__all__ = ["Origin", "Snapshot", "State", "States", "TracedCall", "Traces", "Workspace", "Workspaces"]
