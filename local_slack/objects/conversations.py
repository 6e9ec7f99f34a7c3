"""Channels and direct conversations."""

from local_slack.objects.people import home_team
from local_slack.state.entities import Channel
from local_slack.state.workspace import Workspace
from local_slack.wire import Json


def channel_object(workspace: Workspace, channel: Channel, viewer: str) -> Json:
    """Describe a conversation for `viewer`: a direct one names its other side."""
    common = {
        "id": channel.id,
        "created": channel.created,
        "is_im": channel.is_im,
        "is_mpim": False,
        "is_archived": channel.is_archived,
        "is_org_shared": channel.is_org_shared,
        "is_ext_shared": channel.is_ext_shared,
        "is_private": channel.is_private,
        "context_team_id": channel.team or workspace.team.id,
    }
    if channel.is_im:
        return {**common, "user": channel.other_side(viewer), "is_open": True}
    return {
        **common,
        "name": channel.name,
        "name_normalized": channel.name,
        "is_channel": not channel.is_private,
        "is_group": channel.is_private,
        "is_general": False,
        "is_shared": channel.is_shared,
        "is_pending_ext_shared": False,
        "is_member": viewer in channel.members,
        "creator": channel.members[0],
        "topic": {"value": channel.topic, "creator": "", "last_set": 0},
        "purpose": {"value": "", "creator": "", "last_set": 0},
        "num_members": len(channel.members),
        **(_shared_with(workspace, channel) if channel.is_shared else {}),
    }


def _shared_with(workspace: Workspace, channel: Channel) -> Json:
    people = [workspace.user(member) for member in channel.members]
    teams = list(dict.fromkeys(home_team(workspace, person.id) for person in people))
    outside = list(dict.fromkeys(home_team(workspace, person.id) for person in people if person.kind == "external"))
    return {
        "conversation_host_id": workspace.team.id,
        "shared_team_ids": teams,
        "internal_team_ids": [team for team in teams if team not in outside],
        "connected_team_ids": outside,
    }
