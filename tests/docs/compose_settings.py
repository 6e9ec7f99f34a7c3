"""The part of compose.yml that hands on the settings nobody set there by hand."""

import re

from config import Settings
from tests.paths import ROOT

FILE = ROOT / "compose.yml"
BEFORE, AFTER = "`make fix` writes these lines.\n", "    volumes:\n      - data:/data\n"


def page() -> str:
    """Return the file with one line for each setting."""
    head, rest = FILE.read_text("utf-8").split(BEFORE)
    _, tail = rest.split(AFTER)
    by_hand = set(re.findall(r"^      ([A-Z_]+):", head, re.MULTILINE))
    others = (name.upper() for name in Settings.model_fields if name.upper() not in by_hand)
    return f"{head}{BEFORE}{''.join(f'      {name}:{chr(10)}' for name in others)}{AFTER}{tail}"
