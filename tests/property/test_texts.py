"""Texts with slots in six languages about random results: the true ones stand, the twisted ones go.

In `texts.jsonl` ANN and BOB stand for two labels. A twisted text that says what is so by chance may stand.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from ai.answers.filled import ResultSheet, sheet_of_rows, written
from ai.language.claims import languages

LINES = [json.loads(line) for line in Path(__file__).with_name("texts.jsonl").read_text("utf-8").splitlines()]
LABELS = "Trail Shoe,Rain Jacket,Berlin,Köln,Acme GmbH,Nordwind,São Paulo,iOS,Android,東京,Kim,Oak Table,B-77,Santé,Müller AG"
DECEMBER = {"en": "December", "de": "Dezember", "fr": "décembre", "es": "diciembre", "pt": "dezembro", "ja": "12月"}
LANGUAGES = {language.code: language for language in languages()}
SLOT = re.compile(r"(\{\{.*?\}\})")
ROUNDS = 3


def result(shape: str, chance: Random) -> ResultSheet:
    size = chance.randint(3, 7)
    names = chance.sample(LABELS.split(","), size)
    orders = chance.sample(range(5, 900), size)
    money = [round(chance.uniform(1000, 90_000), 2) for _ in range(size)]
    rows: dict[str, tuple[tuple[str, ...], list[Any]]] = {
        "ranking": (("city", "orders"), list(zip(names, orders, strict=True))),
        "series": (("month", "revenue_eur"), [(f"2026-{at:02d}", money[at - 1]) for at in range(1, size + 1)]),
        "two figures": (("customer", "invoices", "paid_eur"), list(zip(names, orders, money, strict=True))),
        "one row": (("failed", "jobs"), [(chance.randint(1, 40), chance.randint(41, 400))]),
    }
    return sheet_of_rows(*rows[shape])


def about(text: str, sheet: ResultSheet, *labels: str) -> str:
    for name, label in zip(("ANN", "BOB"), labels, strict=False):
        text = text.replace(name, label)
    return text


def texts() -> Iterator[tuple[str, ResultSheet, str, str, str, str]]:
    """Language, result, form, text and the two labels."""
    chance = Random(7)
    for line in LINES:
        for _ in range(ROUNDS):
            sheet = result(line["shape"], chance)
            ann, bob = (str(row[0]) for row in chance.sample(sheet.rows, 2)) if len(sheet.rows) > 1 else ("", "")
            yield line["language"], sheet, line["text"], about(line["text"], sheet, ann, bob), ann, bob


def outside(text: str, old: str, new: str) -> str:
    """Replace words, not slots."""
    return "".join(part if part.startswith("{{") else part.replace(old, new) for part in SLOT.split(text))


def twisted(language: str, sheet: ResultSheet, form: str, ann: str, bob: str) -> Iterator[str]:
    """Another direction, label, period or denominator."""
    says = LANGUAGES[language].says
    other = next((str(row[0]) for row in sheet.rows if str(row[0]) not in (ann, bob)), "")
    yield from (re.sub(r"\{\{direction.*?\}\}", says[way], form) for way in ("up", "down"))
    yield from (re.sub(r"\{\{compare.*?\}\}", says[way], form) for way in ("more", "less"))
    yield form.replace("| ANN | BOB}}", "| BOB | ANN}}")
    yield re.sub(r"\{\{rank.*?\}\}", LANGUAGES[language].place(1), form)
    yield outside(form, "ANN", other)
    yield (
        outside(outside(outside(form, "ANN", "\1"), "BOB", "ANN"), "\1", "BOB") if "BOB" in SLOT.sub("", form) else form
    )
    yield re.sub(r"\| ANN\}\}", f"| {other}}}}}", form, count=1)
    yield from (re.sub(rf"(\{{\{{(?:city|month|customer) \| ){a} ", rf"\g<1>{b} ", form) for a, b in ENDS)
    yield (
        form.replace("{{month | first}}", "\1")
        .replace("month | last", "month | first")
        .replace("\1", "{{month | last}}")
    )
    yield form.replace("{{month | last}}", "{{month | 2}}")
    yield form.replace("{{month | last}}", DECEMBER[language])
    yield from (form.replace("{{sum orders}}", new) for new in ("500", "{{max orders}}", "{{count}}"))
    yield form.replace("{{jobs}}", "1000")
    yield form.replace("{{failed}}", "\1").replace("{{jobs}}", "{{failed}}").replace("\1", "{{jobs}}")
    yield form.replace("{{mean", "{{sum")
    yield re.sub(r"\{\{share (\w+) \|.*?\}\}", r"{{sum \1}}", form)


ENDS = (("max", "min"), ("min", "max"))


def test_true_texts_stand_and_twisted_ones_go() -> None:
    passed, counted = [], 0
    for language, sheet, form, text, ann, bob in texts():
        true = written(text, sheet)
        assert not true.unbound, (text, true)
        for wrong in {about(each, sheet, ann, bob) for each in twisted(language, sheet, form, ann, bob)} - {text}:
            counted += 1
            found = written(wrong, sheet)
            if not found.unbound and found.text != true.text:
                passed.append((wrong, found.text))
    assert counted > 700
    assert passed == []
