"""The tables of docs/security.md are what comes of measuring anew."""

from collections.abc import Iterable

import pytest

from benchmarks.layers import ENGINES, by_engine, by_guard
from tests.paths import ROOT, SHARED_DATA

SERVERS = [pytest.param(name, marks=() if name == "sqlite" else pytest.mark.slow) for name in ENGINES]

pytestmark = pytest.mark.skipif(
    not (SHARED_DATA / "guard" / "public.jsonl").exists(), reason="The public corpus of the guard is not there"
)


def missing(lines: Iterable[str]) -> list[str]:
    told = (ROOT / "docs" / "security.md").read_text("utf-8").splitlines()
    return [line for line in lines if line not in told]


def test_what_each_layer_of_the_guard_refuses() -> None:
    assert missing(by_guard()) == []


@pytest.mark.parametrize("engine", SERVERS)
def test_what_an_engine_stops_alone(engine: str) -> None:
    assert missing(by_engine(engine)) == []
