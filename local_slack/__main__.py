"""Run the local Slack alone: `python -m local_slack`."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from local_slack.access.tokens import Tokens
from local_slack.delivery.deliveries import Redelivery
from local_slack.limits import RulesError, strict
from local_slack.server import serve
from local_slack.slack import LIMIT_FACTORS, Options
from local_slack.state.demo_workspace import demo_app
from local_slack.state.manifest import ManifestError, app_from_manifest
from local_slack.state.storage import StorageError


def main(arguments: list[str] | None = None, program: str = "python -m local_slack") -> int:
    """Serve until interrupted; return the exit status."""
    given = _parser(program).parse_args(arguments)
    try:
        serve(
            lambda url: print(f"local slack ready at {url}", flush=True),  # noqa: T201 - callers wait for this line
            port=given.port,
            options=_options(given),
            data=given.data,
        )
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        sys.stderr.write(f"The local Slack cannot listen on port {given.port}: {reason}. Give another --port.\n")
        return 1
    except (ManifestError, RulesError, StorageError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def options_of(arguments: Sequence[str]) -> Options:
    """Read the start options of a command line. Raises ManifestError, RulesError."""
    return _options(_parser("local_slack").parse_args(arguments))


def _options(given: argparse.Namespace) -> Options:
    """Raises ManifestError, RulesError."""
    app = demo_app()
    limits = strict().overridden(given.rules) if given.rules else strict()
    return Options(
        tokens=Tokens(given.bot_token, given.app_token, given.client_id, given.client_secret, given.signing_secret),
        redelivery=Redelivery(limits["events.ack"] if given.redeliver_after is None else given.redeliver_after),
        app=app_from_manifest(given.manifest, app) if given.manifest else app,
        limits=limits,
        rate_limits=given.rate_limits,
        deduplicates=given.deduplicate,
    )


def _parser(program: str) -> argparse.ArgumentParser:
    first = Tokens()
    parser = argparse.ArgumentParser(prog=program, description="A small Slack on this machine.")
    add = parser.add_argument
    add("--port", type=_port, default=8765, help="port on the loopback interface; 0 takes a free one")
    add("--manifest", type=Path, metavar="FILE", help="the app: scopes, events, commands and shortcuts (YAML or JSON)")
    add("--rules", type=Path, metavar="FILE", help="limits of your Slack instead of the strict ones (JSON)")
    add("--data", type=Path, metavar="FILE", help="keep what is said in this file, over a restart")
    add("--rate-limits", choices=LIMIT_FACTORS, default="off", help="Slack's tiers, or ten times as much")
    add("--deduplicate", action="store_true", help="post a client_msg_id once for each channel")
    add("--bot-token", default=first.bot, help="the bot token to accept (default: %(default)s)")
    add("--app-token", default=first.app, help="the app-level token to accept (default: %(default)s)")
    add("--client-id", default=first.client_id, help="for installing with OAuth (default: %(default)s)")
    add("--client-secret", default=first.client_secret, help="for installing with OAuth (default: %(default)s)")
    add("--signing-secret", default=first.signing_secret, help="signs requests in HTTP mode (default: %(default)s)")
    add(
        "--redeliver-after",
        type=float,
        metavar="SECONDS",
        help="how long the app has to acknowledge an event (default: 3)",
    )
    return parser


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port: give a number from 0 to 65535")
    return int(text)


if __name__ == "__main__":
    raise SystemExit(main())
