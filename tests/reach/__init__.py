"""Finds product functions that no conversation, HTTP call or command executes."""
