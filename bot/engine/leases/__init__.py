"""Leases of running engines: by file locks on one machine, by advisory locks of PostgreSQL."""

from bot.engine.leases.files import FileLeases, Leases

__all__ = ["FileLeases", "Leases"]
