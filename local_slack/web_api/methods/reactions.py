"""Reactions of the bot."""

import re

from local_slack.slack import LocalSlack
from local_slack.web_api.arguments import Arguments
from local_slack.web_api.methods.conversations import bots_channel
from local_slack.wire import Json, SlackError

_NAME = re.compile(r"[a-z0-9_+'-]+(::skin-tone-[2-6])?")


def add(slack: LocalSlack, args: Arguments) -> Json:
    return _react(slack, args, is_added=True)


def remove(slack: LocalSlack, args: Arguments) -> Json:
    return _react(slack, args, is_added=False)


def _react(slack: LocalSlack, args: Arguments, *, is_added: bool) -> Json:
    name = args.text("name").strip(":")
    if not _NAME.fullmatch(name):
        raise SlackError("invalid_name")
    channel = bots_channel(slack.workspace, args)
    message = slack.workspace.message(channel.id, args.required("timestamp", "bad_timestamp"))
    slack.workspace.react(message, slack.workspace.bot.id, name, is_added=is_added)
    return {}
