"""Ids, times and texts as Slack writes them."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]
Ts = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,10}\.[0-9]{1,9}$")]
Text = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]
LongText = Annotated[Text, StringConstraints(max_length=100_000)]  # Slack's own limit is 40,000


class SlackShape(BaseModel):
    model_config = ConfigDict(extra="ignore")


class KnownPerson(SlackShape):
    id: Id
    team_id: Id | None = None
