"""Bare columns in the unit that people read, cents as dollars; one figure over another, or less another."""

from sqlglot import exp

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field
from ai.nl2sql.schema import scale_of


def scaled(figure: exp.Expr, field: Field, lexicon: Lexicon) -> exp.Expr:
    """Return a column, or a total of it, times its scale; a hundredth divides by 100, which rounds less."""
    scale = scale_of(lexicon, field)
    if scale == 1.0:
        return figure
    parts = round(1 / scale) if 0 < scale < 1 else 0
    divides = parts > 1 and abs(parts * scale - 1) < 1e-9
    pattern = f":it / {float(parts)}" if divides else f":it * {scale}"
    found: exp.Expr = exp.maybe_parse(pattern, dialect=lexicon.catalog.dialect)
    return exp.replace_placeholders(found, it=figure)


def taken_off(now: exp.Expr, before: exp.Expr, *, sparse: bool) -> exp.Expr:
    """Return the change between two figures; with `sparse` one without rows counts as 0."""
    if not sparse:
        return exp.Sub(this=now, expression=before)
    ends = (exp.Coalesce(this=end, expressions=[exp.Literal.number(0)]) for end in (now, before))
    return exp.Sub(this=next(ends), expression=next(ends))


def divided(above: exp.Expr, below: exp.Expr, *, percent: bool) -> exp.Expr:
    """Return one figure over another, in percent where it is a part of it."""
    factor = exp.Literal.number("100.0" if percent else "1.0")
    whole = exp.Anonymous(this="NULLIF", expressions=[below, exp.Literal.number(0)])
    return exp.Div(this=exp.Mul(this=factor, expression=exp.paren(above)), expression=whole)
