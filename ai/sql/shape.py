"""Layers L1 and L2 of the guard: which kinds of node a query may be made of, and which functions it may call.

An allow-list down to the arguments of each node: what is not named here (writes, INTO, locks, parameters, sampling,
hints, statements that only look like queries) is refused wherever it stands.
"""

import re

from sqlglot import exp

from ai.errors import SqlRefused
from ai.sql.dialects import Dialect
from ai.sql.functions import allowed_functions

QUERIES = (exp.Select, exp.Union, exp.Except, exp.Intersect, exp.Values)
_COMPOUND = "this expression distinct order limit offset with_"
_BINARY = "this expression"

NODES: dict[type[exp.Expr], frozenset[str]] = {
    node: frozenset(arguments.split())
    for nodes, arguments in (
        ((exp.Select,), "expressions from_ joins where group having windows order limit offset distinct with_"),
        ((exp.Union, exp.Except, exp.Intersect), _COMPOUND),
        ((exp.Values,), "expressions alias"),
        ((exp.Subquery,), "this alias joins order limit offset"),
        ((exp.With,), "expressions recursive"),
        ((exp.CTE,), "this alias materialized"),
        ((exp.Table,), "this db alias joins indexed"),
        ((exp.TableAlias,), "this columns"),
        ((exp.Join,), "this on using kind side method"),
        ((exp.From, exp.Where, exp.Having, exp.Paren, exp.Exists, exp.Not, exp.Neg, exp.BitwiseNot), "this"),
        ((exp.Group, exp.Order, exp.Distinct, exp.Tuple), "expressions"),
        ((exp.Limit, exp.Offset), "expression"),
        ((exp.Ordered,), "this desc nulls_first"),
        ((exp.Window,), "this partition_by order spec alias over"),
        ((exp.WindowSpec,), "kind start start_side end end_side exclude"),
        ((exp.Column,), "this table db"),
        ((exp.Identifier,), "this quoted"),
        ((exp.Alias,), "this alias"),
        ((exp.Literal,), "this is_string"),
        ((exp.HexString, exp.Boolean, exp.Var), "this"),
        ((exp.Star, exp.Null, exp.CurrentDate, exp.CurrentTime, exp.CurrentTimestamp), ""),
        ((exp.Anonymous,), "this expressions"),
        ((exp.Cast,), "this to"),
        ((exp.DataType,), "this expressions"),
        ((exp.DataTypeParam,), "this"),
        ((exp.Case,), "this ifs default"),
        ((exp.If,), "this true"),
        ((exp.In,), "this expressions query field"),
        ((exp.Between,), "this low high"),
        ((exp.Like,), "this expression negate"),
        ((exp.DPipe,), "this expression safe"),
        ((exp.Div,), "this expression typed safe"),
        ((exp.Filter, exp.Escape, exp.Collate, exp.Glob, exp.Match), _BINARY),
        ((exp.And, exp.Or, exp.Is, exp.NullSafeEQ, exp.NullSafeNEQ, exp.EQ, exp.NEQ), _BINARY),
        ((exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Add, exp.Sub, exp.Mul, exp.Mod), _BINARY),
        ((exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseLeftShift, exp.BitwiseRightShift), _BINARY),
        ((exp.JSONExtract, exp.JSONExtractScalar), _BINARY),
    )
    for node in nodes
}
NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
JOIN_WORDS = frozenset({"", "INNER", "CROSS", "OUTER", "LEFT", "RIGHT", "FULL", "NATURAL"})


def check_shape(tree: exp.Expr, dialect: Dialect) -> None:
    """Refuse a root that is no query, and any node or argument of a node that is not on the list."""
    if not isinstance(tree, QUERIES):
        raise SqlRefused("Only queries may run: one SELECT, VALUES or WITH … SELECT.", "L1")
    for node in tree.walk():
        allowed = NODES.get(type(node))
        if allowed is None:
            raise SqlRefused(f"{_spoken(node)} is not allowed in a query.", "L1")
        for name, value in node.args.items():
            if name not in allowed and value not in (None, False, [], ""):
                raise SqlRefused(f"{name.strip('_').upper()} is not allowed in {_spoken(node)}.", "L1")
        _check_details(node, dialect)


def check_functions(tree: exp.Expr, dialect: Dialect) -> None:
    """Refuse every call of a function that the dialect's list does not know to be pure."""
    scalar = allowed_functions(dialect.name)
    for call in tree.find_all(exp.Anonymous):
        allowed = dialect.table_functions if isinstance(call.parent, exp.Table) else scalar
        if call.name.lower() not in allowed:
            raise SqlRefused(f"The function {call.name}() is not among those that may be called.", "L2")


def _check_details(node: exp.Expr, dialect: Dialect) -> None:
    engine = dialect.label
    match node:
        case exp.Join() if not {node.kind, node.side, node.method} <= JOIN_WORDS:
            raise SqlRefused(f"{node.kind or node.method} JOIN does not exist in {engine}.", "L1")
        case exp.SetOperation() if _is_bracketed(node.this) or isinstance(node.expression, exp.Subquery):
            raise SqlRefused(f"{engine} takes no brackets around the parts of a {_spoken(node)}.", "L1")
        case exp.SetOperation() if node.expression.args.get("with_"):
            raise SqlRefused(f"WITH stands before the first part of a {_spoken(node)}, not inside it.", "L1")
        case exp.TableAlias() if node.columns and not isinstance(node.parent, exp.CTE):
            raise SqlRefused(f"{engine} takes no column list after a table's alias; name the columns inside.", "L1")
        case exp.Table() if not isinstance(node.this, exp.Identifier | exp.Anonymous):
            raise SqlRefused(f"{_spoken(node.this)} cannot stand in FROM.", "L1")
        case exp.Literal() if not node.is_string and not NUMBER.fullmatch(node.name):
            raise SqlRefused(f"{node.name} is not a number.", "L1")
        case exp.Var() if not node.name.replace(" ", "").isidentifier():
            raise SqlRefused(f"{node.name} is not a plain word.", "L1")


def _is_bracketed(node: exp.Expr) -> bool:
    """Whether brackets were written around the left part; sqlglot puts its own around what INTERSECT goes on from."""
    return isinstance(node, exp.Subquery) and not (node.is_wrapper and isinstance(node.this, exp.SetOperation))


def _spoken(node: exp.Expr) -> str:
    return type(node).__name__.upper()
