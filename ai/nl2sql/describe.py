"""What a result is of, for whoever phrases it: the shape of the answer and the names of its things and figures."""

from dataclasses import dataclass
from typing import Literal

from ai.nl2sql.echo import conditions
from ai.nl2sql.echo import figures as named_figures
from ai.nl2sql.lexicon import Lexicon, lexicon_of
from ai.nl2sql.meaning import Field, Meaning, Measure
from ai.nl2sql.schema import noun, title
from ai.nl2sql.words import plural, singular
from ai.sql.catalog import Catalog
from ai.sql.semantics import NO_SEMANTICS, Semantics


@dataclass(frozen=True, slots=True)
class Description:
    """The nouns and figures of a meaning; `figures` are its last columns, in their order."""

    shape: Literal["figures", "list", "groups", "ranking"]
    things: str
    thing: str
    figures: tuple[str, ...]
    groups: str
    group: str
    condition: str
    descending: bool


def describe(meaning: Meaning, catalog: Catalog, semantics: Semantics = NO_SEMANTICS) -> Description:
    """Say of a meaning what its rows and figures are called."""
    lexicon = lexicon_of(catalog, semantics)
    figures = named_figures(meaning, lexicon)
    shape: Literal["figures", "list", "groups", "ranking"] = "list"
    if meaning.limit and meaning.order and (meaning.groups or not figures) and not (meaning.fold or meaning.within):
        shape = "ranking"
    elif figures:
        shape = "groups" if meaning.groups else "figures"
    if shape == "ranking" and not figures:
        key = meaning.order[0].key
        shown = not isinstance(key, Measure) and meaning.columns[-1:] == (key,) and len(meaning.columns) > 1
        figures = (title(key),) if shown and not isinstance(key, Measure) else ()
    descending = meaning.order[0].descending if meaning.order else True
    things, thing = noun(lexicon, meaning.subject), noun(lexicon, meaning.subject, many=False)
    group = _group(meaning, lexicon)
    return Description(shape, things, thing, figures, plural(group), group, conditions(meaning, lexicon), descending)


def _group(meaning: Meaning, lexicon: Lexicon) -> str:
    """What one group is: a row of a table, a value of a column, a month."""
    if len(meaning.groups) != 1:
        return "group"
    group = meaning.groups[0]
    if group.column is None:
        return noun(lexicon, group.table, many=False)
    return group.unit or singular(title(Field(group.table, group.column)))
