"""The workspace, its people, groups and bot."""

from local_slack.state.entities import User, UserGroup
from local_slack.state.workspace import Workspace
from local_slack.wire import Json

_NO_ICONS = {"image_36": "", "image_48": "", "image_72": ""}
ELSEWHERE = "T0ELSEWHERE"  # the team of external people
SECOND_TEAM = "T0SECOND"  # the other workspace of our organisation


def team_object(workspace: Workspace) -> Json:
    team = workspace.team
    found = {"id": team.id, "name": team.name, "domain": team.domain, "email_domain": "", "url": team.url, "icon": {}}
    enterprise = {"enterprise_id": team.enterprise, "enterprise_name": team.enterprise_name}
    return {**found, **(enterprise if team.enterprise else {})}


def home_team(workspace: Workspace, user_id: str) -> str:
    user = workspace.user(user_id)
    return user.team or {"external": ELSEWHERE, "colleague": SECOND_TEAM}.get(user.kind, workspace.team.id)


def enterprise_of(workspace: Workspace, user: User) -> str | None:
    """Return the organisation of one of ours on Enterprise Grid."""
    return workspace.team.enterprise or None if user.kind != "external" else None


def author_facts(workspace: Workspace, user: User) -> Json:
    """Return the fields that tell people apart in shared channels.

    On Enterprise Grid `user_team` is the organisation, not a workspace.
    """
    home = home_team(workspace, user.id)
    return {
        "user_team": enterprise_of(workspace, user) or home,
        "source_team": home,
        "user_profile": {
            "avatar_hash": "",
            "image_72": "",
            "first_name": user.real_name.partition(" ")[0],
            "real_name": user.real_name,
            "display_name": user.name,
            "team": enterprise_of(workspace, user) or home,
            "name": user.name,
            "is_restricted": user.kind == "guest",
            "is_ultra_restricted": False,
        },
    }


def user_object(workspace: Workspace, user: User) -> Json:
    team = home_team(workspace, user.id)
    return {
        "id": user.id,
        "team_id": team,
        "name": user.name,
        "deleted": user.is_deleted,
        "color": user.color.lstrip("#"),
        "real_name": user.real_name,
        "tz": user.tz,
        "tz_label": user.tz,
        "tz_offset": user.tz_offset,
        "profile": {"real_name": user.real_name, "display_name": user.name, "team": team, **_NO_ICONS},
        "is_admin": False,
        "is_owner": False,
        "is_primary_owner": False,
        "is_restricted": user.kind == "guest",
        "is_ultra_restricted": False,
        "is_stranger": user.kind == "external" and not _shares_a_channel(workspace, user),
        "is_bot": user.is_bot,
        "is_app_user": False,
        "updated": 0,
        **_enterprise_facts(workspace, user),
    }


def _shares_a_channel(workspace: Workspace, user: User) -> bool:
    return any(user.id in channel.members for channel in workspace.channels_of(workspace.bot.id) if not channel.is_im)


def _enterprise_facts(workspace: Workspace, user: User) -> Json:
    enterprise = enterprise_of(workspace, user)
    if enterprise is None:
        return {}
    facts = {
        "id": user.id,
        "enterprise_id": enterprise,
        "enterprise_name": workspace.team.enterprise_name,
        "is_admin": False,
        "is_owner": False,
        "is_primary_owner": False,
        "teams": [home_team(workspace, user.id)],
    }
    return {"enterprise_user": facts}


def bot_object(workspace: Workspace) -> Json:
    app, bot = workspace.app, workspace.bot
    return {
        "id": app.bot_id,
        "app_id": app.id,
        "user_id": bot.id,
        "name": bot.name,
        "icons": dict(_NO_ICONS),
        "deleted": False,
        "updated": 0,
        "team_id": workspace.team.id,
    }


def group_object(workspace: Workspace, group: UserGroup, *, with_users: bool) -> Json:
    shown: Json = {
        "id": group.id,
        "team_id": workspace.team.id,
        "is_usergroup": True,
        "is_subteam": True,
        "name": group.name,
        "description": "",
        "handle": group.handle,
        "is_external": False,
        "date_create": 0,
        "date_update": 0,
        "date_delete": 0,
        "user_count": len(group.users),
    }
    return shown | ({"users": list(group.users)} if with_users else {})
