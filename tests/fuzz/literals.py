"""Values keep their value: what a literal gives on an engine, it gives after the guard has read and written it."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

from ai.errors import SqlRefused
from ai.sql.database import Database
from ai.sql.guard import check
from tests.databases import databases
from tests.fuzz.outcome import Outcome, Try
from tests.fuzz.twins import RUNS

DIGITS = (
    "0",
    "1",
    "7",
    "9",
    "10",
    "12",
    "08",
    "0017",
    "1_0",
    "1__0",
    "_1",
    "1_",
    "99999999999999999999",
    "9223372036854775807",
)
PREFIXES = (
    "0x",
    "0X",
    "0b",
    "0B",
    "0o",
    "0O",
    "x",
    "X",
    "b",
    "B",
    "e",
    "E",
    "n",
    "N",
    "u&",
    "U&",
    "_utf8mb4",
    "_latin1 ",
    "r",
    "",
)
INSIDE = (
    "a", "B", " ", "''", "\\'", "\\\\", "\\n", "\\x41", "\\101", "\\u0061", "\\0041", "\\+000041", '"', "`", "%", "\\%", "\\_", "--",
    "/*", "*/", ";", "$", "$$", "{", "}", "é", "日", "😀", "\t", "\n", "\u00a0", "01", "1F", "41", "?", ":a", "@a", "#", "&", "!",
)  # fmt: skip
DAYS = (
    "2026-11-23",
    "2026-1-5",
    "20261123",
    "2026-02-30",
    "infinity",
    "today",
    "J2451187",
    "2026-11-23 10:00:00.5",
    "10:30",
)
UNITS = (
    "YEAR",
    "MONTH",
    "WEEK",
    "DAY",
    "HOUR",
    "MINUTE",
    "SECOND",
    "QUARTER",
    "DAYS",
    "hours",
    "YEAR TO MONTH",
    "DAY_HOUR",
    "HOUR_SECOND",
)
SPANS = ("1", "-1", "1.5", "1 day", "1-2", "1:02", "1 10:00:00", "3 hours 5 min", "P1DT2H", "1 day ago", "-1 10")
AROUND: Mapping[str, tuple[str, ...]] = {
    "any": ("{}", "({})", "-{}", "- -{}", "+{}", "~{}", "{} + 1", "1 - {}", "{} || 'x'", "NOT {}", "{} = {}", "CASE WHEN 1 = 1 THEN {} END",
            "coalesce({}, 1)", "{} IS NULL", "{} IN (1, {})", "CAST({} AS CHAR(9))", "2 * {} % 3", "{}\n{}", "{} {}"),
    "postgres": ("{}::text", "{}::date", "{}::bytea", "{}::numeric", "pg_typeof({})::text", "ARRAY[{}]", "{} COLLATE \"C\"", "2 ^ {}", "|/ {}", "@ {}"),
    "duckdb": ("{}::VARCHAR", "typeof({})", "[{}]", "{{'a': {}}}", "2 ** {}", "{} // 2", "{}::BLOB", "{} ^ 2"),
    "mysql": ("hex({})", "{} DIV 2", "{} XOR 1", "!{}", "{} <=> 1", "{} & 3", "binary {}", "{} COLLATE utf8mb4_bin", "{} | 1", "{} REGEXP 'a'"),
    "sqlite": ("typeof({})", "hex({})", "{} << 1", "{} ->> '$'", "{} IS NOT 1", "{} == 1", "quote({})", "{} COLLATE NOCASE"),
}  # fmt: skip


@contextmanager
def literals(kind: str, folder: Path) -> Iterator[Try]:
    with databases() as made:
        url = made.make(kind, folder, "CREATE TABLE t (id INTEGER)")
        with closing(Database("literals", url)) as database, RUNS[kind](url) as run:
            catalog = database.catalog()

            def tried(number: int) -> Outcome:
                sql = f"SELECT {literal(Random(f'{kind} literal {number}'), kind)} AS x"
                try:
                    written = check(sql, catalog).sql
                except SqlRefused:
                    return Outcome("", "refused")
                one = run(sql)
                if not one.startswith("["):
                    return Outcome("", "not run by the engine")
                two = run(written)
                return Outcome(
                    "" if one == two else f"{sql!r} gives {one[:150]}, {written!r} {two[:150]}", "same value"
                )

            yield tried


def literal(chance: Random, kind: str) -> str:
    """Write a value, some of them odd, with something around it."""
    around = chance.choice(AROUND["any"] + AROUND[kind])
    return (
        around.replace("{{", "{").replace("}}", "}").replace("{}", _value(chance)) if "{" in around else _value(chance)
    )


def _value(chance: Random) -> str:
    shape = chance.randrange(6)
    if shape == 0:
        return _number(chance)
    if shape == 1:
        return f"{chance.choice(('DATE', 'TIME', 'TIMESTAMP', 'timestamptz', 'INTERVAL', 'date'))} '{chance.choice(DAYS + SPANS)}'"
    if shape == 2:
        span = chance.choice(SPANS)
        return f"INTERVAL {chance.choice((repr(span), span, f'({span})'))} {chance.choice(UNITS)}"
    if shape == 3:
        tag = chance.choice(("", "a", "_b1"))
        return f"${tag}${_inside(chance)}${tag}$"
    quote = chance.choice(("'", "'", "'", '"'))
    escape = chance.choice(("", "", "", " UESCAPE '!'"))
    return f"{chance.choice(PREFIXES)}{quote}{_inside(chance)}{quote}{escape}"


def _number(chance: Random) -> str:
    whole, part = chance.choice(DIGITS), chance.choice(("", "", "", ".", ".5", ".0_5", f".{chance.choice(DIGITS)}"))
    power = chance.choice(("", "", "", "e3", "E-2", "e+1", "e", "e1_0", "L", "x"))
    return chance.choice(
        (
            f"{whole}{part}{power}",
            f"{part or '.5'}{power}",
            f"{chance.choice(PREFIXES)}{chance.choice((whole, '1F', '1_F', '11', '17', 'Fg'))}",
        )
    )


def _inside(chance: Random) -> str:
    return "".join(chance.choice(INSIDE) for _ in range(chance.choice((0, 1, 1, 2, 3, 4))))
