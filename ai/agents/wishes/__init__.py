"""Wishes in messages, read by patterns. Pure."""
