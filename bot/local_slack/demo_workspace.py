"""The workspace a fresh local Slack starts with: three invented people, the bot, three channels and their direct messages."""

import time

from bot.local_slack.entities import App, Channel, Team, User
from bot.local_slack.state import Workspace

_PEOPLE = (
    User("U0ANA", "ana", "Ana Lima", color="#b0413e"),
    User("U0BEN", "ben", "Ben Okafor", color="#2f6f73"),
    User("U0MIRA", "mira", "Mira Novák", color="#6b4e9b"),
)
_BOT = User("U0BOT", "datathread", "Datathread", kind="bot", color="#2b5fc4")
_CHANNELS = (
    ("C0GENERAL", "general", "Everything and nothing"),
    ("C0PRODUCT", "product", "Apps, releases and reviews"),
    ("C0SALES", "sales", "Revenue and markets"),
)
_APP = App(
    id="A0LOCAL",
    bot_id="B0BOT",
    bot_user=_BOT.id,
    scopes=(
        "app_mentions:read", "assistant:write", "channels:history", "channels:read", "chat:write", "commands", "files:read",
        "files:write", "groups:history", "groups:read", "im:history", "im:read", "im:write", "mpim:history", "reactions:write",
        "team:read", "users:read",
    ),
    event_types=frozenset({"app_mention", "message.channels", "message.groups", "message.im"}),
)  # fmt: skip


def demo_workspace(url: str) -> Workspace:
    """A fresh workspace whose links begin with `url` (it ends with a slash)."""
    team = Team("T0LOCAL", "Datathread demo", "datathread-demo", url)
    everybody = tuple(user.id for user in (*_PEOPLE, _BOT))
    now = int(time.time())
    channels = [Channel(channel_id, name, everybody, now, topic=topic) for channel_id, name, topic in _CHANNELS]
    ims = [
        Channel(person.id.replace("U", "D", 1), "", (person.id, _BOT.id), now, is_im=True, is_private=True)
        for person in _PEOPLE
    ]
    return Workspace(team, _APP, (*_PEOPLE, _BOT), (*channels, *ims))
