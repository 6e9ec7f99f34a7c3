"""Layers L1 and L2: the nodes a query may be made of, and the functions it may call.

The allow-list goes down to the arguments of nodes. Anything else (writes, INTO, locks, hints …) is refused anywhere.
"""

import re
from collections.abc import Iterable

from sqlglot import exp

from ai.errors import SqlRefused
from ai.sql.functions import allowed_functions
from ai.sql.grammars import Grammar

QUERIES = (exp.Select, exp.Union, exp.Except, exp.Intersect, exp.Values)
NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
RELATIONS = (exp.Table, exp.Subquery, exp.Lateral, exp.Unnest)
MAX_RELATIONS = 256
OPERATOR = re.compile(r"pg_catalog\.[-+*/<>=~!@#%^&|`?]+")
JOIN_WORDS = frozenset({"", "INNER", "CROSS", "OUTER", "LEFT", "RIGHT", "FULL", "NATURAL"})
# Words beside SELECT in MySQL that neither lock nor leave anything behind.
MODIFIERS = frozenset({"STRAIGHT_JOIN", "SQL_SMALL_RESULT", "SQL_BIG_RESULT", "SQL_BUFFER_RESULT", "SQL_NO_CACHE"})
FROM = (exp.Identifier, exp.Anonymous, exp.JSONTable)
SAMPLINGS = frozenset({"", "BERNOULLI", "SYSTEM", "RESERVOIR"})


def check_shape(tree: exp.Expr, nodes: Iterable[exp.Expr], grammar: Grammar) -> None:
    """Refuse a root that is no query, and nodes or arguments not listed."""
    if not _is_query(tree, grammar):
        raise SqlRefused("Only queries may run: one SELECT, VALUES or WITH … SELECT.", "L1")
    relations = 0
    for node in nodes:
        relations += isinstance(node, RELATIONS)
        if relations > MAX_RELATIONS:
            raise SqlRefused(
                f"The query joins more than {MAX_RELATIONS} tables and queries; ask for less at once.", "L1"
            )
        allowed = grammar.nodes.get(type(node))
        if allowed is None:
            raise SqlRefused(f"{_spoken(node)} is not allowed in a query.", "L1")
        for name, value in node.args.items():
            if name not in allowed and value not in (None, False, [], ""):
                raise SqlRefused(f"{name.strip('_').upper()} is not allowed in {_spoken(node)}.", "L1")
        _check_details(node, grammar)


def check_functions(nodes: Iterable[exp.Expr], grammar: Grammar) -> None:
    """Refuse functions not listed as pure, and casts to unknown types."""
    scalar = allowed_functions(grammar.functions)
    for node in nodes:
        if isinstance(node, exp.Anonymous | exp.AnonymousAggFunc):
            allowed = grammar.table_functions if is_in_from(node) else scalar
            if node.name.lower() not in allowed and not _is_syntax(node, grammar):
                raise SqlRefused(f"The function {node.name}() is not among those that may be called.", "L2")
            _check_schema(node, grammar)
        elif isinstance(node, exp.DataType):
            name = node.this.name if isinstance(node.this, exp.DType) else str(node.this)
            if grammar.types and name.lower() not in grammar.types:
                raise SqlRefused(f"Values may not be cast to the type {node.sql().lower()} here.", "L2")


def _is_syntax(call: exp.Expr, grammar: Grammar) -> bool:
    """Tell `ARRAY(SELECT …)` and `COLUMNS(…)` from calls."""
    if call.name.lower() == "array":
        return grammar.whole_rows and [type(one) for one in call.expressions] == [exp.Select]
    return call.name.lower() == "columns" and grammar.structs


def is_in_from(call: exp.Expr) -> bool:
    return isinstance(call.parent, exp.Table | exp.Lateral)


def _check_schema(call: exp.Expr, grammar: Grammar) -> None:
    parent = call.parent
    schema = None
    if isinstance(parent, exp.Dot) and call.arg_key == "expression":
        schema = parent.this.name if isinstance(parent.this, exp.Identifier) else None
        if schema is None and not grammar.structs:
            raise SqlRefused(f"The function {call.name}() may not be called like this.", "L2")
    elif isinstance(parent, exp.Table):
        schema = parent.db or None
    if schema is not None and schema.lower() not in grammar.schemas_of_functions:
        raise SqlRefused(f"The function {schema}.{call.name}() is not among those that may be called.", "L2")


def _is_query(tree: exp.Expr, grammar: Grammar) -> bool:
    """Whether the root is a query; DuckDB has PIVOT as a statement too."""
    inner = tree
    while isinstance(inner, exp.Subquery) and not grammar.bare_compounds:
        inner = inner.this
    return isinstance(inner, QUERIES) or (isinstance(inner, exp.Pivot) and exp.Pivot in grammar.nodes)


def _check_details(node: exp.Expr, grammar: Grammar) -> None:
    if grammar.bare_compounds:
        _check_plain(node, grammar)
    match node:
        case exp.Join() if not {node.kind, node.side, node.method} <= JOIN_WORDS | grammar.join_words:
            raise SqlRefused(f"{node.kind or node.method} JOIN does not exist in {grammar.label}.", "L1")
        case exp.Table() if not node.args.get("rows_from") and not isinstance(node.this, FROM):
            raise SqlRefused(f"{_spoken(node.this)} cannot stand in FROM.", "L1")
        case exp.Select() if not MODIFIERS.issuperset(str(m) for m in node.args.get("operation_modifiers") or ()):
            raise SqlRefused("SELECT is followed by a word that is not allowed there.", "L1")
        case exp.TableSample() if str(node.args.get("method") or "").upper() not in SAMPLINGS:
            raise SqlRefused("This way of sampling is not known to be built in.", "L1")
        case exp.Literal() if not node.is_string and not NUMBER.fullmatch(node.name):
            raise SqlRefused(f"{node.name} is not a number.", "L1")
        case exp.Operator() if not OPERATOR.fullmatch(str(node.args["operator"])):
            raise SqlRefused(f"OPERATOR({node.args['operator']}) is not known to be built in.", "L1")
        case exp.Var() if not node.name.replace(" ", "").isidentifier():
            raise SqlRefused(f"{node.name} is not a plain word.", "L1")
        case exp.Identifier() if grammar.max_name and len(node.name.encode()) > grammar.max_name:
            raise SqlRefused(f"A name may have {grammar.max_name} bytes in {grammar.label}; this is longer.", "L1")


def _check_plain(node: exp.Expr, grammar: Grammar) -> None:
    engine = grammar.label
    match node:
        case exp.SetOperation() if _is_bracketed(node.this) or isinstance(node.expression, exp.Subquery):
            raise SqlRefused(f"{engine} takes no brackets around the parts of a {_spoken(node)}.", "L1")
        case exp.SetOperation() if node.expression.args.get("with_"):
            raise SqlRefused(f"WITH stands before the first part of a {_spoken(node)}, not inside it.", "L1")
        case exp.TableAlias() if node.columns and not isinstance(node.parent, exp.CTE):
            raise SqlRefused(f"{engine} takes no column list after a table's alias; name the columns inside.", "L1")


def _is_bracketed(node: exp.Expr) -> bool:
    """Whether the left part has written brackets; sqlglot adds its own for INTERSECT."""
    return isinstance(node, exp.Subquery) and not (node.is_wrapper and isinstance(node.this, exp.SetOperation))


def _spoken(node: exp.Expr) -> str:
    return type(node).__name__.upper()
