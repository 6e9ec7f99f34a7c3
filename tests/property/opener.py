"""A process that opens each new store when all of its kind do: `python -m tests.property.opener FOLDER URL…`."""

import sys
from contextlib import closing
from pathlib import Path

from ai.memory.opening import open_engine
from bot.engine import Engine


def open_all(folder: Path, urls: list[str]) -> None:
    for number, url in enumerate(urls):
        print("ready", flush=True)  # noqa: T201 - who started it waits for this
        sys.stdin.readline()
        open_engine(url).dispose()
        with closing(Engine(url, folder / str(number), lambda *_: "")) as engine:
            engine.launch()


if __name__ == "__main__":
    open_all(Path(sys.argv[1]), sys.argv[2:])
