"""A meaning becomes SQL: one SELECT as a sqlglot tree, written in the catalog's dialect."""

from ai.nl2sql.writer.select import write_sql

__all__ = ["write_sql"]
