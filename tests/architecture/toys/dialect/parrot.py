"""A database of SQLite under another name."""

from ai.sql.engines.port import QueryLimits
from ai.sql.engines.sqlite.engine import SqliteBackend


class ParrotBackend(SqliteBackend):
    """Opens the file that a URL with `parrot://` names."""

    def __init__(self, url: str, limits: QueryLimits) -> None:
        super().__init__(url.replace("parrot:", "sqlite:", 1), limits)
