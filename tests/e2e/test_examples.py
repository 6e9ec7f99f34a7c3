"""The questions that the product offers on each company are answered, with rows, and named without units or pairs."""

from pathlib import Path

import pytest

from ai.nl2sql.examples import example_questions
from ai.nl2sql.reader import Reading, read
from ai.sql.database import Database
from ai.sql.guard import check
from tests.corpora.companies import CORPORA, TODAY, build

pytestmark = pytest.mark.slow
NAMES = ["demo", *sorted(path.name.removesuffix(".sql.xz") for path in CORPORA.glob("*.sql.xz"))]
CLUMSY = {"usd", "cents", "eur", "kg", "percent", "id", "daily", "dailies"}


@pytest.fixture(scope="module")
def companies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("companies")
    build(folder, NAMES)
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_every_offered_question_is_answered(companies: Path, name: str) -> None:
    source = Database(name, f"sqlite:///{companies / name}.sqlite")
    catalog = source.catalog()
    for question in example_questions(catalog, TODAY, 8):
        found = read(question, catalog, TODAY)
        assert isinstance(found, Reading), question
        assert not CLUMSY & set(question.lower().rstrip("?").split()), question
        with source.run(check(found.sql, catalog)) as stream:
            assert [row for batch in stream.batches for row in batch], question
