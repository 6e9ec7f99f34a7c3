"""Types that values may be cast to: those that are built in and whose casts read nothing.

What is left out reads the catalogue (`regclass`), makes the server call a function of somebody's own (a domain, an enum, a
row type), or is not known here.
"""

ORDINARY = frozenset(
    "array character_set bigdecimal bigint bigserial binary bit blob boolean bpchar char cidr date date32 datemultirange daterange datetime "
    "datetime2 datetime64 decimal decimal32 decimal64 decimal128 decimal256 dec double float float64 hllsketch hstore inet "
    "int int128 int256 int4multirange int4range int8multirange int8range interval ipaddress json jsonb list longblob "
    "longtext lseg map mediumblob mediumint mediumtext money nchar nested null nullable number nummultirange numeric "
    "numrange nvarchar path point polygon box circle line real serial signed smalldatetime smallint smallmoney smallserial "
    "struct text time timens timetz timestamp timestampltz timestampntz timestamptz timestamp_ms timestamp_ns timestamp_s "
    "timestamp_us tinyblob tinyint tinytext tsmultirange tsrange tstzmultirange tstzrange ubigint udecimal udouble uint "
    "uint128 uint256 umediumint union usmallint utinyint uuid varbinary varchar varint variant xml year tsvector tsquery "
    "bignum lowcardinality fixedstring string name int2 int4 int8 float4 float8 citext time_ns jsonpath macaddr macaddr8 "
    "varbit ltree".split()
)
