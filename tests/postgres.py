"""A PostgreSQL server of our own: an empty cluster in a temporary folder, on a free loopback port, gone afterwards."""

import atexit
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from signal import SIGINT
from tempfile import TemporaryDirectory
from uuid import uuid4

import psycopg
import pytest

from tests.processes import free_port
from tests.wait import until


@dataclass
class Postgres:
    """A server, which may be stopped and started again; `new_database` gives the address of an empty database."""

    cluster: Path
    owner: str | None
    port: int
    _process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        options = ["-h", "127.0.0.1", "-p", str(self.port), "-k", "", "-c", "fsync=off"]
        command = ["postgres", "-D", str(self.cluster), *options]
        self._process = subprocess.Popen(command, user=self.owner, cwd="/", stderr=subprocess.DEVNULL)
        until(self.answers, what="the PostgreSQL server")

    def stop(self) -> None:
        """End it fast, without waiting for its clients."""
        if self._process is not None:
            self._process.send_signal(SIGINT)
            self._process.wait()

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


@cache
def _empty_cluster(owner: str | None) -> Path:
    """Make a cluster to copy, once for this process: making one takes several times as long."""
    folder = TemporaryDirectory(prefix="datathread-postgres-")
    atexit.register(folder.cleanup)
    if owner:
        shutil.chown(folder.name, owner)
    cluster = Path(folder.name) / "cluster"
    initdb = ["initdb", "--pgdata", str(cluster), "--auth", "trust", "--username", "postgres", "--no-sync"]
    subprocess.run(initdb, user=owner, cwd="/", check=True, stdout=subprocess.DEVNULL)
    return cluster


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
    subprocess.run(["cp", "-a", str(_empty_cluster(owner)), str(cluster)], user=owner, cwd="/", check=True)
    server = Postgres(cluster, owner, free_port())
    try:
        server.start()
        yield server
    finally:
        server.stop()
