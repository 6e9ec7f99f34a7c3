"""Words, names and numbers."""

import pytest

from ai.nl2sql.words import keys, name_parts, plural, singular, split


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("how many apps?", ("how", "many", "apps")),
        ("Jane's AC/DC albums", ("jane", "ac/dc", "albums")),
        ('the "Data base" document', ("the", "data base", "document")),
        ("price >= 2.50", ("price", ">=", "2.50")),
        ("don\u2019t, R&B", ("don't", "r&b")),
        ("tv_channel ids", ("tv", "channel", "ids")),
        ("C++ and Łódź", ("c++", "and", "łódź")),
        ("", ()),
    ],
)
def test_cutting_text(text: str, expected: tuple[str, ...]) -> None:
    assert keys(text) == expected


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("5", 5),
        ("2.5", 2.5),
        ("1,234", 1234),
        ("$20", 20),
        ("5k", 5000),
        ("1.5m", 1_500_000),
        ("twelve", 12),
        ("7%", 7),
        ("apps", None),
    ],
)
def test_numbers(text: str, number: float | None) -> None:
    (word,) = split(text)
    assert word.number == number


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("InvoiceLine", ("invoice", "line")),
        ("app_portfolio", ("app", "portfolio")),
        ("HTTPStatus2", ("http", "status", "2")),
        ("unit price", ("unit", "price")),
        ("Größe_cm", ("größe", "cm")),
    ],
)
def test_parts_of_a_name(name: str, parts: tuple[str, ...]) -> None:
    assert name_parts(name) == parts


@pytest.mark.parametrize(
    ("one", "many"),
    [("app", "apps"), ("country", "countries"), ("box", "boxes"), ("day", "days"), ("class", "classes")],
)
def test_one_and_many(one: str, many: str) -> None:
    assert plural(one) == many
    assert singular(many) == one
