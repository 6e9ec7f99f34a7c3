"""The demo company: teams, 49 apps, countries, review texts. Days count back from the build day."""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class AppTeam:
    id: int
    name: str
    region: str
    lead: str


@dataclass(frozen=True, slots=True)
class MobileApp:
    """One app.

    `reach`: daily active users at launch in a country of share 1. `trend`: growth per year (0.5 is +50 %). `quality`: 0
    to 1, pulls the stars. `markets`: number of countries.
    """

    id: int
    name: str
    platform: str
    category: str
    team_id: int | None
    launched_on: date
    retired_on: date | None
    price_usd: float
    reach: float
    trend: float
    quality: float
    markets: int


@dataclass(frozen=True, slots=True)
class Country:
    """An English country name and its share of the business; the largest has 1."""

    name: str
    share: float


@dataclass(frozen=True, slots=True)
class ReviewText:
    stars: int
    title: str
    body: str


@dataclass(frozen=True, slots=True)
class Company:
    """The company on the build day."""

    teams: tuple[AppTeam, ...]
    apps: tuple[MobileApp, ...]
    countries: tuple[Country, ...]
    review_texts: tuple[ReviewText, ...]
    release_notes: tuple[str, ...]


def load_company(today: date) -> Company:
    teams = tuple(AppTeam(i, r["team"], r["region"], r["lead"]) for i, r in enumerate(_rows("teams.csv"), 1))
    team_ids = {team.name: team.id for team in teams}
    return Company(
        teams=teams,
        apps=tuple(_app(i, row, team_ids, today) for i, row in enumerate(_rows("apps.csv"), 1)),
        countries=tuple(Country(row["country"], float(row["share"])) for row in _rows("countries.csv")),
        review_texts=tuple(ReviewText(**json.loads(line)) for line in _lines("reviews.jsonl")),
        release_notes=tuple(_lines("notes.txt")),
    )


def _app(app_id: int, row: dict[str, str], team_ids: dict[str, int], today: date) -> MobileApp:
    retired = row["retired_days_ago"]
    return MobileApp(
        id=app_id,
        name=row["name"],
        platform=row["platform"],
        category=row["category"],
        team_id=team_ids[row["team"]] if row["team"] else None,
        launched_on=today - timedelta(days=int(row["launched_days_ago"])),
        retired_on=today - timedelta(days=int(retired)) if retired else None,
        price_usd=float(row["price_usd"]),
        reach=float(row["reach"]),
        trend=float(row["trend"]),
        quality=float(row["quality"]),
        markets=int(row["markets"]),
    )


def _lines(name: str) -> list[str]:
    return (DATA / name).read_text(encoding="utf-8").splitlines()


def _rows(name: str) -> Iterator[dict[str, str]]:
    return iter(csv.DictReader(_lines(name)))
