"""General words of business and chat, as data: families of synonyms, columns that do not add up, short forms."""

SYNONYMS: tuple[str, ...] = (
    "price cost",
    "star rating score",
    "country nation",
    "phone telephone",
    "email mail",
    "salary pay wage",
    "length duration",
    "milliseconds length",
    "birthday birth",
    "revenue sales turnover money earnings income earn",
    "people person",
    "active live alive running",
)
AVERAGED = frozenset(
    "rating star score price age rate percent percentage pct ratio average avg height weight temperature latitude longitude"
    " elevation length duration milliseconds".split()
)
ABBREVIATIONS = {
    "dau": "daily active users", "daus": "daily active users", "arpdau": "revenue per active user", "aov": "average order value",
    "qty": "quantity", "avg": "average", "pct": "percent", "w/o": "without", "w/": "with", "w": "with", "lst": "last", "thx": "thanks",
    "hw": "how", "mny": "many", "hav": "have", "pls": "please", "mth": "month", "yr": "year", "wk": "week", "nr": "number", "tx": "transaction",
}  # fmt: skip
SUBUNITS = frozenset({"cent", "cents", "pence", "penny", "minor", "micros"})
STATES = (
    "active user",
    "user",
    "balance",
    "stock",
    "inventory",
    "headcount",
    "seat",
    "mrr",
    "level",
    "on hand",
    "subscriber",
)
