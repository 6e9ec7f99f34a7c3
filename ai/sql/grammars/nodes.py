"""Allowed nodes: those of every dialect, those shared by the larger engines, and types for casts."""

from sqlglot import exp

from ai.sql.grammars.grammar import Nodes
from ai.sql.grammars.verbatim import Plus, Typed

_COMPOUND = "this expression distinct order limit offset with_"
_BINARY = "this expression"
_SELECT = "expressions from_ joins where group having windows order limit offset distinct with_"


def table(*rows: tuple[tuple[type[exp.Expr], ...], str]) -> dict[type[exp.Expr], frozenset[str]]:
    return {node: frozenset(arguments.split()) for nodes, arguments in rows for node in nodes}


def extended(base: Nodes, *rows: tuple[tuple[type[exp.Expr], ...], str]) -> Nodes:
    """Add kinds to a base, and arguments to the kinds it has."""
    nodes = dict(base)
    for node, arguments in table(*rows).items():
        nodes[node] = nodes.get(node, frozenset()) | arguments
    return nodes


COMMON: Nodes = table(
    ((exp.Select,), _SELECT),
    ((exp.Union, exp.Except, exp.Intersect), _COMPOUND),
    ((exp.Values,), "expressions alias"),
    ((exp.Subquery,), "this alias joins order limit offset"),
    ((exp.With,), "expressions recursive"),
    ((exp.CTE,), "this alias materialized"),
    ((exp.Table,), "this db alias joins"),
    ((exp.TableAlias,), "this columns"),
    ((exp.Join,), "this on using kind side method"),
    ((exp.From, exp.Where, exp.Having, exp.Paren, exp.Exists, exp.Not, exp.Neg, exp.BitwiseNot, Plus), "this"),
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
    ((exp.Cast, Typed), "this to"),
    ((exp.DataType,), "this expressions nested"),
    ((exp.DataTypeParam,), "this"),
    ((exp.Case,), "this ifs default"),
    ((exp.If,), "this true"),
    ((exp.In,), "this expressions query field"),
    ((exp.Between,), "this low high"),
    ((exp.Like,), "this expression negate"),
    ((exp.DPipe,), "this expression safe"),
    ((exp.Div,), "this expression typed safe"),
    ((exp.Filter, exp.Escape, exp.Collate), _BINARY),
    ((exp.And, exp.Or, exp.Is, exp.NullSafeEQ, exp.NullSafeNEQ, exp.EQ, exp.NEQ), _BINARY),
    ((exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Add, exp.Sub, exp.Mul, exp.Mod), _BINARY),
    ((exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseLeftShift, exp.BitwiseRightShift), _BINARY),
    ((exp.JSONExtract, exp.JSONExtractScalar), _BINARY),
)

# What the larger engines share beyond that.
RICH: Nodes = extended(
    COMMON,
    ((exp.Group,), "grouping_sets cube rollup"),
    ((exp.Values,), "order limit offset"),
    ((exp.GroupingSets, exp.Cube, exp.Rollup), "expressions"),
    ((exp.Interval,), "this unit"),
    ((exp.IntervalSpan,), "this expression"),
    ((exp.AtTimeZone,), "this zone"),
    ((exp.StrPosition,), "this substr position"),
    ((exp.Substring,), "this start length"),
    ((exp.Trim,), "this expression position"),
    ((exp.Lateral,), "this alias ordinality"),
    ((exp.Fetch,), "direction count limit_options"),
    ((exp.LimitOptions,), "percent rows with_ties"),
    ((exp.Extract, exp.WithinGroup, exp.BitwiseXor, exp.Xor), _BINARY),
    ((exp.Any, exp.All, exp.National, exp.ByteString, exp.RawString, exp.BitString), "this"),
    ((exp.IgnoreNulls, exp.RespectNulls), "this"),
    ((exp.ILike,), "this expression negate"),
    ((exp.SimilarTo, exp.RegexpLike, exp.RegexpILike, exp.Overlaps), _BINARY),
    ((exp.Between,), "symmetric"),
    ((exp.Unnest,), "expressions alias offset"),
    ((exp.Array,), "expressions"),
    ((exp.Bracket,), "this expressions offset safe"),
    ((exp.Slice,), "this expression step"),
    ((exp.Dot,), _BINARY),
    ((exp.Localtime, exp.Localtimestamp), ""),
    ((exp.Pow, exp.IntDiv), _BINARY),
    ((exp.TableSample,), "method size percent seed"),
    ((exp.Table, exp.Subquery), "sample"),
    ((exp.Order,), "this"),
    ((exp.Is,), "negate"),
    ((exp.If,), "false"),
    ((exp.ColumnDef,), "this kind"),
)

# Where a bare name only names, and reads nothing.
_NAMING = table(
    ((exp.Column,), "this table db catalog"),
    ((exp.Table,), "this db catalog"),
    ((exp.TableAlias,), "this columns"),
    ((exp.Alias, exp.PivotAlias), "alias"),
    ((exp.Window,), "this alias"),
    ((exp.Join,), "using"),
    ((exp.Dot,), "this expression"),
    ((exp.PropertyEQ, exp.Kwarg, exp.JSONColumnDef, exp.ColumnDef, exp.Anonymous, exp.AnonymousAggFunc), "this"),
    ((exp.Lambda, exp.IndexTableHint), "expressions"),
    ((exp.Comprehension,), "expression position"),
    ((exp.DataType,), "kind"),
    ((exp.Pivot,), "columns expressions"),
    ((exp.UnpivotColumns,), "this expressions"),
    ((exp.Star,), "except_ rename"),
    ((exp.Collate,), "expression"),
    ((exp.Unnest,), "offset"),
    ((exp.RecursiveWithSearch,), "this expression using"),
)


def is_naming(name: exp.Identifier) -> bool:
    if isinstance(name.parent, exp.In):  # UNPIVOT (value FOR name IN (…))
        return isinstance(name.parent.parent, exp.Pivot)
    return name.parent is not None and name.arg_key in _NAMING.get(type(name.parent), ())


# Built-in types whose casts read nothing: `regclass` reads the catalogue, a domain runs somebody's function.
ORDINARY_TYPES = frozenset(
    "array character_set bigdecimal bigint bigserial binary bit blob boolean bpchar char cidr date date32 "
    "datemultirange daterange datetime datetime2 datetime64 decimal decimal32 decimal64 decimal128 decimal256 dec "
    "double float float64 hllsketch hstore inet int int128 int256 int4multirange int4range int8multirange int8range "
    "interval ipaddress json jsonb list longblob longtext lseg map mediumblob mediumint mediumtext money nchar nested "
    "null nullable number nummultirange numeric numrange nvarchar path point polygon box circle line real serial "
    "signed smalldatetime smallint smallmoney smallserial struct text time timens timetz timestamp timestampltz "
    "timestampntz timestamptz timestamp_ms timestamp_ns timestamp_s timestamp_us tinyblob tinyint tinytext "
    "tsmultirange tsrange tstzmultirange tstzrange ubigint udecimal udouble uint uint128 uint256 umediumint union "
    "usmallint utinyint uuid varbinary varchar varint variant xml year tsvector tsquery bignum lowcardinality "
    "fixedstring string name int2 int4 int8 float4 float8 citext time_ns jsonpath macaddr macaddr8 varbit ltree".split()
)
