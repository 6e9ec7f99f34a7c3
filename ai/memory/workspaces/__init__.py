"""Workspaces, the states saved in them, and traces of tools."""
