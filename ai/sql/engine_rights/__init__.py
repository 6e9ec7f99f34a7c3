"""Rights as roles and views of the engine itself: a second fence beside the guard."""

from ai.sql.engine_rights.drift import RightsDrift
from ai.sql.engine_rights.plan import EngineRole, roles_of
from ai.sql.engine_rights.servers import hold

__all__ = ["EngineRole", "RightsDrift", "hold", "roles_of"]
