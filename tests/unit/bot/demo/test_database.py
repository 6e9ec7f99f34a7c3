"""The demo's database: what is in it, and that it is built whole, the same each time, and once a day."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from bot.demo import database
from bot.demo.activity import daily_metrics
from bot.demo.portfolio import load_company

TODAY = date(2026, 3, 1)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "demo.sqlite"
    database.build(path, TODAY)
    return path


@pytest.fixture
def demo(built: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"{built.as_uri()}?mode=ro", uri=True)) as connection:
        yield connection


FACTS = {
    "apps": ("SELECT count(*) FROM app_portfolio", 49),
    "iOS apps": ("SELECT count(*) FROM app_portfolio WHERE platform = 'iOS'", 21),
    "platforms": ("SELECT group_concat(DISTINCT platform) FROM app_portfolio", "iOS,Android,Web"),
    "at least 200,000 daily metrics": ("SELECT count(*) >= 200000 FROM daily_metrics", 1),
    "metrics end yesterday": ("SELECT max(day) FROM daily_metrics", "2026-02-28"),
    "metrics span about a year": (
        "SELECT julianday(max(day)) - julianday(min(day)) BETWEEN 364 AND 400 FROM daily_metrics",
        1,
    ),
    "no metric is negative": (
        "SELECT count(*) FROM daily_metrics WHERE installs < 0 OR active_users < 0 OR revenue_usd < 0",
        0,
    ),
    "some apps have no team": ("SELECT count(*) > 0 FROM app_portfolio WHERE team_id IS NULL", 1),
    "one team has no app": (
        "SELECT group_concat(name) FROM teams WHERE team_id NOT IN (SELECT team_id FROM app_portfolio WHERE team_id > 0)",
        "Harbor",
    ),
    "some apps are retired": ("SELECT count(*) FROM app_portfolio WHERE NOT is_active", 4),
    "some reviews have no title": ("SELECT count(*) > 100 FROM reviews WHERE title IS NULL", 1),
    "some reviews have no body": ("SELECT count(*) > 100 FROM reviews WHERE body IS NULL", 1),
    "some releases have no notes": ("SELECT count(*) > 10 FROM releases WHERE notes IS NULL", 1),
    "some releases are hotfixes": ("SELECT count(*) > 10 FROM releases WHERE is_hotfix", 1),
    "names beyond ASCII": (
        "SELECT count(*) FROM app_portfolio WHERE name IN ('Fjällkarta', '口袋菜谱', 'Café Löwe', 'Лесной Путь')",
        4,
    ),
    "all stars occur": ("SELECT count(DISTINCT stars) FROM reviews", 5),
    "hostile-looking reviews occur": (
        "SELECT count(DISTINCT body) FROM reviews WHERE body LIKE '<!channel> =1+1%' OR body LIKE '%DROP TABLE%'",
        2,
    ),
    "reviews with line breaks occur": ("SELECT count(*) > 0 FROM reviews WHERE body LIKE '%' || char(10) || '%'", 1),
    "no app has numbers before its launch or after its retirement": (
        "SELECT count(*) FROM daily_metrics JOIN app_portfolio USING (app_id) WHERE day < launched_on OR day >= retired_on",
        0,
    ),
    "one team has the most apps": (
        "SELECT count(*) FROM (SELECT rank() OVER (ORDER BY count(*) DESC) AS place FROM app_portfolio"
        " WHERE team_id IS NOT NULL GROUP BY team_id) WHERE place = 1",
        1,
    ),
    "games are played at weekends": (
        "SELECT avg(active_users) FILTER (WHERE strftime('%w', day) IN ('0', '6'))"
        " > avg(active_users) FILTER (WHERE strftime('%w', day) NOT IN ('0', '6'))"
        " FROM daily_metrics JOIN app_portfolio USING (app_id) WHERE category = 'Games'",
        1,
    ),
    "the company grows": (
        "SELECT sum(revenue_usd) FILTER (WHERE day >= '2026-02-01')"
        " > sum(revenue_usd) FILTER (WHERE day BETWEEN '2025-02-01' AND '2025-02-28') FROM daily_metrics",
        1,
    ),
    "every foreign key holds": ("SELECT count(*) FROM pragma_foreign_key_check", 0),
    "the file is sound": ("SELECT integrity_check FROM pragma_integrity_check", "ok"),
}


@pytest.mark.parametrize("fact", FACTS)
def test_fact(demo: sqlite3.Connection, fact: str) -> None:
    sql, expected = FACTS[fact]
    assert demo.execute(sql).fetchall() == [(expected,)]


# Whoever changes one of these raises the edition, `APPLICATION_ID`, so that databases of the day are built anew.
SUMS = {
    "teams": (
        "count(*), sum(team_id * length(name)), sum(team_id * length(region)), sum(team_id * length(lead))",
        (8, 221, 306, 364),
    ),
    "app_portfolio": (
        "count(*), sum(app_id * length(name)), sum(app_id * length(platform)), sum(app_id * length(category)),"
        " sum(app_id * team_id), sum(app_id * (julianday(launched_on) - 2460000)),"
        " sum(julianday(retired_on) - 2460000), sum(app_id * is_active), round(sum(app_id * price_usd), 2)",
        (49, 11403, 6195, 8515, 4362, 158122.5, 3662.0, 1101, 1738.89),
    ),
    "daily_metrics": (
        "count(*), sum(installs), sum(active_users), round(sum(revenue_usd)),"
        " sum(installs * (julianday(day) - 2460000)), sum(active_users * app_id), sum(installs * length(country))",
        (229585, 5106426, 94284888, 5528256, 4726859508, 2026971573, 41877417),
    ),
    "reviews": (
        "count(*), sum(stars), sum(app_id * review_id), count(title), sum(length(body)),"
        " sum(julianday(created_on) - 2460000), sum(length(country) * review_id)",
        (9000, 34992, 893492306, 6794, 241535, 8105020, 312259868),
    ),
    "releases": (
        "count(*), sum(is_hotfix), count(notes), sum(app_id * release_id),"
        " sum(julianday(released_on) - 2460000), count(DISTINCT version), sum(length(notes))",
        (1441, 261, 1134, 33868271, 1074624.5, 286, 30175),
    ),
}


@pytest.mark.parametrize("table", SUMS)
def test_an_edition_has_the_rows_that_it_had(demo: sqlite3.Connection, table: str) -> None:
    sums, expected = SUMS[table]
    assert database.APPLICATION_ID == 0x44540002
    assert demo.execute(f"SELECT {sums} FROM {table}").fetchall() == [expected]


def test_every_relation_is_declared_as_a_foreign_key(demo: sqlite3.Connection) -> None:
    sql = (
        "SELECT m.name, f.\"table\" FROM sqlite_schema m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'"
        " ORDER BY 1"
    )
    assert demo.execute(sql).fetchall() == [
        ("app_portfolio", "teams"),
        ("daily_metrics", "app_portfolio"),
        ("releases", "app_portfolio"),
        ("reviews", "app_portfolio"),
    ]


def test_the_same_day_and_seed_give_the_same_bytes(built: Path, tmp_path: Path) -> None:
    again = tmp_path / "new folder" / "again.sqlite"
    database.build(again, TODAY)
    assert again.read_bytes() == built.read_bytes()


def test_another_seed_gives_other_numbers() -> None:
    company = load_company(TODAY)
    assert next(daily_metrics(company, TODAY, 1)) != next(daily_metrics(company, TODAY, 2))


def test_a_built_file_is_current_on_its_day_only(built: Path) -> None:
    assert database.is_current(built, TODAY)
    assert not database.is_current(built, TODAY + timedelta(days=1))


def test_a_missing_or_damaged_file_is_not_current(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.sqlite"
    damaged.write_bytes(b"not a database" * 100)
    assert not database.is_current(tmp_path / "missing.sqlite", TODAY)
    assert not database.is_current(damaged, TODAY)
    assert not (tmp_path / "missing.sqlite").exists()


def test_ensure_keeps_the_file_of_the_day(built: Path) -> None:
    before = built.stat()
    database.ensure(built, TODAY)
    assert built.stat() == before


def test_ensure_replaces_a_stale_file_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "demo.sqlite"
    path.parent.mkdir()
    path.write_bytes(b"an older demo")
    database.ensure(path, TODAY)
    assert database.is_current(path, TODAY)
    assert list(path.parent.iterdir()) == [path]


def test_a_build_that_fails_leaves_the_old_file_and_no_draft(tmp_path: Path) -> None:
    path = tmp_path / "demo.sqlite"
    path.write_bytes(b"an older demo")
    with pytest.raises(OverflowError):
        database.build(path, date.min)  # no app can have been launched before it
    assert path.read_bytes() == b"an older demo"
    assert list(tmp_path.iterdir()) == [path]


def test_the_company_is_as_old_on_every_day() -> None:
    one, other = load_company(TODAY), load_company(TODAY + timedelta(days=100))
    assert [TODAY - app.launched_on for app in one.apps] == [
        TODAY + timedelta(days=100) - app.launched_on for app in other.apps
    ]
