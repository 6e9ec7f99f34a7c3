"""Sentences of many countries and moods: other ways to write numbers, words for numbers, hedges, money, empty results."""

from random import Random

from tests.fuzz.writers.pieces import Form, Sentence, either, figure, name, rough

_CITIES = ("Lisbon", "Vienna", "Prague", "Oslo", "Helsinki", "Madrid", "Rome", "Athens", "Dublin")
_AIRLINES = ("SkyHop", "AeroNord", "Blue Wing", "Transit Air", "Polar Jet", "Condorcet")
_ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def _spelled(n: int) -> str:
    if n < 20:
        return _ONES[n]
    if n < 100:
        return _TENS[n // 10] + (f"-{_ONES[n % 10]}" if n % 10 else "")
    return f"{_ONES[n // 100]} hundred" + (f" and {_spelled(n % 100)}" if n % 100 else "")


def _trips(chance: Random) -> tuple[list[str], list[list[object]]]:
    names = chance.sample(_CITIES, chance.randint(4, 7))
    rows: list[list[object]] = [
        [n, chance.randint(1_000, 9_000_000), round(chance.uniform(40, 900), 2), chance.randint(2, 98)] for n in names
    ]
    return ["city", "visitors", "avg_fare_eur", "hotels"], rows


def _int(value: object) -> int:
    return int(str(value))


def _german(chance: Random) -> Sentence:
    columns, rows = _trips(chance)
    row = chance.choice(rows)
    fare = f"{float(str(row[2])):.2f}".replace(".", ",")
    return Sentence("German", columns, rows, [name(str(row[0]), [str(r[0]) for r in rows]), " had ", figure(chance, f"{row[1]:,}".replace(",", ".")), " visitors; the average fare was ", figure(chance, f"{fare} €"), "."])  # fmt: skip


def _french(chance: Random) -> Sentence:
    columns, rows = _trips(chance)
    row = chance.choice(rows)
    space = chance.choice(("\u202f", "\u00a0", " "))
    return Sentence("French", columns, rows, [str(row[0]), " : ", figure(chance, f"{row[1]:,}".replace(",", space)), " visitors, ", figure(chance, str(row[3])), " hotels"])  # fmt: skip


def _swiss(chance: Random) -> Sentence:
    columns, rows = _trips(chance)
    total = sum(_int(r[1]) for r in rows)
    return Sentence("Swiss", columns, rows, ["In all there were ", figure(chance, f"{total:,}".replace(",", "'")), f" visitors in {len(rows)} cities."])  # fmt: skip


def _indian(chance: Random) -> Sentence:
    columns, rows = _trips(chance)
    row = max(rows, key=lambda r: _int(r[1]))
    n = str(row[1])
    head, tail = n[:-3], n[-3:]
    parts = [head[max(0, i - 2) : i] for i in range(len(head), 0, -2)][::-1]
    return Sentence("Indian", columns, rows, [str(row[0]), " drew ", figure(chance, ",".join([*parts, tail])), " visitors, more than any other city."]) if _int(row[1]) > 100_000 else _indian(chance)  # fmt: skip


def _words(chance: Random) -> Sentence:
    columns, rows = _trips(chance)
    row = chance.choice(rows)
    n = _int(row[3])
    return Sentence("in words", columns, rows, [rough(_spelled(n).capitalize(), _spelled(n + 1).capitalize(), _spelled(n + 10).capitalize()), " hotels are listed for ", name(str(row[0]), [str(r[0]) for r in rows if r[3] != n]), "."])  # fmt: skip


def _words_total(chance: Random) -> Sentence:
    columns, rows = _trips(chance)
    n = sum(_int(r[3]) for r in rows)
    return Sentence("total in words", columns, rows, ["There are ", rough(_spelled(n), _spelled(n - 1), _spelled(n + 20)), " hotels across the ", rough(_spelled(len(rows)), _spelled(len(rows) + 1)), " cities."])  # fmt: skip


def _almost(chance: Random) -> Sentence:
    columns, rows = _trips(chance)
    row = max(rows, key=lambda r: _int(r[1]))
    n = _int(row[1])
    up = -(-n // 100_000) / 10
    if up * 1e6 - n > 30_000 or n < 1_200_000:
        return _almost(chance)
    return Sentence("almost", columns, rows, [str(row[0]), " welcomed almost ", rough(f"{up:.1f} million", f"{up + 0.3:.1f} million", f"{up:.1f} thousand", f"{up - 0.4:.1f} million"), " visitors."])  # fmt: skip


def _or_so(chance: Random) -> Sentence:
    columns, rows = _trips(chance)
    row = chance.choice(rows)
    k = round(_int(row[1]), -3)
    return Sentence("circa", columns, rows, ["Around ", rough(f"{k:,}", f"{k * 2:,}", f"{k // 3:,}"), " people visited ", str(row[0]), "."]) if _int(row[1]) > 20_000 else _or_so(chance)  # fmt: skip


def _cheapest(chance: Random) -> Sentence:
    columns, rows = _trips(chance)
    low, high = (f(rows, key=lambda r: float(str(r[2]))) for f in (min, max))
    return Sentence("cheapest", columns, rows, ["Fares to ", name(str(low[0]), [str(r[0]) for r in rows]), " are the ", either("cheapest", "most expensive"), " at ", figure(chance, f"€{low[2]:.2f}", f"£{low[2]:.2f}"), ", while ", str(high[0]), " costs ", figure(chance, f"€{high[2]:.2f}"), " on average."])  # fmt: skip


def _money(chance: Random) -> Sentence:
    names = chance.sample(_AIRLINES, 4)
    rows: list[list[object]] = [[n, round(chance.uniform(1, 900), 1)] for n in names]
    row = chance.choice(rows)
    return Sentence("in millions", ["airline", "revenue_musd"], rows, [name(str(row[0]), names), " booked ", figure(chance, f"${row[1]} million", f"${row[1]} billion", f"€{row[1]} million"), " in revenue."])  # fmt: skip


def _empty(chance: Random) -> Sentence:
    return Sentence("no rows", ["city", "visitors"], [], [either("No cities match", "3 cities match", "Seven cities match"), " that filter."])  # fmt: skip


def _zero(chance: Random) -> Sentence:
    n = chance.choice((0, 0, 1))
    return Sentence("zero", ["cancelled_flights"], [[n]], [either("There were no", "There were 4") if n == 0 else either("There was one", "There were two"), " cancelled ", "flights" if n == 0 else "flight", "."])  # fmt: skip


def _dozen(chance: Random) -> Sentence:
    columns, rows = _trips(chance)
    rows[1][3] = 24
    return Sentence("dozens", columns, rows, [name(str(rows[1][0]), [str(r[0]) for r in rows]), " has ", rough("two dozen", "three dozen", "a dozen"), " hotels."])  # fmt: skip


def _half_of(chance: Random) -> Sentence:
    names = chance.sample(_CITIES, 2)
    n = chance.randint(100, 900)
    rows: list[list[object]] = [[names[0], 2 * n], [names[1], n]]
    return Sentence("twice", ["city", "flights"], rows, [name(names[0], [names[1]]), " has ", rough("twice", "three times", "half"), " as many flights as ", names[1], "."])  # fmt: skip


def _thirds(chance: Random) -> Sentence:
    names = chance.sample(_CITIES, 3)
    n = chance.randint(100, 900)
    rows: list[list[object]] = [[names[0], 4 * n], [names[1], n], [names[2], n]]
    return Sentence("two thirds", ["city", "flights"], rows, [rough("Two thirds", "Half", "Three quarters", "A third"), " of all flights go to ", names[0], "."])  # fmt: skip


def _one_in(chance: Random) -> Sentence:
    names = chance.sample(_CITIES, 4)
    n = chance.randint(100, 900)
    rows: list[list[object]] = [[names[0], n], [names[1], 2 * n], [names[2], n], [names[3], n]]
    return Sentence("one in five", ["city", "flights"], rows, [rough("One in five", "One in three", "One in ten"), " flights goes to ", names[0], "."])  # fmt: skip


def _median(chance: Random) -> Sentence:
    columns, rows = _trips(chance)
    fares = sorted(float(str(r[2])) for r in rows)
    mid = fares[len(fares) // 2] if len(fares) % 2 else (fares[len(fares) // 2 - 1] + fares[len(fares) // 2]) / 2
    return Sentence("median fare", columns, rows, ["The median fare is ", figure(chance, f"€{mid:.0f}"), "."])


def _ratio(chance: Random) -> Sentence:
    columns, rows = _trips(chance)
    row = chance.choice(rows)
    per = _int(row[1]) / _int(row[3])
    return Sentence("visitors a hotel", columns, rows, [str(row[0]), " sees about ", figure(chance, f"{per:,.0f}"), " visitors per hotel."]) if 130 < per < 999_999 else _ratio(chance)  # fmt: skip


def _plus(chance: Random) -> Sentence:
    columns, rows = _trips(chance)
    a, b = chance.sample(rows, 2)
    return Sentence("plus", columns, rows, [str(a[0]), " and ", str(b[0]), " have ", figure(chance, str(_int(a[3]) + _int(b[3]))), " hotels between them (", figure(chance, str(a[3])), " and ", figure(chance, str(b[3])), ")."])  # fmt: skip


FORMS: tuple[Form, ...] = (_german, _french, _swiss, _indian, _words, _words_total, _almost, _or_so, _cheapest, _money, _empty, _zero, _dozen, _half_of, _thirds, _one_in, _median, _ratio, _plus)  # fmt: skip
