"""Rights as roles and views of the engine itself: a second fence beside the guard."""

from ai.sql.engines.rights.drift import RightsDrift
from ai.sql.engines.rights.plan import EngineRole, roles_of
from ai.sql.engines.rights.servers import hold

__all__ = ["EngineRole", "RightsDrift", "hold", "roles_of"]
