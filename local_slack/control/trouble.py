"""Make things go wrong: failing calls, disorderly deliveries, lost rights, passing time."""

from dataclasses import replace
from typing import cast

from local_slack.access.faults import FaultKind, PlannedFault
from local_slack.delivery.deliveries import Disorder
from local_slack.delivery.http import RequestUrl
from local_slack.limits import RulesError
from local_slack.slack import LIMIT_FACTORS, LocalSlack
from local_slack.state import streams
from local_slack.state.changes import TokensRevoked
from local_slack.state.entities import StreamState
from local_slack.web_api.arguments import Arguments
from local_slack.web_api.json_endpoints import Answer
from local_slack.wire import Json, SlackError


def _fault(slack: LocalSlack, args: Arguments) -> Json:
    """Fail the next `times` calls of `method` ("*": of any)."""
    seconds = args.decimal("retry_after", args.decimal("seconds", 1.0))
    fault = PlannedFault(cast(FaultKind, args.required("kind")), seconds, args.text("error", "internal_error"))
    slack.faults.plan(args.required("method"), fault, args.number("times", 1))
    return {}


def _let_go(slack: LocalSlack, _args: Arguments) -> Json:
    """Give the slow answers that are waiting."""
    slack.faults.let_go()
    return {}


def _disconnect(slack: LocalSlack, args: Arguments) -> Json:
    return {"told": slack.gateway.disconnect(args.text("reason", "refresh_requested"))}


def _redeliver(slack: LocalSlack, args: Arguments) -> Json:
    """Send one event again by its id, or switch duplicates on or off."""
    if args.has("duplicate"):
        slack.deliveries.disorder.duplicates = args.flag("duplicate")
    elif not slack.deliveries.redeliver(args.required("event_id")):
        raise SlackError("event_not_found")
    return {}


def _redelivery(slack: LocalSlack, args: Arguments) -> Json:
    """Set the seconds to acknowledge (`after`), delayed events (`delayed`) and loss without a connection (`loses`)."""
    redelivery = slack.deliveries.redelivery
    redelivery.after = args.decimal("after", redelivery.after)
    redelivery.is_delayed, redelivery.loses = args.flag("delayed"), args.flag("loses")
    return {}


def _disorder(slack: LocalSlack, args: Arguments) -> Json:
    """Send events twice (`duplicate`), late (`delay` seconds), or the next `reverse` of them backwards."""
    slack.deliveries.disorder = Disorder(args.flag("duplicate"), args.decimal("delay", 0.0), args.number("reverse", 0))
    return {}


def _stream(slack: LocalSlack, args: Arguments) -> Json:
    state = args.text("state", "expired")
    if state not in {"expired", "stopped"}:
        raise SlackError("invalid_arguments", ["state is expired or stopped"])
    ended: StreamState = "stopped" if state == "stopped" else "expired"
    streams.end(slack.workspace, args.required("channel"), args.required("ts"), ended)
    return {}


def _clock(slack: LocalSlack, args: Arguments) -> Json:
    slack.workspace.clock.advance(max(0.0, args.decimal("advance", 0.0)))
    return {"now": slack.workspace.clock.now()}


def _revoke(slack: LocalSlack, args: Arguments) -> Json:
    """Revoke a token, by default the bot's; with `uninstall` remove the app."""
    if args.flag("uninstall"):
        slack.grants.uninstall()
        slack.workspace.app = replace(slack.workspace.app, is_installed=False)
    else:
        slack.grants.revoke(args.text("token", slack.options.tokens.bot))
    slack.workspace.publish(
        TokensRevoked(slack.workspace.bot.id, args.flag("uninstall"), slack.workspace.clock.next_ts())
    )
    return {}


def _install(slack: LocalSlack, _args: Arguments) -> Json:
    """Install the app again; return its new bot token."""
    slack.workspace.app = replace(slack.workspace.app, is_installed=True)
    return {"token": slack.grants.issue("bot", slack.workspace.app.scopes)}


def _rate_limited(slack: LocalSlack, _args: Arguments) -> Json:
    """Send app_rate_limited, as after 30,000 events in an hour."""
    workspace = slack.workspace
    told = {
        "token": "local-verification-token",
        "type": "app_rate_limited",
        "team_id": workspace.team.id,
        "minute_rate_limited": int(workspace.clock.now() // 60 * 60),
        "api_app_id": workspace.app.id,
    }
    slack.deliveries.send_event(told)
    return {}


def _app(slack: LocalSlack, args: Arguments) -> Json:
    app = slack.workspace.app
    if args.has("scopes"):
        app = replace(app, scopes=tuple(args.names("scopes")))
    if args.has("event_types"):
        app = replace(app, event_types=frozenset(args.names("event_types")))
    slack.workspace.app = app
    return {}


def _limits(slack: LocalSlack, args: Arguments) -> Json:
    mode = args.required("mode")
    if mode not in LIMIT_FACTORS:
        raise SlackError("invalid_arguments", [f"mode is one of {', '.join(LIMIT_FACTORS)}"])
    slack.limits.factor = LIMIT_FACTORS[mode]
    slack.limits.clear()
    return {}


def _rules(slack: LocalSlack, args: Arguments) -> Json:
    try:
        changed = slack.workspace.limits.changed(
            args.mapping("limits", "invalid_arguments") or {}, "The call", "a test"
        )
    except RulesError as error:
        raise SlackError("invalid_arguments", [str(error)]) from None
    slack.workspace.limits.rows = changed.rows
    return {}


async def _request_url(slack: LocalSlack, args: Arguments) -> Json:
    """Switch to HTTP mode once the address answers the challenge; an empty `url` switches back to Socket Mode."""
    url = args.text("url")
    if not url:
        slack.ways.request_url = None
        return {}
    secret, deliveries = slack.options.tokens.signing_secret, slack.deliveries
    found = RequestUrl(url, secret, deliveries.acknowledge, deliveries.fail)
    await found.verify()
    slack.ways.request_url = found
    deliveries.resume()
    return {}


def _reset(slack: LocalSlack, _args: Arguments) -> Json:
    slack.ways.request_url = None
    slack.reset()
    return {}


TROUBLE: dict[str, Answer] = {
    "fault": _fault,
    "let_go": _let_go,
    "disconnect": _disconnect,
    "redeliver": _redeliver,
    "redelivery": _redelivery,
    "disorder": _disorder,
    "stream": _stream,
    "clock": _clock,
    "revoke": _revoke,
    "install": _install,
    "rate_limited": _rate_limited,
    "app": _app,
    "limits": _limits,
    "rules": _rules,
    "request_url": _request_url,
    "reset": _reset,
}
