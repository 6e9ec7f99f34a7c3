"""Try every part set up, and name the cures. `datathread check` prints it; owners are told at the start."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from hashlib import sha256

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from ai.errors import ConfigError, DatathreadError, SourceUnavailable
from ai.sql.database import Database
from bot.access import ANYWHERE
from bot.contact import slack_client
from bot.delivery import FAILURES, error_name, is_passing
from bot.doctor import parts
from bot.doctor.probes import SCOPES, missing_scopes
from bot.engine import TurnQueue
from bot.people import SlackGroups
from bot.product import Product

NO_TOKENS = "no tokens: `datathread run` starts the local Slack"
NO_SOCKET = (
    "Slack refuses SLACK_APP_TOKEN ({}): create an app-level token with connections:write, and enable Socket Mode."
)
SCOPES_MISSING = "Scopes are missing: add {} to the app, and install it again."
TOLD = "owners-told"  # the file that names what the owners were told last
FOUND = "I am running, but something needs an owner:\n{}\nRun `datathread check` after mending it."
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Check:
    """One part: what was found, or what to mend."""

    subject: str
    found: str
    is_well: bool


def checks(product: Product) -> Iterator[Check]:
    with closing(TurnQueue(product.settings.engine, product.settings.data_dir)) as queue:
        for subject, probe in _probes(product, queue):
            try:
                yield Check(subject, probe(), is_well=True)
            except DatathreadError as error:
                yield Check(subject, str(error), is_well=False)


def _probes(product: Product, queue: TurnQueue) -> Iterator[tuple[str, parts.Probe]]:
    settings = product.settings
    if settings.has_slack:
        client = slack_client(settings)
        yield "slack", partial(parts.slack, client)
        yield "scopes", partial(_scopes, client)
        if settings.slack_app_token is not None:
            yield "events", partial(_events, client, settings.slack_app_token.get_secret_value())
        yield "roles", partial(_roles, product, client)
    else:
        yield "slack", lambda: NO_TOKENS
    for name, database in product.sources.items():
        yield f"source {name}", partial(parts.described, database)
        if database.has_rights:
            yield f"rights {name}", partial(_rights, database)
    yield from parts.kept(product, queue)
    yield "model", partial(_model, product)


def _scopes(client: WebClient) -> str:
    try:
        missing = missing_scopes(client.auth_test())
    except FAILURES as error:
        raise SourceUnavailable(
            f"Slack does not tell the scopes ({error_name(error)}); mend the token first."
        ) from None
    if missing:
        raise ConfigError(SCOPES_MISSING.format(", ".join(missing)))
    return f"all {len(SCOPES)} are granted"


def _events(client: WebClient, app_token: str) -> str:
    try:
        client.apps_connections_open(app_token=app_token)
    except FAILURES as error:
        if isinstance(error, SlackApiError) and not is_passing(error):
            raise ConfigError(NO_SOCKET.format(error_name(error))) from None
        raise SourceUnavailable(f"Slack does not open a connection ({error_name(error)}); check the network.") from None
    return "Socket Mode opens; `datathread slack doctor` tries whether events arrive"


def _roles(product: Product, client: WebClient) -> str:
    members = SlackGroups(client)
    groups = [group for holders in product.access.roles.values() for group in holders.groups]
    return f"{len(product.access.roles)} roles, {sum(len(members(group)) for group in groups)} members of user groups"


def _rights(database: Database) -> str:
    if misfits := database.misfits():
        raise ConfigError(" ".join(map(str, misfits)))
    return "every rule fits the tables"


def _model(product: Product) -> str:
    product.reach_model()
    return product.analyst.name


def tell_owners(product: Product, client: WebClient) -> None:
    """Send the owners one direct message on what needs mending, once for the same problems."""
    problems = [f"• {check.subject}: {check.found}" for check in checks(product) if not check.is_well]
    for problem in problems:
        log.warning("%s", problem)
    told, names = product.settings.data_dir / TOLD, sha256("\n".join(problems).encode()).hexdigest()
    if not problems:
        told.unlink(missing_ok=True)
    elif not (told.exists() and told.read_text("utf-8") == names):
        _tell(client, [owner for owner in product.workspace.owners if owner != ANYWHERE], "\n".join(problems))
        told.write_text(names, "utf-8")


def _tell(client: WebClient, owners: Iterable[str], problems: str) -> None:
    for owner in owners:
        try:
            channel = client.conversations_open(users=owner)["channel"]["id"]
            client.chat_postMessage(channel=channel, text=FOUND.format(problems), unfurl_links=False, mrkdwn=False)
        except FAILURES as error:
            log.warning("the owner %s cannot be told: %s", owner, error_name(error))
