"""Sentences about schools, teams and clinics: scores, wins, ages, exact dates, durations, exceptions and streaks."""

from datetime import date, timedelta
from random import Random

from tests.fuzz.writers.pieces import Form, Sentence, either, figure, name, rough

_CLUBS = ("Rovers", "United", "Wanderers", "Athletic", "Dynamo", "Olympic", "Harriers")
_SUBJECTS = ("Maths", "Physics", "History", "Biology", "Latin", "Music", "Drama")
_WARDS = ("Cardiology", "Oncology", "Pediatrics", "Neurology", "Radiology", "Surgery")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class _League:
    """A random result: club, played, won, lost, points."""

    def __init__(self, chance: Random) -> None:
        self.clubs = chance.sample(_CLUBS, chance.randint(4, 6))
        size = len(self.clubs)
        self.won = chance.sample(range(5, 31), size)
        self.lost = chance.sample(range(5, 31), size)
        self.goals = chance.sample(range(31, 99), size)
        self.columns = ["club", "wins", "losses", "goals_scored"]
        self.rows: list[list[object]] = [list(r) for r in zip(self.clubs, self.won, self.lost, self.goals, strict=True)]

    def said(self, form: str, *words: object) -> Sentence:
        """A sentence about it."""
        return Sentence(form, self.columns, self.rows, list(words))  # type: ignore[arg-type]


def _record(chance: Random) -> Sentence:
    t = _League(chance)
    row = chance.randrange(len(t.clubs))
    return t.said("record", name(t.clubs[row], t.clubs), " won ", figure(chance, str(t.won[row])), " games, lost ", figure(chance, str(t.lost[row])), " and scored ", figure(chance, str(t.goals[row])), " goals.")  # fmt: skip


def _win_rate(chance: Random) -> Sentence:
    t = _League(chance)
    row = chance.randrange(len(t.clubs))
    rate = 100 * t.won[row] / (t.won[row] + t.lost[row])
    return t.said("win rate", t.clubs[row], " won ", figure(chance, f"{rate:.1f}%"), " of their games.")


def _most_goals(chance: Random) -> Sentence:
    t = _League(chance)
    order = sorted(range(len(t.clubs)), key=lambda r: -t.goals[r])
    return t.said("most goals", name(t.clubs[order[0]], t.clubs), " scored the ", either("most", "fewest"), " goals (", figure(chance, str(t.goals[order[0]])), "), ", figure(chance, str(t.goals[order[0]] - t.goals[order[1]])), " more than ", t.clubs[order[1]], ".")  # fmt: skip


def _except(chance: Random) -> Sentence:
    t = _League(chance)
    order = sorted(range(len(t.clubs)), key=lambda r: t.won[r])
    limit = t.won[order[1]] - 1
    if t.won[order[0]] >= limit:
        return _except(chance)
    return t.said("all but one", "Every club except ", name(t.clubs[order[0]], t.clubs), " won more than ", str(limit), " games.")  # fmt: skip


def _more_lost(chance: Random) -> Sentence:
    t = _League(chance)
    n = sum(a < b for a, b in zip(t.won, t.lost, strict=True))
    if not 2 <= n < len(t.clubs) or n * 2 == len(t.clubs):
        return _more_lost(chance)
    return t.said("lost more", rough(_WORDS[n].capitalize(), _WORDS[len(t.clubs) - n].capitalize(), _WORDS[len(t.clubs)].capitalize()), f" of the {len(t.clubs)} clubs lost more games than they won.")  # fmt: skip


def _exams(chance: Random) -> tuple[list[str], list[list[object]]]:
    names = chance.sample(_SUBJECTS, 5)
    return ["subject", "average_score", "pass_rate", "students"], [
        [n, round(chance.uniform(48, 92), 1), round(chance.uniform(0.4, 0.99), 3), chance.randint(11, 180)]
        for n in names
    ]


def _number(value: object) -> float:
    return float(str(value))


def _exam(chance: Random) -> Sentence:
    columns, rows = _exams(chance)
    row = chance.choice(rows)
    return Sentence("exam", columns, rows, ["The ", figure(chance, str(row[3])), " ", name(str(row[0]), [str(r[0]) for r in rows]), " students averaged ", figure(chance, str(row[1])), " points, and ", figure(chance, f"{100 * _number(row[2]):.1f}%"), " of them passed."])  # fmt: skip


def _hardest(chance: Random) -> Sentence:
    columns, rows = _exams(chance)
    low = min(rows, key=lambda r: _number(r[2]))
    return Sentence("hardest", columns, rows, ["With a pass rate of just ", figure(chance, f"{100 * _number(low[2]):.1f}%"), ", ", name(str(low[0]), [str(r[0]) for r in rows]), " had the ", either("lowest", "highest"), " success rate."])  # fmt: skip


def _points_apart(chance: Random) -> Sentence:
    columns, rows = _exams(chance)
    a, b = sorted(chance.sample(rows, 2), key=lambda r: -_number(r[1]))
    gap = _number(a[1]) - _number(b[1])
    return Sentence("points apart", columns, rows, [str(a[0]), " students scored ", figure(chance, f"{gap:.1f}"), " points ", either("higher", "lower"), " than ", str(b[0]), " students on average."]) if gap >= 1 else _points_apart(chance)  # fmt: skip


def _above_eighty(chance: Random) -> Sentence:
    columns, rows = _exams(chance)
    n = sum(_number(r[2]) > 0.7 for r in rows)
    if n not in (2, 3):
        return _above_eighty(chance)
    return Sentence("above 70 %", columns, rows, ["Pass rates are above 70% in ", rough(_WORDS[n], _WORDS[n + 2], _WORDS[n - 1]), " of the five subjects."])  # fmt: skip


def _wards(chance: Random) -> tuple[list[str], list[list[object]]]:
    names = chance.sample(_WARDS, 4)
    first = date(chance.randint(2020, 2025), chance.randint(1, 12), chance.randint(1, 28))
    return ["ward", "patients", "avg_stay_days", "last_admission"], [
        [n, chance.randint(100, 4_000), round(chance.uniform(1, 13), 1), str(first + timedelta(days=chance.randint(0, 300)))]
        for n in names
    ]  # fmt: skip


def _latest(chance: Random) -> Sentence:
    columns, rows = _wards(chance)
    row = chance.choice(rows)
    day = date.fromisoformat(str(row[3]))
    wrong = [d.strftime("%B %-d, %Y") for d in (day + timedelta(days=9), day.replace(year=day.year - 1, day=1))]
    return Sentence("last admission", columns, rows, [str(row[0]), " last admitted a patient on ", rough(day.strftime("%B %-d, %Y"), *wrong), "."]) if str(day + timedelta(days=9)) not in [r[3] for r in rows] else _latest(chance)  # fmt: skip


def _stay(chance: Random) -> Sentence:
    columns, rows = _wards(chance)
    a, b = sorted(chance.sample(rows, 2), key=lambda r: -_number(r[2]))
    return Sentence("longer stay", columns, rows, ["Patients in ", str(a[0]), " stay ", either("longer", "shorter"), " than those in ", str(b[0]), ": ", figure(chance, f"{a[2]} days"), " compared with ", figure(chance, f"{b[2]} days"), "."]) if a[2] != b[2] else _stay(chance)  # fmt: skip


def _three_quarters(chance: Random) -> Sentence:
    columns, rows = _wards(chance)
    total = sum(_number(r[1]) for r in rows)
    row = max(rows, key=lambda r: _number(r[1]))
    share = 100 * _number(row[1]) / total
    return Sentence("nearly half", columns, rows, [str(row[0]), " treats ", rough("nearly half", "nearly a quarter", "nearly three quarters"), " of all patients."]) if 46 < share < 49.9 else _three_quarters(chance)  # fmt: skip


def _steps(chance: Random) -> Sentence:
    size = chance.randint(5, 8)
    values = [chance.randint(50, 99)]
    for _ in range(size - 1):
        values.append(values[-1] + chance.randint(3, 60))
    rows: list[list[object]] = [[2015 + n, v] for n, v in enumerate(values)]
    return Sentence("steps", ["year", "members"], rows, ["Membership ", either("grew", "shrank"), " every year, from ", figure(chance, str(values[0])), " in 2015 to ", figure(chance, str(values[-1])), f" in {2014 + size}, ", either("an increase", "a decrease"), " of ", figure(chance, f"{100 * (values[-1] / values[0] - 1):.0f}%"), "."])  # fmt: skip


def _pct_points(chance: Random) -> Sentence:
    columns, rows = _exams(chance)
    a, b = sorted(chance.sample(rows, 2), key=lambda r: -_number(r[2]))
    gap = 100 * (_number(a[2]) - _number(b[2]))
    return Sentence("rate gap", columns, rows, ["The pass rate in ", str(a[0]), " is ", figure(chance, f"{gap:.1f}"), " points above that in ", str(b[0]), "."]) if gap > 2 else _pct_points(chance)  # fmt: skip


def _none_lost(chance: Random) -> Sentence:
    t = _League(chance)
    low = min(t.lost)
    return t.said("no club fewer", "No club lost fewer than ", rough(str(low), str(low + 4)), " games.")


def _ordinal(chance: Random) -> Sentence:
    t = _League(chance)
    order = sorted(range(len(t.clubs)), key=lambda r: -t.won[r])
    return t.said("table", "1. ", t.clubs[order[0]], " (", figure(chance, str(t.won[order[0]])), " wins)\n2. ", t.clubs[order[1]], " (", figure(chance, str(t.won[order[1]])), " wins)\n3. ", name(t.clubs[order[2]], [t.clubs[order[3]]]), " (", figure(chance, str(t.won[order[2]])), " wins)")  # fmt: skip


FORMS: tuple[Form, ...] = (_record, _win_rate, _most_goals, _except, _more_lost, _exam, _hardest, _points_apart, _above_eighty, _latest, _stay, _three_quarters, _steps, _pct_points, _none_lost, _ordinal)  # fmt: skip
