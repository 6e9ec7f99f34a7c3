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
UNIT_WORDS = tuple(
    frozenset(family.split())
    for family in (
        "hours hour hrs hr h", "minutes minute mins min", "seconds second secs sec s", "milliseconds millisecond ms", "days day d",
        "kg kilograms kilogram kilos kilo", "grams gram g", "km kilometers kilometres kilometer", "m meters metres", "cm centimeters",
        "eur euro euros", "usd dollar dollars", "gbp pound pounds", "chf francs", "percent pct", "mb megabytes", "liters litres liter l",
    )
)  # fmt: skip
SCHEMA_WORDS = {
    "nm": "name", "dt": "date", "cd": "code", "nr": "number", "num": "number", "qty": "quantity", "amt": "amount", "dur": "duration",
    "cnt": "count", "desc": "description", "descr": "description", "addr": "address", "cust": "customer", "prod": "product",
    "appt": "appointment", "appts": "appointments", "emp": "employee", "dept": "department", "mgr": "manager", "acct": "account",
    "accts": "accounts", "tel": "telephone", "pct": "percent", "avg": "average", "ts": "time", "lvl": "level", "txn": "transaction",
    "txns": "transactions", "trx": "transaction", "usr": "user", "grp": "group", "yr": "year", "mth": "month", "wk": "week",
    "ctry": "country", "cntry": "country", "curr": "currency", "cur": "currency", "dob": "birthday", "snap": "snapshot",
    "mins": "minutes", "hrs": "hours", "secs": "seconds", "wt": "weight", "lbl": "label", "src": "source", "dest": "destination",
}  # fmt: skip
"""Short forms that names of tables and columns are made of."""
SUBUNITS = frozenset({"ct", "cts", "cent", "cents", "pence", "penny", "minor", "micros"})
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
