"""What the guard let through lately: a turn has the same SQL checked when it is written, when it is run and when it is told.

A verdict holds for the very catalogue and the rights that it was given for. Refusals are not kept.
"""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from ai.sql.catalog.catalog import Catalog
from ai.sql.guard.judge import Checked, check
from ai.sql.rights.rights import Rights

KEPT = 128  # queries
LONGEST = 10_000  # characters of one that is kept


@dataclass(frozen=True, slots=True)
class _Verdict:
    catalog: Catalog
    rights: Rights
    checked: Checked


class KeptChecks:
    """The verdicts on the queries of one database. For many threads at once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: OrderedDict[str, _Verdict] = OrderedDict()

    def check(self, sql: str, catalog: Catalog, rights: Rights) -> Checked:
        """What `ai.sql.guard.judge.check` says; a catalogue is never changed, so the same one holds the same."""
        with self._lock:
            known = self._known.get(sql)
        if known is not None and known.catalog is catalog and known.rights == rights:
            return known.checked
        checked = check(sql, catalog, rights)
        if len(sql) <= LONGEST:
            self._keep(sql, _Verdict(catalog, rights, checked))
        return checked

    def _keep(self, sql: str, verdict: _Verdict) -> None:
        with self._lock:
            self._known[sql] = verdict
            self._known.move_to_end(sql)
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
