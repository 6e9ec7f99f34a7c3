"""`datathread backup`, `restore` and `migrate`: the stores of the bot as a whole."""

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bot.cli.backup import BackupPlaces
    from config import Settings

FOLDER = click.Path(path_type=Path)
BACKED_UP = "{} holds {} rows of {} tables and {} results, {} MB; keep it as private as what people wrote."
RESTORED = "{} of release {} is restored, made {}; `datathread audit` checks its receipts."
LOST = "Not all could be read: {}"

MADE = "The memory was made, at step {} of its tables."
MOVED = "The memory went from step {} of its tables to {}."
STAYED = "The memory is at step {} of its tables, the newest."


@click.command()
def migrate() -> None:
    """Bring the tables of the memory and of the queue up to date, as every start does; say from where to where."""
    from ai.language.texts import translator_of
    from ai.memory.seals import chain_at
    from ai.memory.stores import migrate as migrated
    from bot.engine import TurnQueue
    from config import load

    settings = load()
    settings.make_data_dir()
    done = migrated(settings.state, chain_at(settings.receipt_key_file, settings.data_dir, settings.state))
    with closing(TurnQueue(settings.engine, settings.data_dir)) as queue:
        queue.open()
    told = MADE if done.before is None else STAYED if done.before == done.after else MOVED
    steps = (done.before, done.after) if told is MOVED else (done.after,)
    click.echo(translator_of(settings.language)(told.format(*steps)))


@click.command()
@click.argument("folder", type=FOLDER)
def backup(folder: Path) -> None:
    """Save all that the bot keeps to FOLDER, a new one, while it runs; exit status 1 if not all could be read."""
    from ai.language.texts import translator_of
    from bot.cli.backup import back_up
    from config import load

    settings = load()
    say = translator_of(settings.language)
    made = back_up(_places(settings), folder)
    told = BACKED_UP.format(folder, sum(made.rows.values()), len(made.rows), made.results, f"{made.size / 10**6:.1f}")
    click.echo(say(told))
    for loss in made.losses:
        click.echo(say(LOST.format(loss)), err=True)
    sys.exit(1 if made.losses else 0)


@click.command()
@click.argument("folder", type=FOLDER)
def restore(folder: Path) -> None:
    """Fill the empty stores of the settings from a backup; start the bot afterwards, and the old one no more."""
    from ai.language.texts import translator_of
    from bot.cli.backup import restore as restored
    from config import load

    settings = load()
    say = translator_of(settings.language)
    known = restored(_places(settings), folder)
    click.echo(say(RESTORED.format(folder, known.release, known.made_at)))
    for loss in known.losses:
        click.echo(say(LOST.format(loss)), err=True)


def _places(settings: "Settings") -> "BackupPlaces":
    from ai.memory.seals import chain_at
    from ai.memory.stores import saved_results
    from bot.cli.backup import BackupPlaces

    settings.make_data_dir()
    home, place = settings.data_dir, settings.results_store
    chain = chain_at(settings.receipt_key_file, home, settings.state)
    own_key = None if settings.receipt_key_file else home / "receipt.key"
    results = saved_results(settings.state, place, home / "results")
    return BackupPlaces(settings.state, settings.engine, results, home / "files", chain, own_key, place == "database")
