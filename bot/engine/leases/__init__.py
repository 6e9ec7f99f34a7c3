"""Leases of running engines: by file locks on one machine, by advisory locks of PostgreSQL."""

from bot.engine.leases.files import FileLeases, Leases, living_on

__all__ = ["FileLeases", "Leases", "living_on"]
