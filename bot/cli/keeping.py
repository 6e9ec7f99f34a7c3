"""`datathread migrate`: the stores of the bot as files and tables, not what they say."""

from contextlib import closing

import click

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
