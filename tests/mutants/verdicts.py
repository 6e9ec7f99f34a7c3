"""Keeps which test killed each mutant of a branch that says no, and why the others stay."""

import json
from pathlib import Path

LEDGER = Path(__file__).with_name("ledger.jsonl")
VERDICTS = Path(__file__).with_name("verdicts.jsonl")


def accepted() -> dict[str, str]:
    """Return the reasons of the mutants that no test can notice."""
    return {case["mutant"]: case["reason"] for case in map(json.loads, LEDGER.read_text("utf-8").splitlines())}


def killers() -> dict[str, str]:
    """Return the test that last killed each mutant."""
    lines = VERDICTS.read_text("utf-8").splitlines() if VERDICTS.exists() else []
    return {case["mutant"]: case["by"] for case in map(json.loads, lines)}


def keep(name: str, killer: str | None) -> None:
    """Keep the test that killed a mutant; None takes its verdict away."""
    found = {**killers(), name: killer}
    lines = [json.dumps({"mutant": one, "by": found[one]}, ensure_ascii=False) for one in sorted(found) if found[one]]
    VERDICTS.write_text("".join(f"{line}\n" for line in lines), "utf-8")
