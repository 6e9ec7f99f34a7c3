"""Medians written as the mean of the middle rows, which databases without a median need."""

from sqlglot import exp


def with_medians(select: exp.Select) -> exp.Select:
    """Return a query over numbered rows with MEDIAN where it averages the middle ones, else the query itself."""
    start, where = select.args.get("from_"), select.args.get("where")
    numbered = start.this.unnest() if start and isinstance(start.this, exp.Subquery) else None
    value = _middle_of(numbered, where.this) if isinstance(numbered, exp.Select) and where else None
    if value is None or not isinstance(numbered, exp.Select):
        return select
    plain = select.copy()
    plain.set("where", None)
    for mean in list(plain.find_all(exp.Avg)):
        if isinstance(mean.this, exp.Column) and mean.this.name == value:
            mean.replace(exp.Median(this=mean.this))
    kept = [item.copy() for item in numbered.expressions if not isinstance(item.unalias(), exp.Window)]
    own = (part for name in ("expressions", "group", "order") for part in _listed(plain.args.get(name)))
    if _passes_on(numbered, kept) and not any(column.table for part in own for column in part.find_all(exp.Column)):
        plain.set("from_", numbered.args["from_"].copy())
    else:
        plain.args["from_"].this.this.set("expressions", kept)
    return plain


def _listed(part: exp.Expr | list[exp.Expr] | None) -> list[exp.Expr]:
    return part if isinstance(part, list) else [part] if part else []


def _passes_on(select: exp.Select, columns: list[exp.Expr]) -> bool:
    """Whether a query does nothing but pass on columns under their names."""
    plain = all(
        isinstance(each.unalias(), exp.Column) and each.alias_or_name == each.unalias().name for each in columns
    )
    return plain and {name for name, part in select.args.items() if part} <= {"kind", "expressions", "from_"}


def _middle_of(numbered: exp.Select, test: exp.Expr) -> str | None:
    """Return the column of which `test` keeps the middle rows: twice the place from the size to the size and two."""
    if not isinstance(test, exp.Between) or not isinstance(test.this, exp.Mul):
        return None
    windows = {item.alias: item.unalias() for item in numbered.expressions if isinstance(item.unalias(), exp.Window)}
    place, size = (windows.get(side.name) for side in (test.this.this, test.args["low"]))
    if place is None or size is None or test.this.expression.name != "2":
        return None
    if not isinstance(place.this, exp.RowNumber) or not isinstance(size.this, exp.Count):
        return None
    order = place.args.get("order")
    key = order.expressions[0].this if order else None
    return key.name if isinstance(key, exp.Column) else None
