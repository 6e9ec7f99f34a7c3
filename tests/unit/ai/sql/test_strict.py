"""The strict grammar, for dialects that are judged without a database: queries are written in their own SQL."""

import pytest
import sqlglot

from ai.errors import SqlRefused
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.guard import check

DIALECTS = ("snowflake", "bigquery", "redshift", "trino", "databricks", "clickhouse")
SALES = Table(
    "sales", (Column("id", "INT", "integer"), Column("country", "TEXT", "text"), Column("amount", "FLOAT", "number"))
)
ALLOWED = (
    "SELECT country, SUM(amount) AS total FROM sales GROUP BY country ORDER BY total DESC LIMIT 5",
    "SELECT COUNT(DISTINCT id) FROM sales WHERE country = 'Korea, South' AND amount BETWEEN 1 AND 2",
    "WITH s AS (SELECT id, amount FROM sales) SELECT CASE WHEN amount > 1 THEN 'a' ELSE 'b' END AS k, COUNT(*) FROM s GROUP BY 1",
    "SELECT id, ROW_NUMBER() OVER (PARTITION BY country ORDER BY amount DESC) AS place FROM sales",
)
REFUSED = (
    "DELETE FROM sales",
    "SELECT 1; DROP TABLE sales",
    "SELECT secret FROM hidden",
    "CALL stop_all()",
    "SELECT mystery(id) FROM sales",
)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("sql", ALLOWED)
def test_a_query_is_written_in_the_sql_of_the_dialect(dialect: str, sql: str) -> None:
    written = check(sql, Catalog("w", dialect, (SALES,))).sql
    again = sqlglot.parse_one(written, read=dialect)
    assert again.sql(dialect) == written


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("sql", REFUSED)
def test_what_is_no_query_over_known_tables_is_refused(dialect: str, sql: str) -> None:
    with pytest.raises(SqlRefused):
        check(sql, Catalog("w", dialect, (SALES,)))
