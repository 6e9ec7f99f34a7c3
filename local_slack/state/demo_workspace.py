"""The first workspace: invented people of every kind, the bot, channels and direct messages."""

import time

from local_slack.limits import Limits
from local_slack.state.entities import App, Channel, Team, User, UserGroup
from local_slack.state.workspace import Workspace

_PEOPLE = (
    User("U0ANA", "ana", "Ana Lima", color="#b0413e"),
    User("U0BEN", "ben", "Ben Okafor", color="#2f6f73"),
    User("U0MIRA", "mira", "Mira Novák", color="#6b4e9b"),
)
_GUEST = User("U0GUS", "gus", "Gus Petit", kind="guest", color="#7a6a2f")
_EXTERNAL = User("U0EVA", "eva", "Eva Lind", kind="external", color="#8a4f7d", organisation="Northwind")
_BOT = User("U0BOT", "datathread", "Datathread", kind="bot", color="#2b5fc4")
_CHANNELS = (
    ("C0GENERAL", "general", "Everything and nothing", ()),
    ("C0PRODUCT", "product", "Apps, releases and reviews", (_GUEST.id,)),
    ("C0SALES", "sales", "Revenue and markets", ()),
)
_EVENT_TYPES = frozenset({"app_mention", "message.channels", "message.groups", "message.im"})


def demo_app() -> App:
    """Return the app used without a manifest: all scopes, message events only."""
    return App(
        id="A0LOCAL",
        bot_id="B0BOT",
        bot_user=_BOT.id,
        scopes=(
            "app_mentions:read", "assistant:write", "channels:history", "channels:read", "chat:write", "commands",
            "files:read", "files:write", "groups:history", "groups:read", "im:history", "im:read", "im:write",
            "metadata.message:read", "mpim:history", "mpim:read", "reactions:read", "reactions:write", "team:read",
            "usergroups:read", "users:read",
        ),
        event_types=_EVENT_TYPES,
    )  # fmt: skip


def demo_workspace(url: str, app: App | None = None, limits: Limits | None = None) -> Workspace:
    team = Team("T0LOCAL", "Datathread demo", "datathread-demo", url)
    everybody = tuple(user.id for user in (*_PEOPLE, _BOT))
    now = int(time.time())
    channels = [
        Channel(channel_id, name, (*everybody, *guests), now, topic=topic)
        for channel_id, name, topic, guests in _CHANNELS
    ]
    shared = ("U0ANA", _EXTERNAL.id, _BOT.id)
    channels.append(Channel("C0PARTNERS", "partners", shared, now, is_ext_shared=True, topic="Together with Northwind"))
    people = (*_PEOPLE, _GUEST, _EXTERNAL)
    ims = [
        Channel(person.id.replace("U", "D", 1), "", (person.id, _BOT.id), now, is_im=True, is_private=True)
        for person in people
    ]
    groups = [UserGroup("S0ANALYSTS", "Analysts", "analysts", ("U0ANA", "U0BEN"))]
    return Workspace(team, app or demo_app(), (*_PEOPLE, _BOT, _GUEST, _EXTERNAL), (*channels, *ims), groups, limits)
