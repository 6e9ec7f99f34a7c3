"""Reads from git which lines a change has touched."""

import re
import subprocess

from tests.paths import ROOT

HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")


def changed_lines(base: str) -> dict[str, set[int]]:
    """Return the lines, new or changed since `base`, of each Python file of the product."""
    command = ["git", "diff", "--unified=0", "--no-prefix", "--no-ext-diff", base, "--", "ai", "bot", "config.py"]
    found: dict[str, set[int]] = {}
    lines: set[int] = set()
    for line in subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines():
        if line.startswith("+++ "):
            lines = found.setdefault(line[4:], set()) if line.endswith(".py") else set()
        elif hunk := HUNK.match(line):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            lines.update(range(first, first + count))
    return found
