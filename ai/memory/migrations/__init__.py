"""The steps from one shape of the tables to the next, run by Alembic when a store is opened."""

REVISION = "0009"  # the newest step; a store that has it is opened without loading Alembic
