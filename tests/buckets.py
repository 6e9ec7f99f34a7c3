"""moto, which speaks S3, with an empty bucket in RAM on a free loopback port; it has an environment of its own."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import DEVNULL
from urllib.error import URLError
from urllib.request import Request, urlopen
from uuid import uuid4

import pytest

from tests.paths import ROOT
from tests.processes import free_port
from tests.wait import until

PROGRAM = "moto_server"
OWN = ROOT / ".venv-peers" / "moto" / "bin" / PROGRAM
MISSING = "an S3 server is not installed: there is no moto_server on the path; `make buckets` installs one"


@dataclass
class Buckets:
    """A server, which may be stopped and started again, empty; `new_url` gives the address of an empty place."""

    program: str
    port: int
    _process: "subprocess.Popen[bytes] | None" = field(default=None)

    def start(self) -> None:
        command = [self.program, "-H", "127.0.0.1", "-p", str(self.port)]
        self._process = subprocess.Popen(command, cwd="/", stdout=DEVNULL, stderr=DEVNULL)
        until(self.answers, what="the S3 server")
        with urlopen(Request(f"http://127.0.0.1:{self.port}/rows", method="PUT")):
            pass

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    def new_url(self) -> str:
        options = f"region=us-east-1&scheme=http&endpoint_override=127.0.0.1:{self.port}"
        return f"s3://planted:planted-s3-key@rows/{uuid4().hex}?{options}"

    def answers(self) -> bool:
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/"):
                return True
        except (URLError, ConnectionError):
            return False


@contextmanager
def buckets() -> Iterator[Buckets]:
    """Start a server, or skip the test by the name of what is missing."""
    program = str(OWN) if Path(OWN).exists() else shutil.which(PROGRAM)
    if program is None:
        pytest.skip(MISSING)
    server = Buckets(program, free_port())
    try:
        server.start()
        yield server
    finally:
        server.stop()
