"""Rights as written in a file: readable tables, columns and rows, and masks.

    {"default_schema": "public" or {"postgres": "public", …},
     "tables": {"orders": ["id", "amount"], …} or ["orders", …],
     "denied_columns": {"customers": ["ssn"]},
     "rows": {"orders": "region = 'EU'"},
     "masks": {"customers": {"email": "stars", "phone": "null"}} or "auto"}

Every key may be missing; without `tables` all tables may be read. `"masks": "auto"`, or a mask for the table `*`, masks
all columns of personal data; a column named beside it has its own mask, or `none`.
"""

from collections.abc import Callable, Mapping
from typing import Any, get_args

from ai.errors import ConfigError
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.rights.grants import Mask, Rights, SourceRights

ALL_PERSONAL = "*"  # stands under `masks` where a table could
KEYS = frozenset({"default_schema", "tables", "denied_columns", "rows", "masks"})


def rights_from(document: object, dialect: str) -> Rights:
    """Read rights for a dialect, or raise `ConfigError`."""
    if not isinstance(document, dict) or not document.keys() <= KEYS:
        raise ConfigError(f"Rights are an object with the keys {', '.join(sorted(KEYS))} and no others.")
    tables = document.get("tables")
    schema = document.get("default_schema", "")
    masks = document.get("masks", {})
    masks = {ALL_PERSONAL: "stars"} if masks == "auto" else _object(masks, "masks")
    return Rights(
        tables=None if tables is None else frozenset(str(name) for name in tables),
        columns=_names(tables, "tables") if isinstance(tables, dict) else {},
        denied=_names(document.get("denied_columns", {}), "denied_columns"),
        rows={str(table): str(text) for table, text in _object(document.get("rows", {}), "rows").items()},
        masks=_masks(masks),
        personal=_mask(masks.get(ALL_PERSONAL, "none"), "personal data"),
        schema=str(schema.get(dialect, "") if isinstance(schema, dict) else schema),
    )


def source_rights_from(
    everybody: object, roles: Mapping[str, object], dialect: str, place: Callable[[str], str] = "{}: ".format
) -> SourceRights:
    """Read the rights on a source; `place` begins the `ConfigError` about one of its fields."""

    def read(field: str, document: object) -> Rights:
        try:
            return rights_from(document, dialect)
        except ConfigError as error:
            raise ConfigError(place(field) + str(error)) from None

    given = tuple((role, read(f"roles.{role}", document)) for role, document in roles.items())
    return SourceRights(read("rights", everybody), given)


def catalog_from(document: Mapping[str, Any], dialect: str) -> Catalog:
    """Build a catalogue from the listed columns, for judging without a database."""
    tables = document.get("tables")
    if not isinstance(tables, dict):
        raise ConfigError("Without a database the rights must list the columns of each table under `tables`.")
    listed = _names(tables, "tables")
    denied = _names(document.get("denied_columns", {}), "denied_columns")
    return Catalog(
        "policy",
        dialect,
        tuple(
            Table(name, tuple(Column(column, "", "other") for column in _ordered(tables[name], denied.get(name, ()))))
            for name in listed
        ),
    )


def _ordered(listed: Any, denied: Any) -> list[str]:
    return [*map(str, listed), *(name for name in sorted(denied) if name not in listed)]


def _masks(tables: dict[Any, Any]) -> dict[str, dict[str, Mask]]:
    return {
        str(table): {
            str(column): _mask(mask, f"{table}.{column}") for column, mask in _object(columns, f"masks.{table}").items()
        }
        for table, columns in tables.items()
        if table != ALL_PERSONAL
    }


def _mask(value: object, what: str) -> Mask:
    known: Mask | None = next((kind for kind in get_args(Mask) if kind == value), None)
    if known is None:
        raise ConfigError(f"The mask of {what} is one of {', '.join(get_args(Mask))}, not {value!r}.")
    return known


def _names(value: object, key: str) -> dict[str, frozenset[str]]:
    for table, columns in _object(value, key).items():
        if not isinstance(columns, list):
            raise ConfigError(f"{key}.{table} in the rights is a list of column names.")
    return {str(table): frozenset(map(str, columns)) for table, columns in _object(value, key).items()}


def _object(value: object, key: str) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{key} in the rights is an object with a key for each table.")
    folded = [str(name).lower() for name in value]
    if twice := next((name for name in folded if folded.count(name) > 1), None):
        raise ConfigError(f"{key} in the rights names {twice} twice, in other letters; keep one of them.")
    return value
