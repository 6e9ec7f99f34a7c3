"""The files for containers, systemd and Kubernetes name what there is: settings, folders, the lock, the probes."""

import re
import shutil
import subprocess
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]
import pytest
import yaml

import config
from bot.cli.main import commands
from bot.http_api.api import probes
from bot.setup import load_workspace
from config import SECRETS, Settings
from tests.paths import ROOT

COMPOSE = yaml.safe_load((ROOT / "compose.yml").read_text("utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
UNIT = ROOT / "deploy" / "systemd" / "datathread.service"
KUBERNETES = ROOT / "deploy" / "kubernetes"
MANIFESTS = sorted(KUBERNETES.glob("*.yaml"))
EXPOSURE = 25  # tenths; of what systemd could keep from a service, how much is left to it
ACCOUNT = 10001


def documents() -> list[dict[str, Any]]:
    files = (path for path in MANIFESTS if path.name != "kustomization.yaml")
    return [one for path in files for one in yaml.safe_load_all(path.read_text("utf-8"))]


def one(kind: str) -> dict[str, Any]:
    return next(document for document in documents() if document["kind"] == kind)


def container() -> dict[str, Any]:
    (found,) = one("Deployment")["spec"]["template"]["spec"]["containers"]
    assert isinstance(found, dict)
    return found


def test_the_bots_are_given_every_setting_and_no_other() -> None:
    given = COMPOSE["services"]["bot"]["environment"]
    assert {name.lower() for name in given} == set(Settings.model_fields)
    assert given["STATE_URL"].partition(":?")[0] == given["ENGINE_URL"].partition("}@")[0]


def test_every_service_and_volume_that_is_named_is_there() -> None:
    services = COMPOSE["services"]
    mounts = [volume.rpartition(":/")[0] for service in services.values() for volume in service.get("volumes", ())]
    volumes = {mount for mount in mounts if "./" not in mount}
    assert volumes == set(COMPOSE["volumes"])
    folders = [mount.partition(":-./")[2].rstrip("}") for mount in mounts if "./" in mount]
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []
    assert set(services["bot"]["depends_on"]) == {"postgres", "redis"}
    needed = {name for name, how in services["bot"]["depends_on"].items() if how.get("required", True)}
    assert needed == {name for name in services if name != "bot" and "profiles" not in services[name]}
    given = filter(None, services["bot"]["environment"].values())
    assert set(re.findall(r"@(\w+)", " ".join(given))) <= set(services)


def test_the_image_holds_what_runs_by_the_lock_and_not_as_root() -> None:
    copied = " ".join(re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)).split()
    assert all((ROOT / path).exists() for path in copied)
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert {f"!{path}" for path in copied} <= set(ignored)
    assert "--require-hashes" in DOCKERFILE
    assert DOCKERFILE.index("USER datathread") < DOCKERFILE.index("ENTRYPOINT")
    assert f"--uid {ACCOUNT} " in DOCKERFILE


def test_probes_ask_for_what_is_served() -> None:
    served = {route.path for route in probes.routes if hasattr(route, "path")}
    asked = {container()[f"{name}Probe"]["httpGet"]["path"] for name in ("startup", "liveness", "readiness")}
    healthcheck = set(re.findall(r"8080(/\w+)", DOCKERFILE))
    assert asked == {"/healthz", "/readyz"}
    assert healthcheck == {"/healthz"}
    assert asked | healthcheck <= served


def test_the_example_of_a_configuration_file_is_valid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_URL", "sqlite:///shop.sqlite")
    in_map = next(one["data"] for one in documents() if "datathread.yml" in one.get("data", {}))["datathread.yml"]
    for text in ((ROOT / "deploy" / "config" / "datathread.example.yml").read_text("utf-8"), in_map):
        file = tmp_path / "datathread.yml"
        file.write_text(text, "utf-8")
        assert set(load_workspace(config.load(config_file=file)).sources) == {"shop"}


@pytest.mark.parametrize("document", documents(), ids=lambda found: f"{found['kind']} {found['metadata']['name']}")
@pytest.mark.parametrize("version", ["1.29", "1.34"])
def test_kubernetes_knows_every_field(document: dict[str, Any], version: str) -> None:
    kubernetes_validate.validate(document, version, strict=True)


def test_everything_is_applied_but_the_example_of_the_secret() -> None:
    listed = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text("utf-8"))["resources"]
    files = {path.name for path in MANIFESTS} - {"kustomization.yaml", "secret.example.yaml"}
    assert set(listed) == files


def test_the_pods_get_settings_that_exist_and_what_they_refer_to() -> None:
    named = {one["metadata"]["name"] for one in documents() if one["kind"] in ("ConfigMap", "Secret")}
    spec = one("Deployment")["spec"]["template"]["spec"]
    refers = [next(iter(source.values()))["name"] for source in container()["envFrom"]]
    refers += [volume["configMap"]["name"] for volume in spec["volumes"] if "configMap" in volume]
    assert set(refers) <= named
    plain = set(one("ConfigMap")["data"])
    secret = set(one("Secret")["stringData"]) - {"SHOP_URL"}
    assert {name.lower() for name in plain | secret} <= set(Settings.model_fields)
    assert plain & set(SECRETS) == set()
    assert secret <= set(SECRETS)


def test_all_select_the_pods_and_the_port_that_there_are() -> None:
    labels = one("Deployment")["spec"]["template"]["metadata"]["labels"]
    ports = {port["name"] for port in container()["ports"]}
    assert one("Service")["spec"]["selector"] == labels
    assert {port["targetPort"] for port in one("Service")["spec"]["ports"]} == ports
    assert one("PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == labels
    assert one("NetworkPolicy")["spec"]["podSelector"]["matchLabels"] == labels
    assert one("NetworkPolicy")["spec"]["ingress"][0]["ports"] == [{"port": name} for name in ports]


def test_the_pods_may_do_no_more_than_the_restricted_standard() -> None:
    spec = one("Deployment")["spec"]["template"]["spec"]
    assert spec["securityContext"]["runAsUser"] == ACCOUNT
    assert container()["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def test_the_unit_runs_a_command_that_exists_with_settings_that_exist() -> None:
    text = UNIT.read_text("utf-8")
    unit = RawConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(text)
    assert unit["Service"]["ExecStart"].split()[1] in commands.commands
    given = re.findall(r"(?<=[= ])([A-Z_]+)=", "\n".join(re.findall(r"^Environment=.*$", text, re.MULTILINE)))
    named = {name.removesuffix("_FILE").lower() for name in given} - {"pythonunbuffered"}
    assert named <= set(Settings.model_fields)
    loaded = set(re.findall(r"^LoadCredential=(\w+):", text, re.MULTILINE))
    assert loaded == set(re.findall(r"_FILE=%d/(\w+)", text))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not on this machine")
def test_systemd_takes_the_unit_and_finds_little_exposed(tmp_path: Path) -> None:
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text("utf-8").replace("/opt/datathread/bin/datathread", "/usr/bin/env"), "utf-8")
    verified = subprocess.run(["systemd-analyze", "verify", copy], capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")
    threshold = ["systemd-analyze", "security", "--offline=yes", f"--threshold={EXPOSURE}", str(copy)]
    judged = subprocess.run(threshold, capture_output=True, text=True, check=False)
    assert judged.returncode == 0, judged.stdout


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not on this machine")
def test_kustomize_puts_all_together() -> None:
    made = subprocess.run(["kubectl", "kustomize", KUBERNETES], capture_output=True, text=True, check=True)
    kinds = [one["kind"] for one in yaml.safe_load_all(made.stdout)]
    assert sorted(kinds) == sorted(one["kind"] for one in documents() if one["kind"] != "Secret")
