"""The command line. Commands import what they need when they run, so that `--help` is quick."""

import gc
import sys

import click

from ai.errors import DatathreadError
from bot import __version__
from bot.cli.keeping import backup, migrate, restore
from bot.cli.memory import memory
from bot.cli.predict import predict
from bot.cli.quality import audit, evaluate
from bot.cli.rights import rights
from bot.cli.running import ask, check, run, status
from bot.cli.semantics import semantics
from bot.cli.sets import figures, guard, link, listen, match, recall, say
from bot.cli.slack import slack

LOADING = 200_000  # objects made between two collections: a start makes half a million and drops few


@click.group()
@click.version_option(__version__, message="%(version)s")
def commands() -> None:
    """Answer data questions in Slack threads, with SQL that is checked before it runs."""


for _command in (
    ask,
    audit,
    backup,
    check,
    evaluate,
    figures,
    guard,
    link,
    listen,
    match,
    memory,
    migrate,
    predict,
    recall,
    restore,
    rights,
    run,
    say,
    semantics,
    slack,
    status,
):
    commands.add_command(_command)


def main() -> None:
    """Run a command. Errors are one sentence on standard error and exit status 2."""
    gc.set_threshold(LOADING)
    try:
        commands.main(prog_name="datathread", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        sys.exit(130)
    except DatathreadError as error:
        click.echo(_translated(" ".join(str(error).split())), err=True)  # words of a driver may have several lines
        sys.exit(2)
    finally:
        gc.freeze()  # the end of the process need not look through what goes away with it


def _translated(sentence: str) -> str:
    """Return an error in the language of the settings, in English where these cannot be read."""
    from ai.language.texts import translator_of
    from config import load

    try:
        return translator_of(load().language)(sentence)
    except DatathreadError:
        return sentence
