"""The kept catalogue of one database: read again when its schema changes or its words age."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock, Thread
from time import monotonic

from sqlglot import exp

from ai.errors import DatathreadError
from ai.sql.catalog import Catalog, CodeList, code_lists, with_labels
from ai.sql.engines.port import Backend

MAX_AGE = 3600.0  # seconds after which the words of columns and the row counts are looked up again
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Seen:
    fingerprint: str
    catalog: Catalog
    read_at: float


class KeptCatalog:
    """The whole catalogue, whatever the rights. Safe for many threads.

    `examine` may raise; then a catalogue that was read is not used.
    """

    def __init__(
        self, name: str, backend: Backend, examine: Callable[[Catalog], None], clock: Callable[[], float] = monotonic
    ) -> None:
        self._name = name
        self._backend = backend
        self._examine = examine
        self._clock = clock
        self._lock = Lock()
        self._renewing = Lock()
        self._seen: _Seen | None = None

    def whole(self) -> Catalog:
        """Return the catalogue; one older than `MAX_AGE` is renewed in the background."""
        with self._lock:
            fingerprint = self._backend.fingerprint()
            if self._seen is None or self._seen.fingerprint != fingerprint:
                self._seen = self._read(fingerprint)
            elif self._clock() - self._seen.read_at > MAX_AGE and not self._renewing.locked():
                Thread(target=self._renew, name=f"catalogue of {self._name}", daemon=True).start()
            return self._seen.catalog

    def _read(self, fingerprint: str) -> _Seen:
        tables = self._backend.tables(self._name)
        self._examine(tables)
        return _Seen(fingerprint, self._labelled(self._backend.sampled(tables)), self._clock())

    def _labelled(self, catalog: Catalog) -> Catalog:
        """Add what codes are called by tables of codes; one that cannot be read has nothing to tell."""
        for listed in code_lists(catalog):
            try:
                catalog = with_labels(catalog, listed, self._labels(listed, catalog.dialect))
            except DatathreadError as error:
                log.warning("the codes of %s in %s could not be read: %s", listed.table, self._name, error)
        return catalog

    def _labels(self, listed: CodeList, dialect: str) -> list[tuple[str, str, str]]:
        columns = (exp.column(name, quoted=True) for name in listed.columns)
        sql = exp.select(*columns).from_(exp.to_table(listed.table, quoted=True)).sql(dialect)
        with self._backend.ask(sql) as stream:
            rows = (row for batch in stream.batches for row in batch)
            return [(str(group), str(code), str(label)) for group, code, label in rows if group and code and label]

    def _renew(self) -> None:
        if not self._renewing.acquire(blocking=False):
            return
        try:
            self._seen = self._read(self._backend.fingerprint())
        except DatathreadError as error:  # the old one stays; the next question tries again
            log.warning("the catalogue of %s could not be read anew: %s", self._name, error)
        finally:
            self._renewing.release()
