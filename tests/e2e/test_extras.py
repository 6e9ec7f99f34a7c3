"""What an extra brings is missed in one sentence that says what to install; what is not needed is not loaded."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cases import cases
from tests.postgres import postgres
from tests.processes import bare_environment

WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
from bot.cli.main import main
sys.argv = ["datathread", *{command!r}]
main()
"""
LOADED = """
import json, sys
from bot.cli.main import commands
try:
    commands.main(["ask", "how many apps do we have?"], prog_name="datathread", standalone_mode=False)
finally:
    print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})), file=sys.stderr)
"""
HEAVY = {
    "pandas",
    "duckdb",
    "matplotlib",
    "altair",
    "vl_convert",
    "openai",
    "langchain_core",
    "langchain_openai",
    "httpx2",
}
HEAVY |= {"redis", "xlsxwriter", "psycopg", "pymysql", "model2vec", "opentelemetry", "prometheus_client"}
HEAVY |= {"fastapi", "uvicorn", "slack_bolt", "langgraph"}


def run(folder: Path, code: str, **settings: str) -> "subprocess.CompletedProcess[str]":
    environment = {**bare_environment(), "DATA_DIR": str(folder / "data"), **settings}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("case", cases(Path(__file__).parent / "extras.jsonl"))
def test_a_missing_extra_is_one_sentence(tmp_path: Path, case: dict[str, Any]) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "model.safetensors").touch()
    command = case.get("command", ["ask", "how many apps do we have?"])
    done = run(tmp_path, WITHOUT.format(blocked=case["blocked"], command=command), **case["settings"])
    assert done.stderr.splitlines() == [case["said"]]
    assert done.returncode == 2


def test_without_redis_a_memory_that_would_use_it_says_so(tmp_path: Path) -> None:
    code = WITHOUT.format(blocked=["redis"], command=["ask", "how many apps do we have?"])
    with postgres() as server:
        done = run(tmp_path, code, STATE_URL=server.new_database(), REDIS_URL="redis://127.0.0.1:1/0")
    assert done.stderr.splitlines() == [
        "REDIS_URL needs packages that are not installed: run pip install 'datathread[redis]'."
    ]


def test_an_excel_export_without_its_writer_offers_csv(tmp_path: Path) -> None:
    code = WITHOUT.format(blocked=["xlsxwriter"], command=["ask", "--thread", "t", "export all apps as excel"])
    done = run(tmp_path, code)
    assert "Excel workbooks are not set up here; ask for CSV, or ask an owner" in done.stdout
    assert done.returncode == 0, done.stderr


def test_a_plain_answer_loads_nothing_heavy(tmp_path: Path) -> None:
    done = run(tmp_path, LOADED)
    assert "49" in done.stdout
    assert HEAVY & set(json.loads(done.stderr.splitlines()[-1])) == set()
