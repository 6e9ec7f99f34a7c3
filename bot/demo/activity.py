"""Generate the demo company's installs, users, revenue, reviews and releases. Same day and seed, same rows."""

from bisect import bisect
from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from typing import Final, TypeAlias

from bot.demo.portfolio import Company, Country, MobileApp, ReviewText

Row: TypeAlias = tuple[object, ...]
MetricRow: TypeAlias = tuple[int, str, str, int, int, float]

DAYS: Final = 400  # of daily metrics and reviews: a year, and a month to compare it with
RELEASE_DAYS: Final = 730
REVIEWS: Final = 9_000
NOISE: Final = 4_099  # a prime, so that no two series fall into step

# Monday to Sunday.
WORKDAYS: Final = (1.08, 1.12, 1.12, 1.10, 1.00, 0.70, 0.72)
WEEKENDS: Final = (0.90, 0.88, 0.90, 0.95, 1.08, 1.24, 1.20)
EVEN: Final = (0.99, 0.98, 0.99, 1.00, 1.02, 1.01, 1.01)
RHYTHMS: Final = {"Productivity": WORKDAYS, "Finance": WORKDAYS, "Games": WEEKENDS, "Food": WEEKENDS, "Photo": WEEKENDS}
INSTALLS_PER_USER: Final = 0.045  # a day, of an app that costs nothing
HALVING_PRICE: Final = 3.0  # USD; an app at this price is installed half as often
REVENUE_PER_USER: Final = {"iOS": 0.061, "Android": 0.034, "Web": 0.048}  # USD a day, from advertisements


def daily_metrics(company: Company, today: date, seed: int) -> Iterator[list[MetricRow]]:
    """Yield rows of (app_id, day, country, installs, active_users, revenue_usd): one list per app, in key order."""
    for app in company.apps:
        random = Random(f"{seed} metrics {app.name}")
        noise = [random.lognormvariate(0, 0.13) for _ in range(NOISE + DAYS)]
        days = _days_on_sale(app, today, DAYS)
        curve = _curve(app, days, random)
        dates = [day.isoformat() for day in days]
        rows: list[MetricRow] = []
        for country in _markets(app, company.countries):
            rows += _market_rows(app, country, dates, curve, noise, random)
        rows.sort()
        yield rows


def reviews(company: Company, today: date, seed: int) -> Iterator[Row]:
    """Return rows of (review_id, app_id, created_on, country, stars, title, body), oldest first."""
    random = Random(f"{seed} reviews")
    on_sale = {app.id: _days_on_sale(app, today, DAYS) for app in company.apps}
    apps = random.choices(company.apps, [app.reach * len(on_sale[app.id]) for app in company.apps], k=REVIEWS)
    dated = sorted(((random.choice(on_sale[app.id]), app) for app in apps), key=lambda pair: (pair[0], pair[1].id))
    for review_id, (day, app) in enumerate(dated, 1):
        country = random.choice(_markets(app, company.countries))
        text = _review_text(app, company.review_texts, random)
        title = text.title if random.random() < 0.75 else None
        body = text.body if random.random() < 0.65 else None
        yield review_id, app.id, day.isoformat(), country.name, text.stars, title, body


def releases(company: Company, today: date, seed: int) -> Iterator[Row]:
    """Return rows of (release_id, app_id, version, released_on, notes, is_hotfix), by app, oldest first."""
    release_id = 0
    for app in company.apps:
        random = Random(f"{seed} releases {app.name}")
        days = _days_on_sale(app, today, RELEASE_DAYS)
        major, minor, patch, at = 1 + (days[0] - app.launched_on).days // 365, 0, 0, 0
        while at < len(days):
            release_id += 1
            version = f"{major}.{minor}.{patch}"
            notes = random.choice(company.release_notes) if random.random() < 0.8 else None
            yield release_id, app.id, version, days[at].isoformat(), notes, int(patch > 0)
            if random.random() < 0.18:
                patch, at = patch + 1, at + random.randint(1, 4)
            elif random.random() < 0.06:
                major, minor, patch, at = major + 1, 0, 0, at + random.randint(20, 45)
            else:
                minor, patch, at = minor + 1, 0, at + random.randint(12, 40)


def _days_on_sale(app: MobileApp, today: date, at_most: int) -> list[date]:
    first = max(app.launched_on, today - timedelta(days=at_most))
    end = app.retired_on or today
    return [first + timedelta(days=n) for n in range((end - first).days)]


def _markets(app: MobileApp, countries: tuple[Country, ...]) -> list[Country]:
    """Return the app's countries: the largest, then others turned by its id so that small apps differ."""
    largest, rest = countries[:5], countries[5:]
    turned = [rest[(n + app.id) % len(rest)] for n in range(max(0, app.markets - len(largest)))]
    return [*largest, *turned]


def _curve(app: MobileApp, days: list[date], random: Random) -> list[float]:
    rhythm = RHYTHMS.get(app.category, EVEN)
    campaigns = [random.randrange(DAYS) for _ in range(2)]
    curve = []
    for n, day in enumerate(days):
        growth = max(0.15, 1 + app.trend * n / 365)
        season = 1.35 if app.category == "Health" and day.month == 1 else 1.0
        campaign = 1.6 if any(0 <= n - start < 9 for start in campaigns) else 1.0
        curve.append(growth * rhythm[day.weekday()] * season * campaign)
    return curve


def _market_rows(
    app: MobileApp, country: Country, dates: list[str], curve: list[float], noise: list[float], random: Random
) -> list[MetricRow]:
    users = app.reach * country.share * random.uniform(0.7, 1.3)
    per_user = REVENUE_PER_USER[app.platform] * random.uniform(0.8, 1.2)
    new = INSTALLS_PER_USER / (1 + app.price_usd / HALVING_PRICE) * random.uniform(0.7, 1.3)
    a, b = random.randrange(NOISE), random.randrange(NOISE)
    rows: list[MetricRow] = []
    for day, busy, calm, wild in zip(dates, curve, noise[a:], noise[b:], strict=False):
        active = int(users * busy * calm)
        installs = int(users * busy * busy * wild * new)
        revenue = round(active * per_user * wild + installs * app.price_usd, 2)
        rows.append((app.id, day, country.name, installs, active, revenue))
    return rows


def _review_text(app: MobileApp, texts: tuple[ReviewText, ...], random: Random) -> ReviewText:
    bad, middling, fine = 1 - app.quality, 1.15 - app.quality, 0.45
    cuts = (0.5 * bad, 0.8 * bad, 0.8 * bad + 0.4 * middling, 0.8 * bad + 0.4 * middling + fine * 0.5)
    stars = bisect(cuts, random.random()) + 1
    return random.choice([text for text in texts if text.stars == stars])
