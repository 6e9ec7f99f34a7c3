"""People as Slack describes them: user groups and time zones."""

from bot.people.directory import GROUP_SECONDS, ZONE_SECONDS, SlackGroups, SlackTimezones

__all__ = ["GROUP_SECONDS", "ZONE_SECONDS", "SlackGroups", "SlackTimezones"]
