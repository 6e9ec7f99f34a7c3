"""The caller, the workspace and its people: auth, api, apps, team, users, bots."""

from local_slack.objects import bot_object, team_object, user_object
from local_slack.slack import LocalSlack
from local_slack.web_api.arguments import Arguments
from local_slack.web_api.paging import page_of
from local_slack.wire import Json, SlackError


def api_test(_slack: LocalSlack, args: Arguments) -> Json:
    if args.has("error"):
        raise SlackError(args.text("error"))
    return {"args": args.raw}


def auth_test(slack: LocalSlack, _args: Arguments) -> Json:
    workspace = slack.workspace
    return {
        "url": workspace.team.url,
        "team": workspace.team.name,
        "user": workspace.bot.name,
        "team_id": workspace.team.id,
        "user_id": workspace.bot.id,
        "bot_id": workspace.app.bot_id,
        **({"enterprise_id": workspace.team.enterprise} if workspace.team.enterprise else {}),
        "is_enterprise_install": workspace.team.is_org_install,
    }


def connections_open(slack: LocalSlack, _args: Arguments) -> Json:
    host = slack.workspace.team.url.partition("://")[2]
    return {"url": f"ws://{host}link/?ticket={slack.gateway.new_ticket()}&app_id={slack.gateway.app_id}"}


def team_info(slack: LocalSlack, args: Arguments) -> Json:
    if args.text("team", slack.workspace.team.id) != slack.workspace.team.id:
        raise SlackError("team_not_found")
    return {"team": team_object(slack.workspace)}


def bots_info(slack: LocalSlack, args: Arguments) -> Json:
    if args.text("bot", slack.workspace.app.bot_id) != slack.workspace.app.bot_id:
        raise SlackError("bot_not_found")
    return {"bot": bot_object(slack.workspace)}


def users_info(slack: LocalSlack, args: Arguments) -> Json:
    user = slack.workspace.user(args.required("user", "user_not_found"))
    locale = {"locale": user.locale} if args.flag("include_locale") else {}
    return {"user": {**user_object(slack.workspace, user), **locale}}


def users_list(slack: LocalSlack, args: Arguments) -> Json:
    page = page_of(
        list(slack.workspace.users.values()),
        args,
        key=lambda user: user.id,
        default=100,
        most=slack.workspace.limits["list.page"],
    )
    members = [user_object(slack.workspace, user) for user in page.items]
    return {"members": members, "cache_ts": 0, "response_metadata": page.metadata}
