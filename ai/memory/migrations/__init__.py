"""The migrations of the memory's tables, run by Alembic when a store is opened."""

REVISION = "0018"  # the newest step; a store that has it is opened without loading Alembic
