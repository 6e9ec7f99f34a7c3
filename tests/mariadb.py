"""A MariaDB server of our own: empty, in a temporary folder, on a free loopback port, gone afterwards."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import pymysql  # type: ignore[import-untyped]
import pytest
from pymysql.constants import CLIENT  # type: ignore[import-untyped]

from tests.processes import free_port
from tests.wait import until


@dataclass(frozen=True)
class MariaDB:
    """A running server; `new_database` gives the address of an empty one."""

    port: int

    def new_database(self) -> str:
        name = f"test_{uuid4().hex}"
        self.run(f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
        return f"mysql://root@127.0.0.1:{self.port}/{name}"

    def run(self, script: str, database: str | None = None) -> None:
        with self.connect(database) as session, session.cursor() as cursor:
            cursor.execute(script)
            while cursor.nextset():
                pass

    def connect(self, database: str | None = None) -> Any:
        return pymysql.connect(
            host="127.0.0.1",
            port=self.port,
            user="root",
            database=database,
            autocommit=True,
            ssl_disabled=True,  # its driver would load the authorities of this machine for each connection
            client_flag=CLIENT.MULTI_STATEMENTS,
        )

    def answers(self) -> bool:
        try:
            self.connect().close()
        except pymysql.OperationalError:
            return False
        return True


@contextmanager
def mariadb() -> Iterator[MariaDB]:
    """Start a server, or skip the test by the name of what is missing."""
    install, serve = (_found(program) for program in ("mariadb-install-db", "mariadbd"))
    if not install or not serve:
        pytest.skip("MariaDB is not installed: there is no mariadb-install-db or mariadbd on the path")
    with TemporaryDirectory(prefix="datathread-mariadb-") as folder:
        yield from _serve(Path(folder), install, serve)


def _serve(folder: Path, install: str, serve: str) -> Iterator[MariaDB]:
    where = ["--no-defaults", f"--datadir={folder / 'data'}"]
    owner = ["--user=root"] if os.geteuid() == 0 else []
    access = ["--auth-root-authentication-method=normal", "--skip-test-db"]
    subprocess.run([install, *where, *owner, *access], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server = MariaDB(free_port())
    net = ["--bind-address=127.0.0.1", f"--port={server.port}", f"--socket={folder / 'socket'}"]
    files = [f"--pid-file={folder / 'pid'}", f"--tmpdir={folder}", "--innodb-flush-log-at-trx-commit=0"]
    process = subprocess.Popen([serve, *where, *owner, *net, *files], stderr=subprocess.DEVNULL)
    try:
        until(server.answers, what="the MariaDB server")
        yield server
    finally:
        process.terminate()
        process.wait()


def _found(program: str) -> str | None:
    return shutil.which(program) or shutil.which(program, path="/usr/sbin")  # where Debian keeps servers
