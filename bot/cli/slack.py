"""`datathread slack`: start the local Slack alone, examine a real one, or print the app's manifest."""

import json
import sys
from pathlib import Path

import click

from ai.errors import ConfigError


class LocalByDefault(click.Group):
    """A group whose options without a command are those of the local Slack."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args if args[:1] and args[0] in self.commands else ["local", *args])


@click.group(cls=LocalByDefault)
def slack() -> None:
    """Start the local Slack alone, for any Bolt app; `datathread slack doctor` examines a real one."""


@slack.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def local(options: tuple[str, ...]) -> None:
    """Start the local Slack; `datathread slack --help` lists its options."""
    from local_slack.__main__ import main as serve

    sys.exit(serve(list(options), "datathread slack"))


@slack.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON, which Slack's own command line reads.")
def manifest(as_json: bool) -> None:
    """Print the manifest of the Slack app, to paste where an app is created from a manifest."""
    import yaml

    from bot.demo.launch import manifest as manifest_file

    text = manifest_file().read_text("utf-8")
    click.echo(json.dumps(yaml.safe_load(text), indent=1) if as_json else text, nl=as_json)


@slack.command()
@click.option("--channel", required=True, help="Id of a scratch channel that the bot is in.")
@click.option(
    "--out", type=click.Path(dir_okay=False, writable=True, path_type=Path), help="Written: the record, JSON."
)
def doctor(channel: str, out: Path | None) -> None:
    """Try what the bot relies on in CHANNEL, for about three minutes; exit status 1 when something does not work.

    All messages are deleted again. `python -m local_slack --rules FILE` behaves as the record says.
    """
    from bot.contact import greeted, limiter_of, posting_client
    from bot.doctor import examine
    from config import load

    settings = load()
    if settings.slack_bot_token is None:
        raise ConfigError("SLACK_BOT_TOKEN is missing: set the tokens of the Slack to examine.")
    client = posting_client(settings)
    app_token = settings.slack_app_token.get_secret_value() if settings.slack_app_token else None
    record = examine(client, greeted(client, (0.0,)), channel, app_token, limiter_of(settings))
    if out is not None:
        out.write_text(json.dumps(record.as_json(), indent=1, ensure_ascii=False) + "\n", "utf-8")
    for name, rule in record.limits.items():
        click.echo(f"      {name:28}{rule['value']}")
    for name, found in record.forms.items():
        click.echo(f"{'ok' if found == 'accepted' else '--':6}{name:28}{found}")
    for name, found in record.works.items():
        click.echo(f"{'ok' if found == 'works' else 'FAILS':6}{name:28}{found}")
    sys.exit(1 if record.problems else 0)
