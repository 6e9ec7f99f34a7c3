"""The first call to Slack: our names there."""

from dataclasses import dataclass
from threading import Event

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from ai.errors import ConfigError, SourceUnavailable
from bot.delivery import FAILURES, is_passing
from bot.people import Home

PATIENT = (0.1,) * 50 + (1.0,) * 25  # seconds between tries while Slack may be starting


@dataclass(frozen=True, slots=True)
class Greeting:
    """Names and ids of the workspace and the bot; `site` has no slash at its end."""

    team: str
    name: str
    site: str
    team_id: str
    user_id: str
    bot_id: str = ""
    enterprise_id: str = ""
    is_org_install: bool = False

    @property
    def home(self) -> Home:
        return Home(self.team_id, self.enterprise_id)


def greeted(client: WebClient, pauses: tuple[float, ...]) -> Greeting:
    """Ask Slack for our names, waiting while it starts. Raises ConfigError or SourceUnavailable."""
    for pause in pauses:
        try:
            answer = client.auth_test()
        except SlackApiError as error:
            if not is_passing(error):
                reason = error.response.get("error")
                raise ConfigError(
                    f"Slack refuses SLACK_BOT_TOKEN ({reason}); install the app again and copy it."
                ) from None
            Event().wait(pause)
        except FAILURES:
            Event().wait(pause)
        else:
            return Greeting(
                team=str(answer["team"]),
                name=str(answer["user"]),
                site=str(answer["url"]).rstrip("/"),
                team_id=str(answer["team_id"]),
                user_id=str(answer["user_id"]),
                bot_id=str(answer.get("bot_id") or ""),
                enterprise_id=str(answer.get("enterprise_id") or ""),
                is_org_install=bool(answer.get("is_enterprise_install")),
            )
    raise SourceUnavailable(f"Slack does not answer at {client.base_url}; check the network and SLACK_API_URL.")
