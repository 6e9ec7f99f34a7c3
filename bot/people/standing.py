"""Tell where people belong. Where Slack does not say, they are treated as external, in other words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ai.language.texts import ENGLISH, Translator, language_of, translator_of

Standing = Literal["home", "guest", "organisation", "external", "stranger", "unknown"]


@dataclass(frozen=True, slots=True)
class Home:
    """The workspace of the app and its organisation."""

    team_id: str
    enterprise_id: str = ""

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(filter(None, (self.team_id, self.enterprise_id)))

    def standing(self, profile: "Profile | None") -> Standing:
        """Return where the person of a profile belongs."""
        if profile is None:
            return "unknown"
        if profile.is_stranger:
            return "stranger"
        if not self.ids & profile.ids:
            return "external"
        if profile.is_guest:
            return "guest"
        return "home" if profile.team_id == self.team_id else "organisation"


@dataclass(frozen=True, slots=True)
class AuthorOrigin:
    """An event's facts on its author: ids of teams and organisations, and whether the channel is shared with others."""

    ids: frozenset[str] = frozenset()
    is_shared: bool = True

    @classmethod
    def of_message(cls, message: Mapping[str, Any], body: Mapping[str, Any]) -> "AuthorOrigin":
        """Read a message and its wrapper; without a wrapper the channel counts as shared."""
        profile = message.get("user_profile") or {}
        named = (message.get("team"), message.get("user_team"), message.get("source_team"), profile.get("team"))
        return cls(frozenset(filter(None, named)), is_shared=body.get("is_ext_shared_channel") is not False)

    @classmethod
    def of_press(cls, body: Mapping[str, Any]) -> "AuthorOrigin":
        """Read a press; when the person has no team, the channel counts as shared, since `team` may be ours alone."""
        user, team = body.get("user") or {}, body.get("team") or {}
        ids = frozenset(filter(None, (user.get("team_id"), team.get("id"))))
        return cls(ids, is_shared=not user.get("team_id"))


def _called(user: Mapping[str, Any]) -> str:
    """Return what colleagues call a person: the first name, or the name shown."""
    profile = user.get("profile") or {}
    names = (profile.get("first_name"), profile.get("display_name"), user.get("real_name"), user.get("name"))
    return str(next(filter(None, names), ""))


@dataclass(frozen=True, slots=True)
class Profile:
    """A person in users.info."""

    team_id: str = ""
    enterprise_id: str = ""
    timezone: str = ""
    locale: str = ""
    name: str = ""
    is_guest: bool = False
    is_stranger: bool = False
    is_bot: bool = False

    @classmethod
    def of(cls, user: Mapping[str, Any]) -> "Profile":
        enterprise = user.get("enterprise_user") or {}
        return cls(
            team_id=str(user.get("team_id") or ""),
            enterprise_id=str(enterprise.get("enterprise_id") or user.get("enterprise_id") or ""),
            timezone=str(user.get("tz") or ""),
            locale=str(user.get("locale") or ""),
            name=_called(user),
            is_guest=bool(user.get("is_restricted") or user.get("is_ultra_restricted")),
            is_stranger=bool(user.get("is_stranger")),
            is_bot=bool(user.get("is_bot") or user.get("id") == "USLACKBOT"),
        )

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(filter(None, (self.team_id, self.enterprise_id)))


@dataclass(frozen=True, slots=True)
class People:
    """Resolves people. `profile_of` returns None when Slack does not say."""

    home: Home
    profile_of: Callable[[str], Profile | None]
    tells_guests: bool = False
    language: str = ENGLISH

    def texts_for(self, user: str) -> Translator:
        """Return the texts in the language of a person."""
        profile = self.profile_of(user) if user else None
        return translator_of(language_of(profile.locale if profile else "", self.language))

    def name_of(self, user: str) -> str:
        """Return what colleagues call a person, the id where Slack does not say."""
        profile = self.profile_of(user)
        return profile.name if profile and profile.name else user

    def standing(self, user: str, origin: AuthorOrigin) -> Standing:
        """Return where a person belongs.

        Only our ids in an unshared channel are enough. In doubt Slack's profile decides: messages with files name no
        team, and colleagues come with any id of the organisation. `tells_guests` always asks.
        """
        is_sure = not origin.is_shared and {self.home.team_id} <= origin.ids <= self.home.ids
        if is_sure and not self.tells_guests:
            return "home"
        return self.home.standing(self.profile_of(user))
