"""Who may read which tables, columns and rows."""

from ai.sql.rights.file import catalog_from, rights_from, source_rights_from
from ai.sql.rights.grants import EVERYTHING, Mask, Rights, SourceRights, visible
from ai.sql.rights.personal_data import personal

__all__ = [
    "EVERYTHING",
    "Mask",
    "Rights",
    "SourceRights",
    "catalog_from",
    "personal",
    "rights_from",
    "source_rights_from",
    "visible",
]
