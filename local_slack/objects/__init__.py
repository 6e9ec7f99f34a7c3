"""Slack's JSON objects, built from entities, with the names and nesting of Slack's reference."""

from local_slack.objects.conversations import channel_object
from local_slack.objects.files import file_object
from local_slack.objects.messages import message_object, permalink
from local_slack.objects.people import bot_object, group_object, home_team, team_object, user_object
from local_slack.objects.views import view_object

__all__ = [
    "bot_object", "channel_object", "file_object", "group_object", "home_team", "message_object", "permalink",
    "team_object", "user_object", "view_object",
]  # fmt: skip
