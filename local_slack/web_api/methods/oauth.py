"""Exchange an install code for tokens."""

from local_slack.slack import LocalSlack
from local_slack.web_api.arguments import Arguments
from local_slack.wire import Json, SlackError


def v2_access(slack: LocalSlack, args: Arguments) -> Json:
    """Raises invalid_client_id, bad_client_secret, invalid_code, code_already_used, bad_redirect_uri."""
    tokens, workspace = slack.grants.tokens, slack.workspace
    if args.text("client_id") != tokens.client_id:
        raise SlackError("invalid_client_id")
    if args.text("client_secret") != tokens.client_secret:
        raise SlackError("bad_client_secret")
    if args.text("grant_type", "authorization_code") != "authorization_code":
        raise SlackError("invalid_grant_type")
    install = slack.installs.exchange(args.text("code"), args.text("redirect_uri"))
    user: Json = {"id": install.user}
    if install.user_scopes:
        token = slack.grants.issue("user", install.user_scopes, install.user)
        user |= {"scope": ",".join(install.user_scopes), "access_token": token, "token_type": "user"}
    return {
        "app_id": workspace.app.id,
        "authed_user": user,
        "scope": ",".join(install.scopes),
        "token_type": "bot",
        "access_token": slack.grants.issue("bot", install.scopes),
        "bot_user_id": workspace.bot.id,
        "team": {"id": workspace.team.id, "name": workspace.team.name},
        "enterprise": None,
        "is_enterprise_install": False,
    }
