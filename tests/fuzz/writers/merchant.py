"""Sentences about shops: plain business English about a name and a few measures."""

from random import Random
from statistics import mean, median

from tests.fuzz.writers.pieces import Form, Sentence, Words, either, figure, name, rough

_NAMES = (
    ["Berlin", "Hamburg", "Munich", "Cologne", "Leipzig", "Dresden", "Essen", "Bremen"],
    ["Kettle", "Toaster", "Blender", "Espresso Machine", "Air Fryer", "Juicer", "Rice Cooker", "Mixer"],
    ["Acme Corp", "Globex", "Initech", "Umbrella", "Hooli", "Stark Industries", "Wayne Enterprises", "Soylent"],
    ["North", "South", "East", "West", "Central", "Islands", "Coast", "Highlands"],
)
_NOUNS = ("store", "product", "customer", "region")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight")


class _Shops:
    """A random result: who, revenue, orders, a rate in percent."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        kind = chance.randrange(4)
        self.noun = _NOUNS[kind]
        self.names = chance.sample(_NAMES[kind], chance.randint(4, 8))
        size = len(self.names)
        self.revenue = chance.sample(range(1_200, 98_000), size)
        self.orders = chance.sample(range(31, 990), size)
        self.rate = [n / 10 for n in chance.sample(range(11, 188), size)]
        self.columns = [self.noun, "revenue", "orders", "return_rate_pct"]
        self.rows = [list(row) for row in zip(self.names, self.revenue, self.orders, self.rate, strict=True)]

    def said(self, form: str, *words: object) -> Sentence:
        """A sentence about it."""
        return Sentence(form, self.columns, self.rows, list(words))  # type: ignore[arg-type]

    def by_revenue(self) -> list[int]:
        """Rows from the highest revenue down."""
        return sorted(range(len(self.names)), key=lambda row: -self.revenue[row])

    def name(self, row: int) -> object:
        """A name as a piece."""
        return name(self.names[row], self.names)

    def figure(self, written: str) -> object:
        """A figure as a piece."""
        return figure(self.chance, written)


def _single(chance: Random) -> Sentence:
    t = _Shops(chance)
    row = chance.randrange(len(t.names))
    return t.said("single", t.name(row), " generated $", t.figure(f"{t.revenue[row]:,}"), " in revenue from ", t.figure(f"{t.orders[row]}"), " orders.")  # fmt: skip


def _top(chance: Random) -> Sentence:
    t = _Shops(chance)
    first, second = t.by_revenue()[:2]
    return t.said("top", t.name(first), f" is the top {t.noun} by revenue with $", t.figure(f"{t.revenue[first]:,}"), ", followed by ", t.name(second), " at $", t.figure(f"{t.revenue[second]:,}"), ".")  # fmt: skip


def _bottom(chance: Random) -> Sentence:
    t = _Shops(chance)
    last = t.by_revenue()[-1]
    return t.said("bottom", "The ", either("lowest", "highest"), "-earning ", t.noun, " was ", t.name(last), ", which brought in only ", t.figure(f"${t.revenue[last]:,}"), ".")  # fmt: skip


def _share(chance: Random) -> Sentence:
    t = _Shops(chance)
    row = chance.randrange(len(t.names))
    share = 100 * t.revenue[row] / sum(t.revenue)
    return t.said("share", t.name(row), " accounts for ", t.figure(f"{share:.1f}%"), " of total revenue.")


def _total(chance: Random) -> Sentence:
    t = _Shops(chance)
    return t.said("total", "Across all ", str(len(t.names)), f" {t.noun}s, revenue totals ", t.figure(f"${sum(t.revenue):,}"), ".")  # fmt: skip


def _counted(chance: Random) -> Sentence:
    t = _Shops(chance)
    size = len(t.names)
    limit = chance.choice((10_000, 20_000, 50_000))
    beyond = sum(r > limit for r in t.revenue)
    spelled = [_WORDS[n] for n in range(1, size + 1) if n != beyond]
    if not 2 <= beyond < size:
        return _counted(chance)
    return t.said("counted", rough(_WORDS[beyond].capitalize(), *[chance.choice(spelled).capitalize()]), f" of the {_WORDS[size]} {t.noun}s made more than $", rough(f"{limit:,}"), ".")  # fmt: skip


def _twice(chance: Random) -> Sentence:
    t = _Shops(chance)
    a, b = chance.sample(range(len(t.names)), 2)
    ratio = t.orders[a] / t.orders[b]
    if not 1.3 < ratio < 9.8:
        return _twice(chance)
    return t.said("ratio", t.name(a), " had ", t.figure(f"{ratio:.1f}"), " times as many orders as ", name(t.names[b], []), ".")  # fmt: skip


def _more(chance: Random) -> Sentence:
    t = _Shops(chance)
    a, b = sorted(chance.sample(range(len(t.names)), 2), key=lambda row: -t.revenue[row])
    gap = t.revenue[a] - t.revenue[b]
    return t.said("difference", t.names[a], " earned ", t.figure(f"${gap:,}"), either(" more", " less"), " than ", t.names[b], ".")  # fmt: skip


def _percent_more(chance: Random) -> Sentence:
    t = _Shops(chance)
    a, b = sorted(chance.sample(range(len(t.names)), 2), key=lambda row: -t.revenue[row])
    gap = 100 * (t.revenue[a] / t.revenue[b] - 1)
    return t.said("percent more", t.names[a], "'s revenue is ", t.figure(f"{gap:.0f}%"), either(" higher", " lower"), " than ", t.names[b], "'s.") if gap >= 3 else _percent_more(chance)  # fmt: skip


def _top_three(chance: Random) -> Sentence:
    t = _Shops(chance)
    best = t.by_revenue()[:3]
    summed = sum(t.revenue[row] for row in best)
    share = 100 * summed / sum(t.revenue)
    return t.said("top three", f"The top three {t.noun}s together generated ", t.figure(f"${summed:,}"), ", or ", t.figure(f"{share:.0f}%"), " of the total.")  # fmt: skip


def _average(chance: Random) -> Sentence:
    t = _Shops(chance)
    return t.said("average", f"On average, each {t.noun} processed ", t.figure(f"{mean(t.orders):.1f}"), " orders; the median was ", t.figure(f"{median(t.orders):g}"), ".")  # fmt: skip


def _per_order(chance: Random) -> Sentence:
    t = _Shops(chance)
    row = chance.randrange(len(t.names))
    return t.said("per order", t.names[row], "'s average order value is ", t.figure(f"${t.revenue[row] / t.orders[row]:.2f}"), ".")  # fmt: skip


def _range(chance: Random) -> Sentence:
    t = _Shops(chance)
    low, high = min(range(len(t.names)), key=t.rate.__getitem__), max(range(len(t.names)), key=t.rate.__getitem__)
    return t.said("range", "Return rates range from ", t.figure(f"{t.rate[low]}%"), " (", t.name(low), ") to ", t.figure(f"{t.rate[high]}%"), " (", t.name(high), ").")  # fmt: skip


def _bullets(chance: Random) -> Sentence:
    t = _Shops(chance)
    words: Words = [f"Revenue by {t.noun}:\n"]
    for row in t.by_revenue()[:4]:
        words += ["- **", name(t.names[row], chance.sample(t.names, 1)), "**: ", figure(chance, f"${t.revenue[row]:,}"), " (", figure(chance, str(t.orders[row])), " orders)\n"]  # fmt: skip
    return Sentence("bullets", t.columns, t.rows, words)


def _table(chance: Random) -> Sentence:
    t = _Shops(chance)
    words: Words = [f"| {t.noun} | revenue | orders |\n|---|---:|---:|\n"]
    for row in t.by_revenue()[:3]:
        words += ["| ", t.names[row], " | ", figure(chance, f"{t.revenue[row]:,}"), " | ", figure(chance, str(t.orders[row])), " |\n"]  # fmt: skip
    return Sentence("table", t.columns, t.rows, words)


def _rounded(chance: Random) -> Sentence:
    t = _Shops(chance)
    row = chance.randrange(len(t.names))
    k = t.revenue[row] / 1000
    return t.said("rounded", t.names[row], " made roughly $", rough(f"{k:.1f}k", f"{k * 1.4:.1f}k", f"{k:.1f}M", f"{k * 0.7:.1f}k"), " last year.") if k >= 3 else _rounded(chance)  # fmt: skip


def _just_over(chance: Random) -> Sentence:
    t = _Shops(chance)
    row = max(range(len(t.names)), key=t.revenue.__getitem__)
    low = t.revenue[row] // 1000 * 1000
    return t.said("just over", "The best performer, ", t.name(row), ", brought in just over $", rough(f"{low:,}", f"{low + 2000:,}", f"{low - 12_000:,}"), ".") if low > 14_000 and t.revenue[row] - low < 700 else _just_over(chance)  # fmt: skip


def _both(chance: Random) -> Sentence:
    t = _Shops(chance)
    a, b = t.by_revenue()[:2]
    return t.said("both", t.names[a], " and ", t.names[b], " together account for ", t.figure(f"{t.revenue[a] + t.revenue[b]:,}"), " in revenue, versus ", t.figure(f"{sum(t.revenue) - t.revenue[a] - t.revenue[b]:,}"), f" for the other {t.noun}s combined.")  # fmt: skip


def _respectively(chance: Random) -> Sentence:
    t = _Shops(chance)
    a, b, c = chance.sample(range(len(t.names)), 3)
    return t.said("respectively", t.names[a], ", ", t.names[b], " and ", t.names[c], " recorded ", t.figure(str(t.orders[a])), ", ", t.figure(str(t.orders[b])), " and ", t.figure(str(t.orders[c])), " orders, respectively.")  # fmt: skip


def _while(chance: Random) -> Sentence:
    t = _Shops(chance)
    a, b = chance.sample(range(len(t.names)), 2)
    return t.said("while", "While ", t.name(a), " has a return rate of ", t.figure(f"{t.rate[a]}%"), ", ", t.name(b), " sits at ", t.figure(f"{t.rate[b]}%"), ", a gap of ", t.figure(f"{abs(t.rate[a] - t.rate[b]):.1f}"), " percentage points.")  # fmt: skip


def _only(chance: Random) -> Sentence:
    t = _Shops(chance)
    row = max(range(len(t.names)), key=t.rate.__getitem__)
    second = sorted(t.rate)[-2]
    limit = int(t.rate[row])
    return t.said("only", "Only ", t.name(row), " has a return rate above ", rough(f"{limit}%"), ".") if second < limit < t.rate[row] else _only(chance)  # fmt: skip


def _nth(chance: Random) -> Sentence:
    t = _Shops(chance)
    order = t.by_revenue()
    place = chance.choice((1, 2))
    word = ("first", "second", "third")[place]
    return t.said("nth", t.name(order[place]), " ranks ", either(word, "fourth"), " in revenue at ", t.figure(f"${t.revenue[order[place]]:,}"), ".")  # fmt: skip


def _half(chance: Random) -> Sentence:
    t = _Shops(chance)
    order = t.by_revenue()
    share = t.revenue[order[0]] / sum(t.revenue)
    words = {"a quarter": 0.25, "a third": 1 / 3, "half": 0.5}
    near = [w for w, v in words.items() if abs(v - share) < 0.015]
    if not near:
        return _half(chance)
    wrong = [w for w in words if w != near[0]]
    return t.said("fraction", t.names[order[0]], " alone contributes about ", rough(near[0], *wrong, "two thirds"), " of all revenue.")  # fmt: skip


FORMS: tuple[Form, ...] = (_single, _top, _bottom, _share, _total, _counted, _twice, _more, _percent_more, _top_three, _average, _per_order, _range, _bullets, _table, _rounded, _just_over, _both, _respectively, _while, _only, _nth, _half)  # fmt: skip
