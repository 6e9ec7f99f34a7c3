"""What is told of one planted change of each kind, whole: `python -m tests.causes.told` writes `told.jsonl` anew.

Look at the difference before you keep it: what people read has changed.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.cli.predict import Item, answered, opened
from tests.causes.planted import PLANS, TODAY, Planted, build, planted

TOLD = Path(__file__).with_name("told.jsonl")
SEED = 1


def asked(folder: Path, plans: Sequence[Planted], history: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """Ask about each plan on a database of its own."""
    names = [f"case{number}" for number in range(len(plans))]
    for number, (name, plan) in enumerate(zip(names, plans, strict=True)):
        build(plan, folder / f"{name}.sqlite", number)
    with opened(names, folder, None) as product:
        return [
            answered(product, Item(name, name, plan.question, history), TODAY)
            for name, plan in zip(names, plans, strict=True)
        ]


def explanations(folder: Path) -> dict[str, str]:
    """Return what is told of each kind of change."""
    kinds = sorted(PLANS)
    told = asked(folder, [planted(kind, SEED) for kind in kinds])
    return {kind: answer["text"] for kind, answer in zip(kinds, told, strict=True)}


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        lines = ({"case": kind, "text": text} for kind, text in explanations(Path(name)).items())
        TOLD.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), "utf-8")
