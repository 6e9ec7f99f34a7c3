"""Where models are and how they are asked: values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from ai.ledger import Purpose

Structured = Literal["json_schema", "function", "json_object", "text"]
OPENAI = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server and its models. `seconds` bounds all calls of a turn; `pauses` precede the second and third try.

    `models` serve the purposes `model` does not. `api_version` marks Azure, with deployments named as models.
    `profiles` is the file of probed servers; `probe_pauses` are between probes of a silent one.
    """

    model: str
    key: str = field(repr=False)
    base_url: str | None = None
    seconds: float = 60.0
    structured: Structured = "json_schema"
    proxy: str | None = None
    pauses: tuple[float, float] = (0.5, 1.5)
    models: Mapping[Purpose, str] = field(default_factory=dict)
    api_version: str | None = None
    output_tokens: int | None = None
    temperature: float | None = None
    effort: str | None = None
    profiles: Path | None = None
    probe_pauses: tuple[float, ...] = (5.0, 10.0, 30.0, 60.0)

    def model_for(self, purpose: Purpose) -> str:
        return self.models.get(purpose, self.model)

    @property
    def base(self) -> str:
        return (self.base_url or OPENAI).rstrip("/")

    def address(self, model: str) -> str:
        base = self.base
        if self.api_version and "/deployments/" not in base:
            return f"{base.removesuffix('/openai')}/openai/deployments/{model}"
        return base

    def named(self, model: str) -> str:
        """Name a model at its server for files and logs, without credentials."""
        address = urlsplit(self.address(model))
        port = f":{address.port}" if address.port else ""
        return f"{address.hostname}{port}{address.path} {model}"

    @property
    def is_openai(self) -> bool:
        """Whether the server is OpenAI's own or Azure's."""
        return self.base_url is None or self.api_version is not None or "api.openai.com" in self.base_url
