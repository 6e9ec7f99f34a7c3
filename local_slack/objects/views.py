"""Modals and App Homes."""

from local_slack.state.entities import View
from local_slack.state.workspace import Workspace
from local_slack.wire import Json


def view_object(workspace: Workspace, view: View) -> Json:
    app, content = workspace.app, view.content
    texts = dict.fromkeys(("title", "submit", "close"))
    words = {"callback_id": "", "private_metadata": "", "external_id": ""}
    flags = {"clear_on_close": False, "notify_on_close": False}
    return {
        **texts,
        **words,
        **flags,
        **{name: value for name, value in content.items() if value is not None},
        "id": view.id,
        "team_id": workspace.team.id,
        "state": {"values": dict(view.values or {})},
        "hash": view.hash,
        "root_view_id": view.root_id,
        "previous_view_id": view.previous_id,
        "app_id": app.id,
        "app_installed_team_id": workspace.team.id,
        "bot_id": app.bot_id,
    }
