"""The default install stays light, and its page names what is in it."""

import re
import tomllib

import pytest

from tests.docs.package_weights import EXTRAS, LOCK, MB, locked, page, weight
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


def names(text: str) -> list[str]:
    """Return what the first column of the tables names, sorted."""
    return sorted(re.findall(r"^\| `([\w.-]+)` \|", text, re.MULTILINE))


def test_the_page_names_each_extra_and_heavy_package() -> None:
    shown = (ROOT / "docs/packages.md").read_text("utf-8")
    assert names(shown) == names(page())
    assert PROJECT["optional-dependencies"].keys() <= set(names(shown))


@pytest.mark.parametrize("extra", sorted(PROJECT["optional-dependencies"]))
def test_the_development_lock_has_every_extra_but_models(extra: str) -> None:
    wanted = {re.split(r"[\[><=]", each)[0] for each in PROJECT["optional-dependencies"][extra]}
    assert extra == "semantic" or wanted <= set(locked(ROOT / "requirements/dev.txt"))
