"""Short texts of SQL that would cost much to judge: (case, SQL)."""

TABLE = "sales"


def bombs() -> dict[str, str]:
    doubled = "".join(f", c{n} AS (SELECT x.*, y.* FROM c{n - 1} x, c{n - 1} y)" for n in range(1, 27))
    chained = "".join(f", c{n} AS (SELECT id FROM c{n - 1})" for n in range(1, 1500))
    joined = "".join(f" JOIN {TABLE} t{n} ON t{n}.id = t{n - 1}.id" for n in range(1, 1400))
    return {
        "columns that double": f"WITH c0 AS (SELECT 1 AS a, 2 AS b){doubled} SELECT 1 FROM c26",
        "subscripts": "SELECT id" + "[1]" * 1000 + f" FROM {TABLE}",
        "natural joins": f"SELECT 1 FROM {TABLE}" + f" NATURAL JOIN {TABLE}" * 1500,
        "joins by name": f"SELECT 1 FROM {TABLE}" + f" JOIN {TABLE} USING (id)" * 2000,
        "joins by name, fewer": f"SELECT 1 FROM {TABLE}" + f" LEFT JOIN {TABLE} USING (id)" * 1450,
        "joins by commas": "SELECT 1 FROM " + ", ".join([TABLE] * 5900),
        "joins by conditions": f"SELECT 1 FROM {TABLE} t0{joined}",
        "conditions": "SELECT 1 WHERE " + " AND ".join(["1=1"] * 8000),
        "sums": "SELECT " + "+".join(["1"] * 15_000),
        "a list": f"SELECT 1 FROM {TABLE} WHERE id IN (" + ",".join(["1"] * 20_000) + ")",
        "unions": " UNION ALL ".join([f"SELECT id FROM {TABLE}"] * 1900),
        "WITH entries": f"WITH c0 AS (SELECT id FROM {TABLE}){chained} SELECT 1 FROM c1499",
        "stars": "SELECT " + ",".join(["*"] * 20_000) + f" FROM {TABLE} a, {TABLE} b",
        "brackets": "SELECT " + "(" * 5000 + "1" + ")" * 5000,
        "signs": "SELECT " + "- " * 20_000 + "1",
        "negations": "SELECT " + "NOT " * 10_000 + "1",
        "calls": "SELECT " + "abs(" * 5000 + "1" + ")" * 5000,
        "casts": "SELECT 1" + "::int" * 10_000,
        "fields": "SELECT a" + ".a" * 20_000 + f" FROM {TABLE}",
        "cases": "SELECT " + "CASE WHEN 1 THEN " * 2000 + "1" + " END" * 2000,
        "queries in queries": "SELECT 1 FROM " + "(SELECT * FROM " * 400 + TABLE + ") x" * 400,
        "windows": "SELECT " + ",".join(["sum(id) OVER (PARTITION BY id ORDER BY id)"] * 1200) + f" FROM {TABLE}",
    }
