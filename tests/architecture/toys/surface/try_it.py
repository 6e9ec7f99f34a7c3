"""Presses the button of the toy surface, without Slack."""

import sys
from typing import Any

from slack_bolt import App, BoltRequest
from slack_bolt.authorization import AuthorizeResult

from bot.listeners import register


def known(**_: Any) -> AuthorizeResult:
    """Everybody is let in: Slack is not asked."""
    return AuthorizeResult(enterprise_id=None, team_id="T", bot_token="xoxb-none", bot_id="B", bot_user_id="U")


app: Any = App(authorize=known, token_verification_enabled=False, process_before_response=True)
register(app, None)  # type: ignore[arg-type]  # nobody asks a question here
press = {
    "type": "block_actions",
    "user": {"id": "U1"},
    "team": {"id": "T"},
    "actions": [{"action_id": "parrot", "value": "hello"}],
}
sys.stdout.write(app.dispatch(BoltRequest(body=press, mode="socket_mode")).body)
