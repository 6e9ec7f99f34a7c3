"""A PostgreSQL server of our own: an empty cluster in a temporary folder, on a free loopback port, gone afterwards."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from signal import SIGINT
from tempfile import TemporaryDirectory
from uuid import uuid4

import psycopg
import pytest

from tests.wait import until


@dataclass(frozen=True)
class Postgres:
    """A running server; `new_database` gives the address of an empty one."""

    port: int

    def new_database(self) -> str:
        name = f"test_{uuid4().hex}"
        with self.connect() as session:
            session.execute(f'CREATE DATABASE "{name}"'.encode())
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"

    def connect(self, database: str = "postgres") -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(host="127.0.0.1", port=self.port, user="postgres", dbname=database, autocommit=True)

    def answers(self) -> bool:
        try:
            self.connect().close()
        except psycopg.OperationalError:
            return False
        return True


@contextmanager
def postgres() -> Iterator[Postgres]:
    """Start a server, or skip the test by the name of what is missing."""
    for program in ("initdb", "postgres"):
        if not shutil.which(program):
            pytest.skip(f"PostgreSQL is not installed: there is no {program} on the path")
    owner = "postgres" if os.geteuid() == 0 else None  # the server refuses to run as root
    with TemporaryDirectory(prefix="datathread-postgres-") as folder:
        if owner:
            shutil.chown(folder, owner)
        yield from _serve(Path(folder) / "cluster", owner)


def _serve(cluster: Path, owner: str | None) -> Iterator[Postgres]:
    initdb = ["initdb", "--pgdata", str(cluster), "--auth", "trust", "--username", "postgres", "--no-sync"]
    subprocess.run(initdb, user=owner, cwd="/", check=True, stdout=subprocess.DEVNULL)
    server = Postgres(_free_port())
    options = ["-h", "127.0.0.1", "-p", str(server.port), "-k", "", "-c", "fsync=off"]
    process = subprocess.Popen(
        ["postgres", "-D", str(cluster), *options], user=owner, cwd="/", stderr=subprocess.DEVNULL
    )
    try:
        until(server.answers, what="the PostgreSQL server")
        yield server
    finally:
        process.send_signal(SIGINT)  # the fast stop: do not wait for clients
        process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
