"""Count calls of Slack's Web API where they are made."""

from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from bot.monitoring.meter import SILENT, Meter

TOO_MANY = 429


class WatchedClient(WebClient):
    """A client telling `meter` of each call and its end."""

    meter: Meter = SILENT

    def api_call(self, api_method: str, **call: Any) -> SlackResponse:
        outcome = "unreachable"
        try:
            answer = super().api_call(api_method, **call)
            outcome = "ok"
        except SlackApiError as error:
            outcome = "limited" if getattr(error.response, "status_code", 0) == TOO_MANY else "refused"
            raise
        finally:
            self.meter.add("slack_calls", method=api_method, outcome=outcome)
        return answer
