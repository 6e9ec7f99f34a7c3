"""`python -m bot.local_slack`: the local Slack alone, for any Bolt app."""

import argparse
import os
import sys

from bot.local_slack.server import serve
from bot.local_slack.slack import Tokens
from bot.local_slack.socket import Redelivery


def main() -> int:
    """Serve until interrupted; returns the exit status."""
    options = _parser().parse_args()
    try:
        serve(
            lambda url: print(f"local slack ready at {url}", flush=True),  # noqa: T201 - this line is what callers wait for
            port=options.port,
            tokens=Tokens(options.bot_token, options.app_token),
            redelivery=Redelivery(after=options.redeliver_after),
        )
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        sys.stderr.write(f"The local Slack cannot listen on port {options.port}: {reason}. Give another --port.\n")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot.local_slack", description="A small Slack on this machine.")
    parser.add_argument("--port", type=_port, default=8765, help="port on the loopback interface; 0 takes a free one")
    parser.add_argument("--bot-token", default=Tokens().bot, help="the bot token to accept (default: %(default)s)")
    parser.add_argument(
        "--app-token", default=Tokens().app, help="the app-level token to accept (default: %(default)s)"
    )
    parser.add_argument(
        "--redeliver-after",
        type=float,
        default=Redelivery().after,
        metavar="SECONDS",
        help="repeat an event that is not acknowledged for so long (default: %(default)s)",
    )
    return parser


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port: give a number from 0 to 65535")
    return int(text)


if __name__ == "__main__":
    raise SystemExit(main())
