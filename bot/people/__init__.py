"""People as Slack describes them: where they belong, groups, time zones."""

from bot.people.directory import REMEMBERED_SECONDS, SlackGroups, SlackProfiles
from bot.people.standing import Home, Origin, People, Profile, Standing

__all__ = [
    "REMEMBERED_SECONDS",
    "Home",
    "Origin",
    "People",
    "Profile",
    "SlackGroups",
    "SlackProfiles",
    "Standing",
]
