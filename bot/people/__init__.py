"""People as Slack describes them: where they belong, groups, time zones."""

from bot.people.directory import REMEMBERED_SECONDS, SlackGroups, SlackProfiles
from bot.people.membership import Circles, SlackCircles, SlackMembers
from bot.people.standing import AuthorOrigin, Home, People, Profile, Standing

__all__ = [
    "REMEMBERED_SECONDS",
    "AuthorOrigin",
    "Circles",
    "Home",
    "People",
    "Profile",
    "SlackCircles",
    "SlackGroups",
    "SlackMembers",
    "SlackProfiles",
    "Standing",
]
