"""Whole answers of several sentences about two names a row, as a careful analyst writes them in a thread."""

from random import Random

from tests.fuzz.writers.pieces import Form, Sentence, Words, either, figure, name, rough

_REGIONS = ("EMEA", "APAC", "LATAM", "North America", "Nordics")
_PLANS = ("Free", "Starter", "Pro", "Business", "Enterprise")
_PEOPLE = ("Anna Schmidt", "Ben Okafor", "Chen Wei", "Dana Levi", "Emil Novak", "Farah Aziz", "Gus Lopez")
_QUARTERS = ("Q1", "Q2", "Q3", "Q4")


class _Grid:
    """A random result: a row for each region and quarter, with deals and ARR."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.regions = chance.sample(_REGIONS, 3)
        self.quarters = _QUARTERS[: chance.randint(2, 4)]
        self.columns = ["region", "quarter", "deals", "arr_usd"]
        numbers = iter(chance.sample(range(10, 480), 12))
        self.deals = {(r, q): next(numbers) for r in self.regions for q in self.quarters}
        self.arr = {key: chance.randint(20_000, 990_000) for key in self.deals}
        self.rows: list[list[object]] = [[r, q, self.deals[r, q], self.arr[r, q]] for r, q in self.deals]

    def said(self, form: str, *words: str | object) -> Sentence:
        """A sentence about it."""
        return Sentence(form, self.columns, self.rows, list(words))  # type: ignore[arg-type]

    def pick(self) -> tuple[str, str]:
        """A region and a quarter."""
        return self.chance.choice(list(self.deals))

    def of(self, region: str) -> int:
        """The deals of a region."""
        return sum(n for (r, _), n in self.deals.items() if r == region)


def _cell(chance: Random) -> Sentence:
    t = _Grid(chance)
    r, q = t.pick()
    return t.said("grid cell", name(r, t.regions), " closed ", figure(chance, str(t.deals[r, q])), " deals in ", name(q, t.quarters), ".")  # fmt: skip


def _front(chance: Random) -> Sentence:
    t = _Grid(chance)
    r, q = t.pick()
    other = next(x for x in t.regions if x != r)
    return t.said("quarter first", "In ", q, ", ", name(r, [other]), " closed ", figure(chance, str(t.deals[r, q])), " deals worth ", figure(chance, f"${t.arr[r, q]:,}"), ", while ", other, " closed ", figure(chance, str(t.deals[other, q])), ".")  # fmt: skip


def _region_total(chance: Random) -> Sentence:
    t = _Grid(chance)
    r = chance.choice(t.regions)
    return t.said("region total", name(r, t.regions), " closed ", figure(chance, str(t.of(r))), " deals in total across all quarters.")  # fmt: skip


def _grand(chance: Random) -> Sentence:
    t = _Grid(chance)
    best = max(t.regions, key=t.of)
    whole = sum(t.deals.values())
    return t.said("grand total", "We closed ", figure(chance, f"{whole:,}"), " deals overall. ", name(best, t.regions), " leads with ", figure(chance, str(t.of(best))), " (", figure(chance, f"{100 * t.of(best) / whole:.0f}%"), ").") if len({t.of(r) for r in t.regions}) == 3 else _grand(chance)  # fmt: skip


def _moved(chance: Random) -> Sentence:
    t = _Grid(chance)
    r = chance.choice(t.regions)
    a, b = t.quarters[:2]
    gap = t.deals[r, b] - t.deals[r, a]
    return t.said("moved", r, " went from ", figure(chance, str(t.deals[r, a])), " deals in ", a, " to ", figure(chance, str(t.deals[r, b])), " in ", b, ", ", either("a gain of " if gap > 0 else "a drop of ", "a drop of " if gap > 0 else "a gain of "), figure(chance, str(abs(gap))), ".")  # fmt: skip


def _best_quarter(chance: Random) -> Sentence:
    t = _Grid(chance)
    r = chance.choice(t.regions)
    q = max(t.quarters, key=lambda q: t.deals[r, q])
    return t.said("best quarter", r, "'s best quarter was ", name(q, t.quarters), " with ", figure(chance, str(t.deals[r, q])), " deals.")  # fmt: skip


class _Plans:
    """A random result: a row for each plan, with subscribers, monthly revenue, and churn as part of one."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.names = list(_PLANS[: chance.randint(4, 5)])
        size = len(self.names)
        self.subs = chance.sample(range(40, 9_000), size)
        self.mrr = chance.sample(range(3_000, 400_000), size)
        self.churn = [n / 1000 for n in chance.sample(range(8, 140), size)]
        self.columns = ["plan", "subscribers", "mrr", "churn_rate"]
        self.rows: list[list[object]] = [list(row) for row in zip(self.names, self.subs, self.mrr, self.churn, strict=True)]  # fmt: skip

    def said(self, form: str, *words: str | object) -> Sentence:
        """A sentence about it."""
        return Sentence(form, self.columns, self.rows, list(words))  # type: ignore[arg-type]


def _summary(chance: Random) -> Sentence:
    t = _Plans(chance)
    best, worst = max(range(len(t.names)), key=t.mrr.__getitem__), max(range(len(t.names)), key=t.churn.__getitem__)
    return t.said("summary", f"Here's the breakdown by plan:\n\n*{t.names[best]}* brings in the ", either("most", "least"), " MRR at ", figure(chance, f"${t.mrr[best]:,}"), ". Churn is ", either("highest", "lowest"), " on *", t.names[worst], "* (", figure(chance, f"{100 * t.churn[worst]:.1f}%"), ").")  # fmt: skip


def _arpu(chance: Random) -> Sentence:
    t = _Plans(chance)
    row = chance.randrange(len(t.names))
    return t.said("per subscriber", "MRR per subscriber on the ", t.names[row], " plan is ", figure(chance, f"${t.mrr[row] / t.subs[row]:.2f}"), ".") if t.mrr[row] / t.subs[row] > 1 else _arpu(chance)  # fmt: skip


def _mixed(chance: Random) -> Sentence:
    t = _Plans(chance)
    a, b = chance.sample(range(len(t.names)), 2)
    return t.said("mixed", t.names[a], ": ", figure(chance, f"{t.subs[a]:,}"), " subscribers, ", figure(chance, f"${t.mrr[a] / 1000:.1f}K"), " MRR, ", figure(chance, f"{100 * t.churn[a]:.1f}%"), " churn; ", t.names[b], ": ", figure(chance, f"{t.subs[b]:,}"), " subscribers, ", figure(chance, f"${t.mrr[b] / 1000:.1f}K"), " MRR.")  # fmt: skip


def _outnumber(chance: Random) -> Sentence:
    t = _Plans(chance)
    a, b = sorted(chance.sample(range(len(t.names)), 2), key=lambda row: -t.subs[row])
    return t.said("outnumber", t.names[a], " has ", either("more", "fewer"), " subscribers than ", t.names[b], " (", figure(chance, f"{t.subs[a]:,}"), " vs. ", figure(chance, f"{t.subs[b]:,}"), ").")  # fmt: skip


def _sum_of_two(chance: Random) -> Sentence:
    t = _Plans(chance)
    a, b = chance.sample(range(len(t.names)), 2)
    share = 100 * (t.subs[a] + t.subs[b]) / sum(t.subs)
    return t.said("two plans", "Combined, ", t.names[a], " and ", t.names[b], " make up ", figure(chance, f"{share:.1f}%"), " of the subscriber base.")  # fmt: skip


def _above_average(chance: Random) -> Sentence:
    t = _Plans(chance)
    middle = sum(t.subs) / len(t.subs)
    over = sum(n > middle for n in t.subs)
    words = ("zero", "One", "Two", "Three", "Four")
    return t.said("above average", rough(words[over], words[over + 1]), " plans have more subscribers than the average of ", figure(chance, f"{middle:,.0f}"), ".") if over in (2, 3) and len(t.names) == 5 else _above_average(chance)  # fmt: skip


def _gap(chance: Random) -> Sentence:
    t = _Plans(chance)
    order = sorted(range(len(t.names)), key=lambda row: -t.mrr[row])
    return t.said("gap to second", t.names[order[0]], " is ahead of second-placed ", name(t.names[order[1]], [t.names[order[2]]]), " by ", figure(chance, f"${t.mrr[order[0]] - t.mrr[order[1]]:,}"), " in MRR.")  # fmt: skip


def _weighted(chance: Random) -> Sentence:
    t = _Plans(chance)
    return t.said("unweighted", "The average churn rate is ", figure(chance, f"{100 * sum(t.churn) / len(t.churn):.2f}%"), ", ranging from ", figure(chance, f"{100 * min(t.churn):.1f}%"), " to ", figure(chance, f"{100 * max(t.churn):.1f}%"), ".")  # fmt: skip


def _people(chance: Random) -> Sentence:
    names = chance.sample(_PEOPLE, 5)
    deals = sorted(chance.sample(range(3, 60), 5), reverse=True)
    rows: list[list[object]] = [[n, d] for n, d in zip(names, deals, strict=True)]
    first = [n.split()[0] for n in names]
    words: Words = ["The leaderboard: 1) ", first[0], " with ", figure(chance, str(deals[0])), ", 2) ", name(first[1], [first[3]]), " with ", figure(chance, str(deals[1])), " and 3) ", first[2], " with ", figure(chance, str(deals[2])), " closed deals."]  # fmt: skip
    return Sentence("leaderboard", ["rep_name", "closed_deals"], rows, words)


def _behind(chance: Random) -> Sentence:
    names = chance.sample(_PEOPLE, 4)
    deals = sorted(chance.sample(range(3, 90), 4), reverse=True)
    rows: list[list[object]] = [[n, d] for n, d in zip(names, deals, strict=True)]
    return Sentence("behind", ["rep_name", "closed_deals"], rows, [names[2], " is ", figure(chance, str(deals[0] - deals[2])), " deals ", either("behind", "ahead of"), " ", names[0], ", who closed ", figure(chance, str(deals[0])), "."])  # fmt: skip


def _quota(chance: Random) -> Sentence:
    names = chance.sample(_PEOPLE, 5)
    rows: list[list[object]] = [[n, chance.randint(100_000, 900_000), chance.randint(200_000, 800_000)] for n in names]
    met = sum(int(str(r[1])) >= int(str(r[2])) for r in rows)
    row = chance.choice(rows)
    attained = 100 * int(str(row[1])) / int(str(row[2]))
    words = ("Zero", "One", "Two", "Three", "Four", "Five")
    if met not in (2, 3):
        return _quota(chance)
    return Sentence("quota", ["rep", "booked", "quota"], rows, [rough(words[met], words[5 - met] if met * 2 != 5 else words[0]), " of five reps met their quota; ", str(row[0]), " reached ", figure(chance, f"{attained:.0f}%"), "."])  # fmt: skip


FORMS: tuple[Form, ...] = (_cell, _front, _region_total, _grand, _moved, _best_quarter, _summary, _arpu, _mixed, _outnumber, _sum_of_two, _above_average, _gap, _weighted, _people, _behind, _quota)  # fmt: skip
