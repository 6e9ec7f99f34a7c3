"""Draws the pictures of docs/images/charts anew: `python -m tests.docs.chart_pictures`."""

import json
import struct
import zlib
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import vl_convert

from ai.answers.view import ColumnHint, View
from ai.charts import ChartEdits, ResultChart, changed, chart_of, chosen
from ai.charts.draw import VERSION
from tests.charts import view
from tests.paths import ROOT

FOLDER = ROOT / "docs" / "images" / "charts"
SCALE = 0.625  # 750 pixels wide: twice a phone
MONTHS = [f"{2025 + (at + 8) // 12}-{(at + 8) % 12 + 1:02d}" for at in range(15)]
EURO, DOLLAR, PLAIN = ColumnHint("EUR"), ColumnHint("USD"), ColumnHint()
PRODUCTS = (
    "Trail Shoe",
    "Rain Jacket",
    "Two-person Tent",
    "Cooking Set (titanium)",
    "Sleeping Bag",
    "Lamp",
    "Rope",
    "Bottle",
)


def by_month(random: Random) -> View:
    rows = [(m, 90_000 + 12_000 * n + random.random() * 30_000) for n, m in enumerate(MONTHS) if n not in (6, 7)]
    rows[-1] = (MONTHS[-1], 131_000)
    sql = "SELECT month, SUM(revenue) AS revenue FROM sales GROUP BY month ORDER BY month"
    return view(sql, ["month", "revenue"], rows, [PLAIN, DOLLAR], "revenue by month")


def by_two(random: Random, sql: str, names: list[str], series: dict[str, tuple[int, int]], times: list[str]) -> View:
    rows = [
        (t, s, int(base + n * step + random.random() * base / 9))
        for n, t in enumerate(times)
        for s, (base, step) in series.items()
    ]
    return view(sql, names, rows)


def views() -> Iterator[tuple[str, View, ChartEdits]]:
    """Yield the name of each picture, its result, and what was said about it."""
    random, none = Random(4), ChartEdits()
    products = [(name, 184_200 / (n + 1) + random.random() * 9_000) for n, name in enumerate(PRODUCTS)]
    sold = view(
        "SELECT product, SUM(amount) AS revenue FROM orders WHERE day >= '2026-07-01' AND day < '2026-10-01' GROUP BY product ORDER BY revenue DESC",
        ["product", "revenue"],
        products,
        [PLAIN, EURO],
        "revenue by product",
    )
    installs = "SELECT month, platform, SUM(installs) AS installs FROM sales GROUP BY month, platform ORDER BY month"
    platforms = {"Android": (9_000, 500), "iOS": (9_100, 420), "Web": (2_000, 60)}
    lines = by_two(random, installs, ["month", "platform", "installs"], platforms, MONTHS[:-1])
    quarters = ["2026-Q1", "2026-Q2", "2026-Q3", "2026-Q4"]
    pipeline = by_two(
        random,
        "SELECT quarter, stage, SUM(value) AS deals FROM deals GROUP BY quarter, stage",
        ["quarter", "stage", "deals"],
        {"lead": (400, 90), "offer": (300, -40), "won": (150, 60)},
        quarters,
    )
    baskets = [
        (c, d, round(40 + random.random() * 50, 2)) for c in ("search", "mail", "social") for d in ("desktop", "mobile")
    ]
    basket = view(
        "SELECT channel, device, AVG(amount) AS basket FROM orders GROUP BY channel, device",
        ["channel", "device", "basket"],
        baskets,
        [PLAIN, PLAIN, EURO],
    )
    amounts = view(
        "SELECT amount FROM orders",
        ["amount"],
        [(round(random.lognormvariate(4, 0.5), 2),) for _ in range(600)],
        [EURO],
    )
    weeks = [
        (
            f"2026-{8 + n // 4:02d}-{3 + 7 * (n % 4):02d}",
            1_500 + 300 * n + random.random() * 900,
            int(200 + 20 * n + random.random() * 90),
        )
        for n in range(12)
    ]
    spend = view(
        "SELECT week, spend, signups FROM weekly",
        ["week", "spend", "signups"],
        weeks,
        [PLAIN, EURO, PLAIN],
        "ad spend vs signups",
    )
    methods = [("card", 7_340), ("PayPal", 1_990), ("invoice", 520), ("gift card", 151)]
    paid = view(
        "SELECT method, COUNT(*) AS payments FROM payments GROUP BY method ORDER BY payments DESC",
        ["method", "payments"],
        methods,
    )
    countries = {name: (400 + 300 * n, 25 * n) for n, name in enumerate("DE FR ES IT PL SE US JP IN".split())}
    many = by_two(
        random,
        "SELECT month, country, SUM(installs) AS installs FROM t GROUP BY month, country",
        ["month", "country", "installs"],
        countries,
        MONTHS[:-1],
    )
    both = view(
        "SELECT month, COUNT(*) AS orders, SUM(amount) AS revenue FROM orders GROUP BY month ORDER BY month",
        ["month", "orders", "revenue"],
        [(m, int(3_000 + random.random() * 900), 200_000 + random.random() * 90_000) for m in MONTHS[:-1]],
        [PLAIN, PLAIN, EURO],
    )
    profit = view(
        "SELECT region, SUM(profit) AS profit FROM orders GROUP BY region ORDER BY profit DESC",
        ["region", "profit"],
        [("North", 12_000), ("East", 5_200), ("West", -800), ("South", -7_300)],
        [PLAIN, DOLLAR],
    )
    yield from (
        ("line", by_month(random), none),
        ("lines", lines, none),
        ("bars", sold, none),
        ("top-and-rest", sold, ChartEdits(top=4, rest=True)),
    )
    yield from (
        ("columns", pipeline, ChartEdits(kind="stacked_bar")),
        ("shares", lines, ChartEdits(stacked=True, shares=True, grain="quarter")),
    )
    yield from (
        ("grouped", basket, none),
        ("histogram", amounts, none),
        ("scatter", spend, none),
        ("pie", paid, ChartEdits(kind="pie")),
    )
    yield from (("small-multiples", many, none), ("two-units", both, none), ("below-zero", profit, none))


def chart(shown: View, edits: ChartEdits) -> ResultChart:
    design = changed(shown, chosen(shown), edits)
    if edits.shares and not design.shares:
        design = changed(shown, design, ChartEdits(shares=True))
    made = chart_of(shown, design)
    assert isinstance(made, ResultChart), made
    return made


def small(spec: dict[str, Any]) -> bytes:
    """Return a PNG of at most 256 colours."""
    png = bytes(vl_convert.vegalite_to_png(json.dumps(spec), vl_version=VERSION, scale=SCALE))
    return _indexed(_pixels(png))


def _pixels(png: bytes) -> "np.ndarray[Any, Any]":
    wide, high = struct.unpack(">II", png[16:24])
    data, at = b"", 8
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        data += png[at + 8 : at + 8 + size] if png[at + 4 : at + 8] == b"IDAT" else b""
        at += size + 12
    lines = np.frombuffer(zlib.decompress(data), np.uint8).reshape(high, 1 + wide * 4)
    return np.stack(list(_unfiltered(lines)))[:, :, :3]


def _unfiltered(lines: "np.ndarray[Any, Any]") -> Iterator["np.ndarray[Any, Any]"]:
    above = np.zeros(lines.shape[1] // 4 * 4, int).reshape(-1, 4)
    for line in lines:
        kind, raw = int(line[0]), line[1:].astype(int).reshape(-1, 4)
        found = np.zeros_like(raw)
        left = corner = np.zeros(4, int)
        for at, one in enumerate(raw):
            up = above[at]
            paeth = left + up - corner
            near = np.where(
                (abs(paeth - left) <= abs(paeth - up)) & (abs(paeth - left) <= abs(paeth - corner)),
                left,
                np.where(abs(paeth - up) <= abs(paeth - corner), up, corner),
            )
            found[at] = (one + [0, left, up, (left + up) // 2, near][kind]) % 256
            left, corner = found[at], up
        above = found
        yield found.astype(np.uint8)


def _indexed(pixels: "np.ndarray[Any, Any]") -> bytes:
    """Keep the most frequent colours, and the nearest of them for all others."""
    flat = pixels.reshape(-1, 3) // 4 * 4 + np.where(pixels.reshape(-1, 3) > 250, 3, 0)
    colours, inverse, counts = np.unique(flat, axis=0, return_inverse=True, return_counts=True)
    kept = colours[np.argsort(-counts)[:256]].astype(int)
    nearest = np.array([int(((kept - colour) ** 2).sum(axis=1).argmin()) for colour in colours.astype(int)], np.uint8)
    lines = nearest[inverse.reshape(-1)].reshape(pixels.shape[:2])
    raw = b"".join(b"\0" + line.tobytes() for line in lines)
    head = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], 8, 3, 0, 0, 0)
    parts = (
        (b"IHDR", head),
        (b"PLTE", kept.astype(np.uint8).tobytes()),
        (b"IDAT", zlib.compress(raw, 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(b)) + n + b + struct.pack(">I", zlib.crc32(n + b)) for n, b in parts
    )


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, shown, edits in views():
        (FOLDER / f"{name}.png").write_bytes(small(chart(shown, edits).spec))
