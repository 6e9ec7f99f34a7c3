"""Sentences about systems and tickets: durations, sizes, parts of one, missing values, truth values, negative numbers."""

from random import Random

from tests.fuzz.writers.pieces import Form, Sentence, either, figure, name, rough

_SERVICES = ("auth-api", "billing", "search", "checkout", "media-proxy", "notifications", "ledger", "gateway")
_QUEUES = ("Billing", "Login issues", "Refunds", "Shipping", "Other", "Bug reports", "Feature requests")
_TEAMS = ("Platform", "Growth", "Payments", "Data", "Mobile", "Security")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight")


def _services(chance: Random) -> tuple[list[str], list[list[object]]]:
    names = chance.sample(_SERVICES, chance.randint(4, 7))
    rows: list[list[object]] = [
        [name, chance.randint(1_000, 2_000_000), round(chance.uniform(0.001, 0.2), 4), chance.randint(30, 900)]
        for name in names
    ]
    return ["service", "requests", "error_rate", "p95_ms"], rows


def _error_rate(chance: Random) -> Sentence:
    columns, rows = _services(chance)
    row = chance.choice(rows)
    return Sentence("error rate", columns, rows, [name(str(row[0]), [str(r[0]) for r in rows]), " had an error rate of ", figure(chance, f"{100 * float(str(row[2])):.2f}%"), " over ", figure(chance, f"{row[1]:,}"), " requests."])  # fmt: skip


def _slowest(chance: Random) -> Sentence:
    columns, rows = _services(chance)
    row = max(rows, key=lambda r: int(str(r[3])))
    return Sentence("slowest", columns, rows, ["The highest p95 latency is ", figure(chance, f"{row[3]} ms"), " for ", name(f"`{row[0]}`", [f"`{r[0]}`" for r in rows]), "."])  # fmt: skip


def _seconds(chance: Random) -> Sentence:
    columns, rows = _services(chance)
    row = chance.choice(rows)
    seconds = int(str(row[3])) / 1000
    return Sentence("in seconds", columns, rows, ["p95 of ", str(row[0]), " is ", figure(chance, f"{seconds:.2f} s", f"{seconds:.2f} ms", f"{seconds:.2f} min"), "."]) if seconds >= 0.1 else _seconds(chance)  # fmt: skip


def _requests(chance: Random) -> Sentence:
    columns, rows = _services(chance)
    total = sum(int(str(r[1])) for r in rows)
    return Sentence("requests in all", columns, rows, ["All services together handled ", figure(chance, f"{total / 1e6:.2f} million", f"{total / 1e6:.2f} billion", f"{total / 1e6:.2f} thousand"), " requests."])  # fmt: skip


def _exceed(chance: Random) -> Sentence:
    columns, rows = _services(chance)
    limit = chance.choice((200, 300, 500))
    over = [str(r[0]) for r in rows if int(str(r[3])) > limit]
    under = [str(r[0]) for r in rows if int(str(r[3])) < limit]
    if len(over) != 2 or not under:
        return _exceed(chance)
    return Sentence("two exceed", columns, rows, [either("Two", "Three", "Four"), " services, ", name(over[0], [under[0]]), " and ", over[1], ", exceed the ", f"{limit} ms threshold."])  # fmt: skip


def _queues(chance: Random) -> tuple[list[str], list[list[object]]]:
    names = chance.sample(_QUEUES, chance.randint(4, 6))
    rows: list[list[object]] = [
        [n, chance.randint(20, 400), chance.randint(1, 19), round(chance.uniform(0.5, 30), 1)] for n in names
    ]
    return ["category", "tickets", "open_tickets", "avg_resolution_hours"], rows


def _queue(chance: Random) -> Sentence:
    columns, rows = _queues(chance)
    row = chance.choice(rows)
    return Sentence("queue", columns, rows, ["*", name(str(row[0]), [str(r[0]) for r in rows]), "*: ", figure(chance, str(row[1])), " tickets, of which ", figure(chance, str(row[2])), " are still open; average resolution ", figure(chance, f"{row[3]} hours")])  # fmt: skip


def _days(chance: Random) -> Sentence:
    columns, rows = _queues(chance)
    row = max(rows, key=lambda r: float(str(r[3])))
    days = float(str(row[3])) / 24
    return Sentence("in days", columns, rows, [str(row[0]), " tickets take the longest to resolve, ", rough(f"{days:.1f} days", f"{days + 0.6:.1f} days", f"{days:.1f} hours"), " on average."]) if days > 0.5 else _days(chance)  # fmt: skip


def _open_share(chance: Random) -> Sentence:
    columns, rows = _queues(chance)
    still, every = sum(int(str(r[2])) for r in rows), sum(int(str(r[1])) for r in rows)
    return Sentence("open share", columns, rows, ["Of ", figure(chance, f"{every:,}"), " tickets in total, ", figure(chance, str(still)), " (", figure(chance, f"{100 * still / every:.1f}%"), ") are still open."])  # fmt: skip


def _minutes(chance: Random) -> Sentence:
    minutes = chance.randint(61, 600)
    while minutes % 60 == 0:
        minutes += 1
    h, m = divmod(minutes, 60)
    return Sentence("h and min", ["avg_minutes"], [[minutes]], ["The average session lasted ", rough(f"{h} h {m} min", f"{h + 1} h {m} min", f"{h} h {(m + 7) % 60} min"), "."])  # fmt: skip


def _missing(chance: Random) -> Sentence:
    size = chance.randint(6, 9)
    none = chance.randint(2, 4)
    rows: list[list[object]] = [[f"user{n:02}", None if n < none else chance.randint(18, 70)] for n in range(size)]
    chance.shuffle(rows)
    return Sentence("missing", ["user", "age"], rows, [rough(str(none), str(none + 1)), " of the ", rough(str(size), str(size + 2)), " users have no age recorded."])  # fmt: skip


def _negative(chance: Random) -> Sentence:
    names = chance.sample(_TEAMS, 5)
    rows: list[list[object]] = [[n, chance.choice((-1, 1)) * chance.randint(1_000, 90_000)] for n in names]
    below = [r for r in rows if int(str(r[1])) < 0]
    if len(below) not in (1, 2):
        return _negative(chance)
    row = min(below, key=lambda r: int(str(r[1])))
    loss = abs(int(str(row[1])))
    return Sentence("loss", ["team", "budget_variance"], rows, [name(str(row[0]), names), " is ", figure(chance, f"${loss:,}"), " ", either("under", "over"), " budget, the ", either("largest shortfall", "smallest shortfall"), " of all teams."])  # fmt: skip


def _minus(chance: Random) -> Sentence:
    names = chance.sample(_TEAMS, 4)
    rows: list[list[object]] = [[n, round(chance.uniform(-12, 12), 1)] for n in names]
    row = chance.choice(rows)
    value = float(str(row[1]))
    if abs(value) < 1:
        return _minus(chance)
    return Sentence("signed", ["team", "growth_pct"], rows, [name(str(row[0]), names), ": ", either("-" if value < 0 else "+", "+" if value < 0 else "-"), figure(chance, f"{abs(value)}%")])  # fmt: skip


def _growing(chance: Random) -> Sentence:
    names = chance.sample(_TEAMS, 4)
    rows: list[list[object]] = [[n, round(chance.uniform(-12, 12), 1)] for n in names]
    row = chance.choice(rows)
    value = float(str(row[1]))
    if abs(value) < 1:
        return _growing(chance)
    return Sentence("grew or shrank", ["team", "growth_pct"], rows, [name(str(row[0]), names), either(" shrank" if value < 0 else " grew", " grew" if value < 0 else " shrank"), " by ", figure(chance, f"{abs(value)}%"), " last quarter."])  # fmt: skip


def _flags(chance: Random) -> Sentence:
    names = chance.sample(_SERVICES, 6)
    rows: list[list[object]] = [[n, chance.random() < 0.5] for n in names]
    on = sum(bool(r[1]) for r in rows)
    if not 2 <= on <= 4:
        return _flags(chance)
    return Sentence("flags", ["service", "is_healthy"], rows, [rough(_WORDS[on].capitalize(), _WORDS[on + 1].capitalize() if on != 3 else "Five"), " of six services are healthy."])  # fmt: skip


def _single(chance: Random) -> Sentence:
    n = chance.randint(1_001, 99_999)
    return Sentence("single value", ["count"], [[n]], ["There are currently ", figure(chance, f"{n:,}"), " active sessions."])  # fmt: skip


def _bytes(chance: Random) -> Sentence:
    names = chance.sample(("events", "users", "orders", "logs", "sessions"), 4)
    rows: list[list[object]] = [[n, chance.randint(120, 9_000)] for n in names]
    row = max(rows, key=lambda r: int(str(r[1])))
    gb = int(str(row[1])) / 1000
    return Sentence("bytes", ["table_name", "size_mb"], rows, ["The largest table is ", name(f"`{row[0]}`", [f"`{n}`" for n in names]), " at ", figure(chance, f"{gb:.2f} GB", f"{gb:.2f} MB", f"{gb:.2f} TB"), "."])  # fmt: skip


def _mean(chance: Random) -> Sentence:
    columns, rows = _services(chance)
    value = sum(int(str(r[3])) for r in rows) / len(rows)
    return Sentence("mean", columns, rows, ["Mean p95 latency across the ", rough(str(len(rows)), str(len(rows) + 1)), " services is ", figure(chance, f"{value:.1f} ms"), "."])  # fmt: skip


def _none_of(chance: Random) -> Sentence:
    columns, rows = _services(chance)
    top = max(int(str(r[3])) for r in rows)
    limit = (top // 100 + 1) * 100
    return Sentence("none", columns, rows, ["None of the services has a p95 above ", rough(f"{limit} ms", f"{max(limit - 300, 40)} ms"), "."]) if top > 360 else _none_of(chance)  # fmt: skip


def _all_below(chance: Random) -> Sentence:
    columns, rows = _services(chance)
    top = max(float(str(r[2])) for r in rows)
    limit = int(top * 100) + 1
    return Sentence("all below", columns, rows, ["All services stay below ", rough(f"{limit}%", f"{limit - 3}%"), " errors."]) if limit > 4 else _all_below(chance)  # fmt: skip


FORMS: tuple[Form, ...] = (_error_rate, _slowest, _seconds, _requests, _exceed, _queue, _days, _open_share, _minutes, _missing, _negative, _minus, _growing, _flags, _single, _bytes, _mean, _none_of, _all_below)  # fmt: skip
