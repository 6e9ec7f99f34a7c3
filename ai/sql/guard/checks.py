"""The guard: which SQL may run on a user's database, and its text as it runs.

The layers are allow-lists; a refusal is a sentence and its layer. What runs is written from the checked tree, so the
engine sees nothing unseen here.
"""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from threading import Lock

from sqlglot import exp

from ai.errors import SqlRefused
from ai.sql.catalog import Catalog, Table
from ai.sql.grammars import grammar_of
from ai.sql.guard.binder import bind
from ai.sql.guard.policy import enforce, permitted
from ai.sql.guard.shape import check_functions, check_shape
from ai.sql.guard.syntax import read_expression, read_sql, write_sql
from ai.sql.rights import EVERYTHING, Rights

KEPT = 128  # queries
VERDICTS = 8  # on one query: a reply is held to the rights of all its readers
LONGEST = 10_000  # characters of one that is kept


@dataclass(frozen=True, slots=True)
class Checked:
    """SQL that may run: `sql` as it runs, `written` as it came in.

    `columns` are the (table, column in lower case) pairs read. `plain` leaves out the rights; it is kept and shown.
    `mark` stands for what is kept back of what it reads: equal `plain` and `mark` give equal rows. `masked` are the
    columns of the result, in lower case, whose cells are masked.
    """

    sql: str
    written: str
    tables: tuple[str, ...]
    columns: tuple[tuple[str, str], ...] = ()
    plain: str = ""
    mark: str = ""
    masked: frozenset[str] = frozenset()


def check(sql: str, catalog: Catalog, rights: Rights = EVERYTHING) -> Checked:
    """Let a query through as far as the rights go, or raise `SqlRefused` with reason and layer."""
    grammar = grammar_of(catalog.dialect)
    explain, tree = read_sql(sql, grammar)
    nodes = list(tree.walk())
    check_shape(tree, nodes, grammar)
    check_functions(nodes, grammar)
    bindings = bind(tree, catalog, grammar, rights)
    bindings.settle(nodes)
    for node in bindings.texts:
        node.replace(exp.Literal.string(node.name))
    tables = [table for _, table in bindings.places]
    mark, masked = "", bindings.masked_by(tree)
    if is_rewritten := any(map(rights.changes, tables)):
        told = None if _takes_all(nodes) else {(table, column.lower()) for table, column in bindings.columns}
        mark = rights.mark(tables, told)
    plain = clean = f"{explain} {write_sql(tree, grammar, keep=is_rewritten)}".strip()
    if explain and (table := next((t.name for _, t in bindings.places if rights.condition(t.name)), None)):
        raise SqlRefused(f"A plan would tell of rows of {table} that are kept back; run the query itself.", "L4")
    if is_rewritten:
        enforce(tree, bindings.places, grammar, rights)
        clean = f"{explain} {write_sql(tree, grammar)}".strip()
    read = (tuple(sorted(bindings.tables)), tuple(sorted(bindings.columns)))
    return Checked(clean, sql, *read, plain, mark, masked)


def _takes_all(nodes: Iterable[exp.Expr]) -> bool:
    """Whether the readable columns decide the columns given or joined by."""
    return any(
        (isinstance(node, exp.Join) and node.method.upper() == "NATURAL")
        or (isinstance(node, exp.Star) and not _is_counted(node))
        for node in nodes
    )


def _is_counted(star: exp.Star) -> bool:
    call = star.parent
    return isinstance(call, exp.Anonymous | exp.AnonymousAggFunc) and call.name.lower() == "count"


def check_condition(condition: str, table: Table, catalog: Catalog, schema: str = "") -> None:
    """Raise `SqlRefused` for a condition of rights that does not read, or names what is not in the catalogue."""
    grammar = grammar_of(catalog.dialect)
    name = exp.Table(this=exp.Identifier(this=table.name, quoted=True))
    where = exp.Where(this=read_expression(condition, grammar))
    tree = exp.Select(expressions=[exp.Null()], from_=exp.From(this=name), where=where)
    bind(tree, catalog, grammar, Rights(schema=schema)).settle(tree.walk())


def permitted_rows(table: Table, catalog: Catalog, rights: Rights, *, fenced: bool) -> str:
    """Return the SELECT of all that may be read of a table, "" for nothing; `fenced` against planners."""
    if not rights.allows(table.name) or len(rights.denied_columns(table)) == len(table.columns):
        return ""
    grammar = grammar_of(catalog.dialect)
    return write_sql(permitted(table, catalog.schema, grammar, rights, fenced=fenced), grammar)


@dataclass(frozen=True, slots=True)
class _Verdict:
    catalog: Catalog
    rights: Rights
    checked: Checked


class KeptChecks:
    """The latest verdicts on queries of one database; refusals are not kept. Safe for many threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: OrderedDict[str, tuple[_Verdict, ...]] = OrderedDict()

    def check(self, sql: str, catalog: Catalog, rights: Rights) -> Checked:
        with self._lock:
            known = [verdict for verdict in self._known.get(sql, ()) if verdict.catalog is catalog]
        if found := next((verdict for verdict in known if verdict.rights == rights), None):
            return found.checked
        checked = check(sql, catalog, rights)
        if len(sql) <= LONGEST:
            self._keep(sql, (_Verdict(catalog, rights, checked), *known[: VERDICTS - 1]))
        return checked

    def _keep(self, sql: str, verdicts: tuple[_Verdict, ...]) -> None:
        with self._lock:
            self._known[sql] = verdicts
            self._known.move_to_end(sql)
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
