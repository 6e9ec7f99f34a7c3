"""The files for containers name what there is: settings, folders, the lock."""

import re

import yaml

from config import Settings
from tests.paths import ROOT

COMPOSE = yaml.safe_load((ROOT / "compose.yml").read_text("utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")


def test_the_bots_are_given_settings_that_exist() -> None:
    given = COMPOSE["services"]["bot"]["environment"]
    assert {name.lower() for name in given} <= set(Settings.model_fields)
    assert given["STATE_URL"].partition(":?")[0] == given["ENGINE_URL"].partition("}@")[0]


def test_every_service_and_volume_that_is_named_is_there() -> None:
    services = COMPOSE["services"]
    volumes = [volume.partition(":")[0] for service in services.values() for volume in service.get("volumes", ())]
    assert set(volumes) == set(COMPOSE["volumes"])
    assert set(services["bot"]["depends_on"]) == {"postgres", "redis"}
    hosts = re.findall(r"(?:@|redis://)(\w+)", " ".join(services["bot"]["environment"].values()))
    assert set(hosts) <= set(services)


def test_the_image_holds_what_runs_by_the_lock_and_not_as_root() -> None:
    copied = re.findall(r"^COPY (?!--from)(\S+)", DOCKERFILE, re.MULTILINE)
    assert all((ROOT / path).exists() for path in copied)
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert {f"!{path}" for path in copied} <= set(ignored)
    assert "--require-hashes" in DOCKERFILE
    assert DOCKERFILE.index("USER datathread") < DOCKERFILE.index("ENTRYPOINT")
