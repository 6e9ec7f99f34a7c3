"""Reactions of the bot to messages."""

import re

from bot.local_slack.arguments import Arguments
from bot.local_slack.entities import Json, Message
from bot.local_slack.errors import SlackError
from bot.local_slack.methods.conversations import bots_channel
from bot.local_slack.slack import LocalSlack

_NAME = re.compile(r"[a-z0-9_+'-]+(::skin-tone-[2-6])?")


def add(slack: LocalSlack, args: Arguments) -> Json:
    message, name, users = _reaction(slack, args)
    if slack.workspace.bot.id in users:
        raise SlackError("already_reacted")
    _set(slack, message, name, (*users, slack.workspace.bot.id))
    return {}


def remove(slack: LocalSlack, args: Arguments) -> Json:
    message, name, users = _reaction(slack, args)
    if slack.workspace.bot.id not in users:
        raise SlackError("no_reaction")
    _set(slack, message, name, tuple(user for user in users if user != slack.workspace.bot.id))
    return {}


def _reaction(slack: LocalSlack, args: Arguments) -> tuple[Message, str, tuple[str, ...]]:
    """The message, the reaction's name and who gave it so far."""
    name = args.text("name").strip(":")
    if not _NAME.fullmatch(name):
        raise SlackError("invalid_name")
    channel = bots_channel(slack.workspace, args)
    message = slack.workspace.message(channel.id, args.required("timestamp", "bad_timestamp"))
    return message, name, dict(message.reactions).get(name, ())


def _set(slack: LocalSlack, message: Message, name: str, users: tuple[str, ...]) -> None:
    slack.workspace.set_reactions(message, dict(message.reactions) | {name: users})
