"""Queries that use the alias of a column at every place of a query, under names that mean something else as well.

`t.x` and `t.y` are equal, so `-y AS x` tells by the rows whether an engine took `x` for the alias or for the column.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

TABLES = """
CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER);
INSERT INTO t VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3);
CREATE TABLE u (k INTEGER PRIMARY KEY, z INTEGER);
INSERT INTO u VALUES (1, 5), (2, 6);
CREATE TABLE o (w INTEGER PRIMARY KEY);
INSERT INTO o VALUES (1), (9);
"""
EXPRESSION = "-t.y"
SITES = {
    "select": "SELECT -t.y AS {a}, {n} + 1 AS m FROM t",
    "select before": "SELECT {n} + 1 AS m, -t.y AS {a} FROM t",
    "select window": "SELECT -t.y AS {a}, sum({n}) OVER (ORDER BY t.id) AS m FROM t",
    "select window order": "SELECT -t.y AS {a}, row_number() OVER (ORDER BY {n}) AS m FROM t",
    "select query": "SELECT -t.y AS {a}, (SELECT {n} + 1) AS m FROM t",
    "where": "SELECT -t.y AS {a} FROM t WHERE {n} < -1",
    "where query": "SELECT -t.y AS {a} FROM t WHERE EXISTS (SELECT 1 FROM u WHERE {n} + u.k < 0)",
    "where in": "SELECT -t.y AS {a} FROM t WHERE t.id IN (SELECT u.k FROM u WHERE {n} < -1)",
    "on": "SELECT -t.y AS {a}, u.k FROM t JOIN u ON {n} < -1",
    "on left": "SELECT -t.y AS {a}, u.k FROM t LEFT JOIN u ON {n} + u.k < 0",
    "on query": "SELECT -t.y AS {a}, u.k FROM t JOIN u ON u.k IN (SELECT t2.id FROM t AS t2 WHERE {n} < -1)",
    "from query": "SELECT -t.y AS {a}, q.m FROM t, (SELECT {n} + 1 AS m FROM u) AS q",
    "lateral": "SELECT -t.y AS {a}, q.m FROM t, LATERAL (SELECT {n} + 1 AS m) AS q",
    "group": "SELECT -t.y AS {a}, count(*) AS m FROM t GROUP BY {n}",
    "group constant": "SELECT 4 AS {a}, count(*) AS m FROM t GROUP BY {n}",
    "group expression": "SELECT -t.y AS {a}, count(*) AS m FROM t GROUP BY t.y, {n} + 1",
    "having": "SELECT -t.y AS {a}, count(*) AS m FROM t GROUP BY t.x, t.y HAVING {n} < -1",
    "having aggregate": "SELECT -t.y AS {a}, count(*) AS m FROM t GROUP BY t.x, t.y HAVING max({n}) < -1",
    "having query": "SELECT -t.y AS {a}, count(*) AS m FROM t GROUP BY t.x, t.y HAVING (SELECT {n}) < -1",
    "qualify": "SELECT -t.y AS {a} FROM t QUALIFY {n} < -1",
    "qualify window": "SELECT -t.y AS {a} FROM t QUALIFY row_number() OVER (ORDER BY {n}) = 1",
    "window": "SELECT -t.y AS {a}, row_number() OVER w AS m FROM t WINDOW w AS (ORDER BY {n})",
    "window part": "SELECT -t.y AS {a}, count(*) OVER w AS m FROM t WINDOW w AS (PARTITION BY {n} < -1)",
    "order": "SELECT -t.y AS {a} FROM t ORDER BY {n} LIMIT 1",
    "order expression": "SELECT -t.y AS {a} FROM t ORDER BY {n} + 1 LIMIT 1",
    "order call": "SELECT -t.y AS {a} FROM t ORDER BY coalesce({n}, 0) LIMIT 1",
    "order collate": "SELECT -t.y AS {a} FROM t ORDER BY ({n}) DESC LIMIT 1",
    "order aggregate": "SELECT -t.y AS {a} FROM t GROUP BY t.y, t.x ORDER BY max({n}) LIMIT 1",
    "order query": "SELECT -t.y AS {a} FROM t ORDER BY (SELECT {n}) LIMIT 1",
    "order window": "SELECT -t.y AS {a} FROM t ORDER BY row_number() OVER (ORDER BY {n}) LIMIT 1",
    "distinct on": "SELECT DISTINCT ON ({n} < -1) -t.y AS {a} FROM t ORDER BY {n} < -1, t.y",
    "distinct on it": "SELECT DISTINCT ON ({n}) -t.y AS {a} FROM t",
    "limit": "SELECT -t.y AS {a} FROM t LIMIT {n}",
    "filter": "SELECT max(-t.y) AS {a}, count(*) FILTER (WHERE {n} < -1) AS m FROM t",
    "compound order": "SELECT -t.y AS {a} FROM t UNION ALL SELECT u.k FROM u ORDER BY {n} LIMIT 1",
    "compound expression": "SELECT -t.y AS {a} FROM t UNION ALL SELECT u.k FROM u ORDER BY {n} + 1 LIMIT 1",
    "second part": "SELECT u.k AS {a} FROM u UNION ALL SELECT -t.y FROM t WHERE {n} < -1",
}
NAMES = ("k0", "x", "X", "T", "id", "w", "rowid", "ctid", "user")
COLUMNS = frozenset({"x", "id", "w"})
# Words of an engine: an alias of theirs may be refused, or meant where the engine takes the word.
SYSTEM = frozenset({"rowid", "ctid", "user"})
SHELLS = {
    "plain": "{q}",
    "derived": "SELECT count(*) AS c, max(s.m0) AS m FROM (SELECT 1 AS m0) AS s, ({q}) AS d",
    "entry": "WITH e AS ({q}) SELECT * FROM e",
    "correlated": "SELECT o.w FROM o WHERE EXISTS ({q})",
    "counted": "SELECT o.w, (SELECT count(*) FROM ({q}) AS d) AS c FROM o",
    "member": "SELECT * FROM ({q}) AS d UNION ALL SELECT * FROM ({q}) AS f",
}


@dataclass(frozen=True)
class AliasQuery:
    """A query, and the same where the name is written out as the alias and as the column it could mean."""

    name: str
    word: str
    sql: str
    as_alias: str
    as_column: str


def queries() -> Iterator[AliasQuery]:
    for (site, template), name, (shell, around) in product(SITES.items(), NAMES, SHELLS.items()):
        column = {"id": "t.id", "w": "o.w"}.get(name, "t.x")
        expression = "4" if site == "group constant" else EXPRESSION
        forms = (template.format(a=name, n=one) for one in (name, f"({expression})", column))
        yield AliasQuery(f"{site}, {name}, {shell}", name.lower(), *(around.replace("{q}", form) for form in forms))
