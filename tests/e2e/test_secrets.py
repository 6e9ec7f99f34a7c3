"""Secrets planted in every secret setting stand nowhere in what is written: log, files, databases, messages."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from config import SECRETS
from local_slack.testing import GENERAL, slack_server
from tests.buckets import buckets
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation
from tests.postgres import Postgres, postgres
from tests.wait import until

TABLES = """
CREATE TABLE orders (id INTEGER PRIMARY KEY, amount INTEGER);
INSERT INTO orders VALUES (1, 10), (2, 20), (3, 30);
"""
CONFIG = """
sources: {shop: {url: "${SHOP_URL}"}}
channels: {"*": {source: shop}}
api_tokens: [{token: "${CALLER_TOKEN}", team: T1, user: U1, channels: ["*"]}]
"""


class Echo(BaseHTTPRequestHandler):
    """A server that repeats the key of whoever calls it."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps(
            {"error": {"message": f"Wrong key: {self.headers['Authorization']}", "code": "invalid_api_key"}}
        )
        self.send_response(401)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def echo() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Echo) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


def secret(name: str) -> str:
    return f"planted-{name.lower().replace('_', '-')}-7x"


def planted(server: Postgres, folder: Path, model: str) -> dict[str, str]:
    """Return all secret settings but the Slack tokens, and what belongs to them."""
    (folder / "shop.yaml").write_text(CONFIG, "utf-8")
    databases = {name: server.new_database() for name in ("SHOP_URL", "STATE_URL", "ENGINE_URL")}
    with server.connect(databases["SHOP_URL"].rpartition("/")[2]) as session:
        session.execute(TABLES.encode())
    urls = {**databases, "DATABASE_URL": databases["SHOP_URL"], "RIGHTS_URL": databases["SHOP_URL"]}
    with_password = {name: url.replace("postgres@", f"postgres:{secret(name)}@") for name, url in urls.items()}
    return {
        **with_password,
        "REDIS_URL": f"redis://:{secret('REDIS_URL')}@127.0.0.1:1/0",
        "OPENAI_BASE_URL": model,
        "OPENAI_PROXY": model.removesuffix("/v1").replace("//", f"//proxy:{secret('OPENAI_PROXY')}@"),
        "OPENAI_API_KEY": secret("OPENAI_API_KEY"),
        "SLACK_SIGNING_SECRET": secret("SLACK_SIGNING_SECRET"),
        "CALLER_TOKEN": secret("CALLER_TOKEN"),
        "METRICS_TOKEN": secret("METRICS_TOKEN"),
        "CONFIG_FILE": "shop.yaml",
        "HTTP_PORT": "0",
        "LOG_LEVEL": "DEBUG",
    }


@pytest.mark.parametrize("place", ["folder", "s3"])
def test_nothing_secret_is_written_anywhere(tmp_path: Path, place: str) -> None:
    with ExitStack() as opened, postgres() as server, echo() as model, slack_server() as slack:
        rows = opened.enter_context(buckets()) if place == "s3" else None
        settings = planted(server, tmp_path, model) | ({"RESULTS_STORE": rows.new_url()} if rows else {})
        shop = settings["SHOP_URL"].rpartition("/")[2]
        without = {"SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"} | (set() if rows else {"RESULTS_STORE"})
        assert settings.keys() >= set(SECRETS) - without
        with BotProcess(slack, tmp_path, **settings) as bot:
            thread = Conversation(slack)
            assert "3" in thread.ask("how many orders are there?")["text"]
            with server.connect() as session:
                session.execute(f'ALTER DATABASE "{shop}" ALLOW_CONNECTIONS false'.encode())
                session.execute(b"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (shop,))
            thread.ask("what is the total amount?")
            bot.kill()
            bot.start()
            if rows:
                rows.stop()
            thread.say("how many orders are there by id?")
            if rows:  # what is said of its absence names the address, in which the key stands
                until(lambda: "The store of results" in bot.log.read_text("utf-8"), 60, "the absence in the log")
                rows.start()
            until(lambda: thread.answers()[2:], 60, "the answer")
        written = list(_written(tmp_path, server, settings, slack.messages(GENERAL)))
        tokens = [slack.bot_token, slack.app_token]
    assert {"bot.log", "messages"} < {where for where, _ in written}
    assert any("total amount" in text for where, text in written if where.startswith("STATE_URL"))
    assert any("401 Unauthorized" in text for where, text in written if where == "bot.log")
    found = [(where, known) for where, text in written for known in ("planted-", *tokens) if known in text]
    assert found == []


def _written(folder: Path, server: Postgres, settings: dict[str, str], messages: object) -> Iterator[tuple[str, str]]:
    yield "messages", json.dumps(messages)
    for path in folder.rglob("*"):
        if path.is_file():
            yield path.name, path.read_bytes().decode("utf-8", "replace")
    for name in ("STATE_URL", "ENGINE_URL"):
        with server.connect(settings[name].rpartition("/")[2]) as session:
            names = "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE tableowner = 'postgres'"
            for (table,) in session.execute(names).fetchall():
                for (row,) in session.execute(f"SELECT t::text FROM {table} AS t".encode()):
                    yield f"{name} {table}", str(row)
