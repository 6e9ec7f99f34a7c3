"""Several bots that share everything they keep, to be killed and started while people talk to them.

They share one data folder, one memory and one queue, as replicas on one machine do, and ask about one small database.
"""

import signal
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from local_slack.testing import SlackServer
from tests.e2e.bot_process import PlainBot
from tests.postgres import Postgres
from tests.wait import until

COUNTS = {"apps": 3, "users": 5, "plans": 7}


@dataclass
class Fleet:
    """The bots, in the order in which they were started. `url` is where memory and queue are, if not in the folder."""

    slack: SlackServer
    folder: Path
    url: str | None
    settings: dict[str, str]
    running: ExitStack
    bots: list[PlainBot] = field(default_factory=list)

    def add(self, count: int = 1) -> None:
        """Start more bots, all at once, and wait until they are connected."""
        places = {"STATE_URL": self.url, "ENGINE_URL": self.url} if self.url else {}
        database = f"sqlite:///{small_database(self.folder / 'small.sqlite')}"
        for _ in range(count):
            bot = PlainBot(self.slack, self.folder, database, **places, **self.settings)
            self.running.push(bot)
            bot.launch()
            self.bots.append(bot)
        until(self._all_connected, 60, f"{len(self.bots)} bots to connect")

    def _all_connected(self) -> bool:
        dead = any(bot.fail_if_dead() for bot in self.bots)
        return not dead and int(self.slack.state()["connections"]) >= len(self.bots)

    def kill(self, number: int = 0) -> None:
        self.bots[number].kill()

    def restart(self, number: int = 0) -> None:
        self.bots[number].start()

    @property
    def log(self) -> str:
        return self.bots[0].log.read_text("utf-8")

    def complaints(self) -> int:
        """Count the lines of the log without those that tell of answers."""
        return sum(" INFO " not in line for line in self.log.splitlines())

    def launch_again(self, number: int = 0) -> None:
        """Start it and wait for nothing."""
        self.bots[number].launch()

    def is_connected(self) -> bool:
        return self._all_connected()

    @contextmanager
    def frozen(self, number: int = 0) -> Iterator[None]:
        """Let it hang inside the block: it lives, and does nothing."""
        self.bots[number].signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.bots[number].signal(signal.SIGCONT)


@contextmanager
def fleet(slack: SlackServer, folder: Path, size: int = 1, url: str | None = None, **settings: str) -> Iterator[Fleet]:
    """So many bots, connected."""
    with ExitStack() as running:
        bots = Fleet(slack, folder, url, settings, running)
        bots.add()  # it makes the tables
        if size > 1:
            bots.add(size - 1)
        yield bots


def small_database(path: Path) -> Path:
    """Tables of a few rows, and a view that takes minutes to count."""
    if not path.exists():
        with closing(sqlite3.connect(path)) as database:
            for table, count in COUNTS.items():
                database.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, name TEXT)")
                database.executemany(f"INSERT INTO {table} (name) VALUES (?)", [(f"{n}",) for n in range(count)])
            database.execute(
                "CREATE VIEW crawls AS WITH RECURSIVE n(crawl_id) AS"
                " (SELECT 1 UNION ALL SELECT crawl_id + 1 FROM n WHERE crawl_id < 2000000000) SELECT crawl_id FROM n"
            )
            database.commit()
    return path


def slow_database(server: Postgres) -> str:
    """A small table, and a view that takes minutes to count."""
    url = server.new_database()
    with server.connect(url.rpartition("/")[2]) as database:
        database.execute("CREATE TABLE apps (app_id integer PRIMARY KEY, name text)")
        database.execute("INSERT INTO apps VALUES (1, 'a'), (2, 'b'), (3, 'c')")
        database.execute(
            "CREATE VIEW crawls AS SELECT pg_sleep(600)::text AS name, n AS crawl_id FROM generate_series(1, 9) n"
        )
    return url
