"""Endpoints of the page for presses, choices, forms and commands. Each waits for the app's answer."""

from local_slack.access.permits import ResponseUrl
from local_slack.delivery.interactions import message_seen, view_seen
from local_slack.slack import LocalSlack
from local_slack.state.changes import ContextChanged, HomeOpened
from local_slack.state.entities import Message, View
from local_slack.state.people import channel_of, person
from local_slack.web_api.arguments import Arguments
from local_slack.web_api.json_endpoints import Answer
from local_slack.web_api.methods.views import modal
from local_slack.web_api.response_urls import answer_at
from local_slack.wire import Json, SlackError


async def _action(slack: LocalSlack, args: Arguments) -> Json:
    source, user = _source(slack, args), args.required("as")
    action = args.mapping("action", "invalid_arguments") or {}
    values = args.mapping("values", "invalid_arguments") or {}
    if isinstance(source, View) and args.has("values"):
        source = slack.workspace.views.fill_in(source, values)
    await slack.deliveries.ask(slack.interactions.block_actions(user, source, action, values))
    return {}


async def _options(slack: LocalSlack, args: Arguments) -> Json:
    asked = {"block_id": args.text("block_id"), "action_id": args.text("action_id"), "value": args.text("value")}
    source, user = _source(slack, args), args.required("as")
    answer = await slack.deliveries.ask(slack.interactions.block_suggestion(user, source, asked))
    return {name: answer[name] for name in ("options", "option_groups") if name in answer} or {"options": []}


async def _submit(slack: LocalSlack, args: Arguments) -> Json:
    """Send a modal and follow the app's answer."""
    views = slack.workspace.views
    view = view_seen(slack.workspace, args.required("as"), args.required("view_id"))
    view = views.fill_in(view, args.mapping("values", "invalid_arguments") or {})
    missing = _left_empty(view)
    if missing:
        return {"errors": missing}
    answer = await slack.deliveries.ask(slack.interactions.view_submission(view))
    match answer.get("response_action"):
        case None | "":
            views.close(view)
        case "clear":
            views.close(view, is_all=True)
        case "update":
            views.update(view, modal(slack.workspace, answer.get("view")))
        case "push":
            views.push(view.user, modal(slack.workspace, answer.get("view")))
        case "errors":
            return {"errors": _errors(view, answer.get("errors"))}
        case unknown:
            raise SlackError("invalid_response_action", [f"the app answered with response_action {unknown}"])
    return {"errors": {}}


async def _close(slack: LocalSlack, args: Arguments) -> Json:
    """Close a modal with its cross, and with clear_on_close the whole stack."""
    view = view_seen(slack.workspace, args.required("as"), args.required("view_id"))
    is_all = args.flag("is_cleared") or bool(view.content.get("clear_on_close"))
    gone = slack.workspace.views.close(view, is_all=is_all)
    for closed in gone:
        if closed.content.get("notify_on_close"):
            await slack.deliveries.ask(slack.interactions.view_closed(closed, is_cleared=is_all))
    return {}


async def _command(slack: LocalSlack, args: Arguments) -> Json:
    name, user = args.required("command"), args.required("as")
    channel = channel_of(slack.workspace, user, args.required("channel"))
    if name not in {one.command for one in slack.workspace.app.commands}:
        raise SlackError("command_not_found", [f"{name} is not a command of this app"])
    payload = slack.interactions.command(user, channel, name, args.text("text"))
    answer = await slack.deliveries.ask(payload, "slash_commands")
    if answer.get("text") or answer.get("blocks"):
        place = ResponseUrl(user, channel.id, 0.0)
        answer_at(slack, place, Arguments({"response_type": "ephemeral", **answer}))
    return {}


async def _shortcut(slack: LocalSlack, args: Arguments) -> Json:
    user, callback_id = person(slack.workspace, args.required("as")).id, args.required("callback_id")
    entry = next((one for one in slack.workspace.app.shortcuts if one.callback_id == callback_id), None)
    if entry is None:
        raise SlackError("shortcut_not_found", [f"{callback_id} is not a shortcut of this app"])
    message = _message(slack, user, args) if args.has("message") else None
    await slack.deliveries.ask(slack.interactions.shortcut(user, entry, message))
    return {}


def _home(slack: LocalSlack, args: Arguments) -> Json:
    workspace, user = slack.workspace, person(slack.workspace, args.required("as")).id
    tab = args.text("tab", "home")
    if tab not in {"home", "messages", "about"}:
        raise SlackError("invalid_arguments", ["tab is home, messages or about"])
    channel = workspace.open_im(user, workspace.bot.id)
    view = workspace.views.home(user)
    context = workspace.contexts.get(user, ())
    workspace.publish(
        HomeOpened(user, channel.id, tab, context, view if tab == "home" else None, workspace.clock.next_ts())
    )
    return {}


def _context(slack: LocalSlack, args: Arguments) -> Json:
    """Note the channel a person views beside the conversation with the app."""
    workspace, user = slack.workspace, args.required("as")
    channel = channel_of(workspace, user, args.required("channel"))
    own = workspace.open_im(user, workspace.bot.id)
    if channel.id != own.id and workspace.contexts.get(user) != (channel.id,):
        workspace.contexts[user] = (channel.id,)
        workspace.publish(ContextChanged(user, own.id, (channel.id,), workspace.clock.next_ts()))
    return {}


def _source(slack: LocalSlack, args: Arguments) -> Message | View:
    user = args.required("as")
    if args.has("view_id"):
        return view_seen(slack.workspace, user, args.required("view_id"))
    return _message(slack, user, args)


def _message(slack: LocalSlack, user: str, args: Arguments) -> Message:
    named = Arguments(args.mapping("message", "invalid_arguments") or {})
    return message_seen(slack.workspace, user, named.required("channel"), named.required("ts"))


def _left_empty(view: View) -> dict[str, str]:
    """Word Slack's own complaint for each required input left empty, by block_id."""
    missing = {}
    for block in view.content["blocks"]:
        if block["type"] == "input" and not block.get("optional"):
            given = (view.values or {}).get(block["block_id"], {}).get(block["element"]["action_id"], {})
            if not any(value not in (None, "", []) for name, value in given.items() if name != "type"):
                missing[block["block_id"]] = "Please complete this required field."
    return missing


def _errors(view: View, errors: object) -> dict[str, str]:
    """Return the app's errors by block_id. Raises invalid_response_action for unknown blocks."""
    blocks = {block["block_id"] for block in view.content["blocks"] if block["type"] == "input"}
    if not isinstance(errors, dict) or not errors or not set(errors) <= blocks:
        raise SlackError("invalid_response_action", ["errors must name input blocks of the view"])
    return {str(block_id): str(text) for block_id, text in errors.items()}


INTERACTIONS: dict[str, Answer] = {
    "action": _action,
    "options": _options,
    "submit": _submit,
    "close": _close,
    "command": _command,
    "shortcut": _shortcut,
    "home": _home,
    "context": _context,
}
