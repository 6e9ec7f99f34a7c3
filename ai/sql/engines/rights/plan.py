"""Compile rights into roles. A role reads the views of one schema, called like the role, and nothing else.

`datathread_shop` holds the rights of everybody on the source `shop`, `datathread_shop__finance` those of a role.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ai.errors import ConfigError
from ai.sql.catalog import Catalog
from ai.sql.guard import permitted_rows
from ai.sql.rights import Rights, SourceRights

LONGEST = 63  # bytes of a name on PostgreSQL; MariaDB takes 64
APART = "__"  # stands in no word, so that no two names of sources and roles run together


@dataclass(frozen=True, slots=True)
class EngineRole:
    """A role to be made; `views` are SELECTs by the name of a table in the schema `tables_in`."""

    name: str
    tables_in: str
    views: Mapping[str, str]


def roles_of(source: str, rights: SourceRights, catalog: Catalog) -> tuple[EngineRole, ...]:
    """Compile the rights on a source, the role of everybody first.

    Raises `ConfigError` for names that no role can have.
    """
    own = f"datathread_{_word(source)}"
    named = ((f"{own}{APART}{_word(role)}", held) for role, held in rights.roles)
    roles = tuple(
        EngineRole(name, catalog.schema, dict(_views(held, catalog)))
        for name, held in ((own, rights.everybody), *named)
    )
    names = [role.name for role in roles]
    if unfit := next((name for name in names if len(name) > LONGEST or names.count(name) > 1), None):
        raise ConfigError(f"The engine's role would be {unfit}, which is too long or taken; name the role differently.")
    return roles


def _views(rights: Rights, catalog: Catalog) -> Iterator[tuple[str, str]]:
    fenced = catalog.dialect != "postgres"  # there the view itself is a barrier
    for table in catalog.tables:
        if select := permitted_rows(table, catalog, rights, fenced=fenced):
            yield table.name, select


def _word(name: str) -> str:
    word = re.sub("[^a-z0-9]+", "_", name.lower()).strip("_")
    if not word:
        raise ConfigError(f"{name!r} holds no letter that the name of a role can have; name it differently.")
    return word
