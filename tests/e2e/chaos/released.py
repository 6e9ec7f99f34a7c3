"""What releases leave behind when they are killed at work: `python -m tests.e2e.chaos.released 0.1.0` packs this code's.

Packed are the bot's data folder, Slack as it was then, and what was asked: answered, being answered, or waiting. A
packed file is never made anew: it is what a release of that time wrote.
"""

import json
import sqlite3
import sys
import tarfile
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from local_slack.testing import slack_server
from tests.e2e.chaos.crowd import Asked, Crowd
from tests.e2e.chaos.fleet import fleet
from tests.wait import until

RELEASES = Path(__file__).parent / "released"
THREADS = 4


def pack(release: str) -> Path:
    """Kill a bot in mid-work, and write down what is left."""
    packed = RELEASES / f"{release}.tar.gz"
    with TemporaryDirectory() as name:
        folder = Path(name)
        with slack_server("--data", str(folder / "slack.json")) as slack, fleet(slack, folder, WORKERS="2") as bots:
            crowd = Crowd(slack)
            threads = crowd.begin(THREADS)
            crowd.wait()
            slack.fault("chat.postMessage", "slow", times=THREADS, seconds=60)
            for _ in range(2):
                slack.advance(1)
                crowd.go_on(threads)
            slack.wait_until_quiet()
            until(lambda: len(slack.calls("chat.postMessage")) == THREADS + 2, what="two turns to have begun")
            bots.kill()
        (folder / "asked.json").write_text(json.dumps([asdict(one) for one in crowd.asked]), "utf-8")
        for file in (folder / "data").glob("*.sqlite"):
            with closing(sqlite3.connect(file)) as database:
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                database.execute("VACUUM")
        packed.parent.mkdir(exist_ok=True)
        with tarfile.open(packed, "w:gz") as archive:
            for part in ("data", "slack.json", "asked.json"):
                archive.add(folder / part, part)
    return packed


def unpack(packed: Path, folder: Path) -> list[Asked]:
    """Put a packed release into a folder; what was asked of it."""
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="data")
    return [Asked(**one) for one in json.loads((folder / "asked.json").read_text("utf-8"))]


if __name__ == "__main__":
    print(pack(sys.argv[1]))  # noqa: T201 - the file that was made
