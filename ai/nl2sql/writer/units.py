"""Bare columns in the unit that people read: cents as dollars."""

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
