"""Each folder is a room: few entries, a purpose in one line, and a layer in the import contracts."""

import ast
import tomllib
from fnmatch import fnmatch

import pytest

from tests.paths import ROOT

MOST = 18  # modules and folders of one room
LISTS = {
    "ai/agents": "one file per agent is how agents are added",
    "ai/nl2sql": "the stages of one pipeline, from words to SQL",
}
BARE = {"ai/memory/migrations/versions": "Alembic finds its files by their revision; nothing can import them"}
ROOMS = sorted(
    path.parent.relative_to(ROOT).as_posix()
    for top in ("ai", "bot", "local_slack")
    for path in ROOT.glob(f"{top}/**/__init__.py")
)

CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]


def entries(room: str) -> list[str]:
    """Modules and folders of a room, its door left out."""
    inside = (ROOT / room).iterdir()
    return sorted(
        p.stem for p in inside if (p.suffix == ".py" and p.stem != "__init__") or (p / "__init__.py").exists()
    )


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_small(room: str) -> None:
    assert room in LISTS or len(entries(room)) <= MOST, entries(room)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_says_what_it_is_for_in_one_line(room: str) -> None:
    purpose = ast.get_docstring(ast.parse((ROOT / room / "__init__.py").read_text("utf-8")))
    assert purpose, f"{room}/__init__.py has no docstring"
    assert len(purpose.splitlines()[0]) <= 120


@pytest.mark.parametrize("room", sorted(set(ROOMS) - BARE.keys()))
def test_a_room_is_held_by_a_contract(room: str) -> None:
    """The room stands in a layer of its parent, or a contract guards it or all that is in it."""
    dotted = room.replace("/", ".")
    parent, _, name = dotted.rpartition(".")
    layered = {
        part.strip(" ()")
        for contract in CONTRACTS
        if parent in contract.get("containers", ()) or (not parent and "layers" in contract)
        for layer in contract["layers"]
        for part in layer.replace(":", "|").split("|")
    }
    guarded = {m for c in CONTRACTS for m in (*c.get("protected_modules", ()), *c.get("source_modules", ()))}
    assert name in layered or any(fnmatch(dotted, g) or g.startswith(f"{dotted}.") for g in guarded)
