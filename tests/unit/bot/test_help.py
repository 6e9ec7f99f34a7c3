"""`python -m bot --help` is quick: it loads nothing heavy."""

import subprocess
import sys

from tests.paths import ROOT

HEAVY = "duckdb fastapi langchain_core pandas pyarrow pydantic slack_bolt slack_sdk sqlalchemy sqlglot yaml".split()
PROGRAM = f"""
import sys
from bot.cli.main import commands
commands.main(["--help"], standalone_mode=False)
print(sorted(set({HEAVY}) & set(sys.modules)), file=sys.stderr)
"""


def test_help_loads_nothing_heavy() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "Answer data questions in Slack threads" in ran.stdout
    assert ran.stderr.strip() == "[]"
