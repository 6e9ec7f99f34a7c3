"""The page docs/commands.md: all commands with their arguments and options, as the command line itself tells them."""

from collections.abc import Iterator

import click

from bot.cli.main import commands
from local_slack.__main__ import _parser

HEAD = """\
# Commands

Everything that `datathread` does on the command line. `datathread COMMAND --help` prints the same. Errors are one sentence on
standard error with exit status 2; [troubleshooting](troubleshooting.md) has their causes. Settings come from the environment
and `.env` ([settings](settings.md)).

`make fix` makes this page from the commands.
"""


def page() -> str:
    context = click.Context(commands, info_name="datathread")
    return "\n".join([HEAD, *_pages(commands, context)])


def _pages(group: click.Group, parent: click.Context) -> Iterator[str]:
    for name in sorted(group.commands):
        command = group.commands[name]
        context = click.Context(command, info_name=name, parent=parent)
        yield _entry(command, context)
        if isinstance(command, click.Group):
            yield from _pages(command, context)


def _entry(command: click.Command, context: click.Context) -> str:
    pieces = [piece for piece in command.collect_usage_pieces(context) if piece != "[OPTIONS]"]
    lines = [f"## {context.command_path}\n", f"`{' '.join([context.command_path, *pieces])}`\n", _told(command)]
    rows = list(_rows(command, context))
    if rows:
        lines += [
            "| Option | What it does |",
            "|---|---|",
            *(f"| `{_cell(name)}` | {_cell(told)} |" for name, told in rows),
            "",
        ]
    return "\n".join(lines)


def _told(command: click.Command) -> str:
    paragraphs = (command.help or "").split("\n\n")
    return "\n\n".join(" ".join(each.split()) for each in paragraphs) + "\n"


def _rows(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[1] and record[0] != "--help":
            yield record
    if "ignore_unknown_options" in command.context_settings:
        yield from _local_slack()


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _local_slack() -> Iterator[tuple[str, str]]:
    """The options that are handed on to the local Slack."""
    for action in _parser("datathread slack")._actions:
        value = action.metavar or ("|".join(action.choices) if action.choices else action.dest.upper())
        name = f"{action.option_strings[0]} {value}" if action.nargs != 0 else action.option_strings[0]
        if name != "--help" and action.dest != "help":
            yield name, (action.help or "") % {"default": action.default}
