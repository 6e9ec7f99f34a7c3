"""The default install stays light, and its page names what is in it."""

import re
import tomllib

import pytest

from tests.docs.package_weights import EXTRAS, LEAST, LOCK, MB, locked, weight
from tests.paths import ROOT

MOST_MB = 620
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LEFT_OUT = ("psycopg", "pymysql", "redis", "xlsxwriter", "model2vec", "langgraph-checkpoint", "opentelemetry-sdk")


def test_the_default_install_is_light() -> None:
    assert sum(map(weight, locked(LOCK))) <= MOST_MB * MB


def test_the_default_install_leaves_extras_out() -> None:
    assert {"pandas", "duckdb", "vl-convert-python", "pyarrow"} <= set(locked(LOCK))
    assert set(LEFT_OUT) & set(locked(LOCK)) == set()
    assert set(locked(LOCK)) <= set(locked(EXTRAS))


def test_the_page_names_each_extra_and_heavy_package() -> None:
    """Some packages weigh a little more or less on another machine: what is near the least may be named or not."""
    shown = (ROOT / "docs/packages.md").read_text("utf-8")
    named = set(re.findall(r"^\| `([\w.-]+)` \|", shown, re.MULTILINE))
    weights = {name: weight(name) / MB for name in locked(EXTRAS)}
    assert {name for name, size in weights.items() if size >= LEAST * 1.5} <= named
    light = {name for name, size in weights.items() if 0 < size < LEAST / 1.5}
    extras = PROJECT["optional-dependencies"].keys()
    assert extras <= named <= (weights.keys() - light) | extras


@pytest.mark.parametrize("extra", sorted(PROJECT["optional-dependencies"]))
def test_the_development_lock_has_every_extra_but_models(extra: str) -> None:
    wanted = {re.split(r"[\[><=]", each)[0] for each in PROJECT["optional-dependencies"][extra]}
    assert extra == "semantic" or wanted <= set(locked(ROOT / "requirements/dev.txt"))
