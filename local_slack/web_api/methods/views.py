"""Modals and the App Home."""

from local_slack.block_kit import check_view, completed
from local_slack.objects import view_object
from local_slack.slack import LocalSlack
from local_slack.state.entities import View
from local_slack.state.workspace import Workspace
from local_slack.web_api.arguments import Arguments
from local_slack.wire import Json, SlackError


def open_view(slack: LocalSlack, args: Arguments) -> Json:
    content = modal(slack.workspace, args.mapping("view", "invalid_arguments"))
    return _answer(slack, slack.workspace.views.open(_user(slack, args), content))


def push_view(slack: LocalSlack, args: Arguments) -> Json:
    content = modal(slack.workspace, args.mapping("view", "invalid_arguments"))
    return _answer(slack, slack.workspace.views.push(_user(slack, args), content))


def update_view(slack: LocalSlack, args: Arguments) -> Json:
    """Update by view_id or external_id, and with `hash` only that version."""
    views = slack.workspace.views
    if not args.text("view_id") and not args.text("external_id"):
        raise SlackError("invalid_arguments", ["[ERROR] must provide either view_id or external_id"])
    view = views.get(args.text("view_id")) if args.text("view_id") else views.by_external_id(args.text("external_id"))
    content = _checked(slack.workspace, args.mapping("view", "invalid_arguments"), "home" if view.is_home else "modal")
    return _answer(slack, views.update(view, content, args.optional("hash")))


def publish_view(slack: LocalSlack, args: Arguments) -> Json:
    user = slack.workspace.user(args.required("user_id"))
    content = _checked(slack.workspace, args.mapping("view", "invalid_arguments"), "home")
    return _answer(slack, slack.workspace.views.publish_home(user.id, content, args.optional("hash")))


def modal(workspace: Workspace, given: Json | None) -> Json:
    """Return a checked modal with all its ids. Raises invalid_arguments."""
    return _checked(workspace, given, "modal")


def _checked(workspace: Workspace, given: Json | None, kind: str) -> Json:
    if given is None:
        raise SlackError("invalid_arguments", ["[ERROR] missing required field: view"])
    check_view(given, kind, workspace.limits)
    return {**given, "blocks": completed(given["blocks"])}


def _user(slack: LocalSlack, args: Arguments) -> str:
    """Return the user behind the trigger, given by either of its two names."""
    trigger_id = args.text("trigger_id") or args.text("interactivity_pointer")
    if not trigger_id:
        raise SlackError("invalid_arguments", ["[ERROR] missing required field: trigger_id"])
    return slack.permits.use_trigger(trigger_id)


def _answer(slack: LocalSlack, view: View) -> Json:
    return {"view": view_object(slack.workspace, view)}
