"""Cautions: what a query that ran may still get wrong in silence, told in short notes beside its answer.

Detectors are pure functions over the query's tree, the catalogue and the result; where only the data can tell, they ask it
one small question. They never stop an answer.
"""

from ai.sql.cautions.evidence import Ask, Caution
from ai.sql.cautions.find import find_cautions

__all__ = ["Ask", "Caution", "find_cautions"]
