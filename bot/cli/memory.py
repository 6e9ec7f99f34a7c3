"""`datathread memory`: count, export and forget."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from ai.errors import NotFound, SourceUnavailable

if TYPE_CHECKING:
    from ai.memory_store import MemoryStore

ALL = 1_000_000


@click.group()
def memory() -> None:
    """Count, export and forget conversations."""


@memory.command()
def stats() -> None:
    """Print the number of threads, messages and tokens."""
    with _memory() as store:
        keys = store.parts.conversations.keys()
        figures = [store.windows.get_memory_stats(key) for key in keys]
        messages, tokens = sum(f.total_messages for f in figures), sum(f.total_tokens for f in figures)
        click.echo(f"{len(keys)} threads, {messages} messages, {tokens} tokens")


@memory.command()
@click.argument("thread")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of Markdown.")
def export(thread: str, as_json: bool) -> None:
    """Print THREAD, given as team/channel/ts: every message, and every query with its SQL."""
    from ai.memory.keeping import as_json as json_of
    from ai.memory.keeping import as_markdown
    from ai.types import ThreadKey

    key = ThreadKey.of(thread)
    with _memory() as store:
        _require_known(store, thread, None)
        write = json_of if as_json else as_markdown
        click.echo(write(key, store.archives.everything(key), store.queries(key, ALL)[::-1]), nl=False)


@memory.command()
@click.option("--thread", default=None, help="Forget a thread, given as team/channel/ts.")
@click.option("--person", default=None, help="Forget what a person asked, by the id of the user.")
@click.option("--everything", is_flag=True, help="Forget all.")
@click.option("--expired", is_flag=True, help="Forget what is older than its channel keeps (retention_days).")
def forget(thread: str | None, person: str | None, everything: bool, expired: bool) -> None:
    """Forget for good: log, index, archives, results, exports, states, down to the bytes of the files."""
    if [thread is not None, person is not None, everything, expired].count(True) != 1:
        raise click.UsageError("Say what to forget: one of --thread, --person, --everything or --expired.")
    from ai.types import ThreadKey
    from bot.product import forgetting
    from config import load

    with _memory() as store:
        keeper = forgetting(store, load())
        _require_known(store, thread, person)
        if thread is not None:
            gone = keeper.thread(ThreadKey.of(thread))
        elif person is not None:
            gone = keeper.person(person)
        else:
            gone = keeper.everything() if everything else keeper.expired(datetime.now(UTC))
        click.echo(f"{len(gone.turns)} turns of {len(gone.threads)} threads are forgotten.")
        if not gone.scrubbed:
            raise SourceUnavailable("Somebody is reading the memory: its words are gone, their bytes may not be yet.")


def _require_known(store: "MemoryStore", thread: str | None, person: str | None) -> None:
    """Raise NotFound for a thread or a person that the memory does not know."""
    from ai.types import ThreadKey

    key = None if thread is None else ThreadKey.of(thread)
    if key is not None and not store.lifecycle.knows_thread(key):
        raise NotFound(f"There is no thread {thread} in the memory; name it as team/channel/ts.")
    if person is not None and not store.lifecycle.knows_person(person):
        raise NotFound(f"Nobody called {person} is in the memory; give the id of the user.")


@contextmanager
def _memory() -> "Iterator[MemoryStore]":
    from ai.memory_store import open_configured
    from config import load

    with closing(open_configured(load())) as store:
        yield store
