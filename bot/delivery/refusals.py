"""Slack's error codes, by remedy: waiting, a new token, a simpler form, another place."""

from slack_sdk.errors import SlackApiError

from ai.errors import SourceUnavailable

TOO_OFTEN = frozenset({"ratelimited", "rate_limited"})
AWAY = frozenset(
    {
        "external_channel_migrating",
        "fatal_error",
        "internal_error",
        "request_timeout",
        "service_unavailable",
        "team_added_to_org",
        "update_failed",
    }
)
TOKEN = frozenset(
    {
        "access_denied",
        "account_inactive",
        "app_uninstalled",
        "ekm_access_denied",
        "enterprise_is_restricted",
        "invalid_auth",
        "not_allowed_token_type",
        "not_authed",
        "org_login_required",
        "team_access_not_granted",
        "token_expired",
        "token_revoked",
        "two_factor_setup_required",
    }
)
METADATA = frozenset(
    {"invalid_metadata_format", "invalid_metadata_schema", "metadata_must_be_sent_from_app", "metadata_too_large"}
)
PLACE = {
    "app_access_restricted": "I may not write in that channel",
    "cannot_reply_to_message": "That message takes no replies",
    "channel_not_found": "I am no longer in that channel",
    "invalid_channel": "I am no longer in that channel",
    "is_archived": "That channel was archived",
    "is_inactive": "That channel was archived",
    "message_limit_exceeded": "Slack takes no more messages in that channel",
    "messages_tab_disabled": "I may not write there",
    "not_in_channel": "I am no longer in that channel",
    "posting_to_channel_denied": "I may not write in that channel",
    "restricted_action": "I may not write in that channel",
    "restricted_action_non_threadable_channel": "That channel takes no replies",
    "restricted_action_read_only_channel": "That channel takes no messages",
    "restricted_action_thread_locked": "That thread was locked",
    "restricted_action_thread_only_channel": "I may not write in that channel",
    "send_on_behalf_not_allowed": "I may not write in that channel",
    "team_not_found": "I am no longer in that channel",
}
BROKEN = 500  # the least status of a server in trouble
NOWHERE = "I cannot answer there"


class TokenRefused(SourceUnavailable):
    """Slack refuses the token; turns wait for a new one."""

    def __init__(self, code: str) -> None:
        super().__init__(f"Slack refuses the token ({code}): install the app again and set SLACK_BOT_TOKEN.")


def code_of(error: SlackApiError) -> str:
    return str(error.response.get("error") or "")


def is_passing(error: SlackApiError) -> bool:
    """Whether Slack itself is in trouble, so that the call may work later."""
    return error.response.status_code >= BROKEN or code_of(error) in AWAY | TOO_OFTEN


def rule_of(error: SlackApiError) -> str:
    """Return the error code with Slack's words on the broken rule."""
    details = (error.response.get("response_metadata") or {}).get("messages") or error.response.get("errors") or ()
    return " ".join([code_of(error), *map(str, details)])[:500]


def place_refused(error: SlackApiError) -> str:
    """Return why a place takes no message, "" where something else is wrong."""
    return PLACE.get(code_of(error), "")


def reason_of(error: SlackApiError) -> str:
    """Return in words why a place takes no message."""
    return place_refused(error) or NOWHERE
