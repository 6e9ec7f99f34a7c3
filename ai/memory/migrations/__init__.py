"""The migrations of the memory's tables, run by Alembic when a store is opened."""

from pathlib import Path

REVISION = "0019"  # the newest step; a store that has it is opened without loading Alembic


def knows(revision: str) -> bool:
    """Whether a step is one of ours; a newer release has others."""
    versions = Path(__file__).parent / "versions"
    return revision == REVISION or any(file.name.startswith(f"{revision}_") for file in versions.glob("*.py"))
