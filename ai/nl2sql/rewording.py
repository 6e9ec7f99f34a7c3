"""Other words for what is said: phrases that hold a figure, short forms, names with hyphens."""

import re
from collections.abc import Callable
from functools import cache, lru_cache

from ai.language.tables import rows
from ai.nl2sql.chart.stocks import stock_columns
from ai.nl2sql.hyphens import apart, hyphened
from ai.nl2sql.lexicon import PARTIAL, Lexicon
from ai.nl2sql.line_values import heads, line_values, sold_lines
from ai.nl2sql.meaning import Field
from ai.nl2sql.persons import doers, earners, holders, joiners
from ai.nl2sql.schema import called, display, is_numeric, main_amount, noun, title
from ai.nl2sql.slips import mended
from ai.nl2sql.spans import dates
from ai.nl2sql.splits import SPLIT, by_values
from ai.nl2sql.vocabulary import abbreviations, is_kind
from ai.nl2sql.wording import is_called, is_state
from ai.nl2sql.words import keys, name_parts, singular, split
from ai.sql.semantics import Semantics

ALIKE = 4  # letters that two forms of a deed begin with: lost and losing
LEAVING = frozenset("cancel leav left churn quit ended end stop".split())
REASONS = frozenset({"reason", "reasons", "cause", "rsn"})
UNSAID = "@unsaid"  # a figure that no data has
TAKEN = frozenset("minutes minute min mins duration hours hour length seconds runtime".split())
RATE_OF_VALUE = re.compile(r"(?P<said>(?:[\w-]+ ){1,4})rates?\b(?: of (?:all |our |the )?(?P<of>\w+))?", re.IGNORECASE)
QUOTED = r"\"[^\"]*\"|“[^”]*”|(?<!\w)'[^']*'(?!\w)|\u2018[^\u2019]*\u2019"
SAID = re.compile(rf"{QUOTED}|(?P<word>[^\W_](?:[^\W_]|['\u2019/](?=[^\W_]))*(?:/(?= ))?)")
SEVERAL_OF_ONE = re.compile(
    r"\b(?P<a>[a-z]+)(?:, (?P<b>[a-z]+))?,? (?:and|&|plus) (?P<c>[a-z]+) (?P<noun>[a-z]+)\b", re.IGNORECASE
)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str, str], ...]:
    table = rows("ai.nl2sql", "rewording", "pattern", "figure", "said")
    return tuple((re.compile(pattern, re.IGNORECASE), figure, said) for pattern, figure, said in table)


def reworded(text: str, lexicon: Lexicon) -> str:
    """Put plain words for a phrase: those without a `figure` always, others with the first that the data has."""
    text = SPLIT.sub(lambda found: by_values(found, lexicon), text, count=1)
    for pattern, figures, said in _patterns():
        found = pattern.search(text)
        named = (_called(found, figure, lexicon) for figure in figures.split("|")) if found else ()
        figure = next((one for one in named if not one or _has(lexicon, keys(one), said)), None)
        if found is not None and figure is not None:
            text = f"{text[: found.start()]}{found.expand(said).format(figure)}{text[found.end() :]}"
    for pattern, other in _deeds(lexicon.semantics):
        text = pattern.sub(other, text)
    text = SEVERAL_OF_ONE.sub(lambda found: _each_with_noun(found, lexicon), text)
    text = RATE_OF_VALUE.sub(lambda found: _share_of_value(found, lexicon), apart(text, lexicon))
    return hyphened(text, lexicon)


def _each_with_noun(found: re.Match[str], lexicon: Lexicon) -> str:
    """Put “first name, middle name and last name” for “first, middle and last names”, where they are columns."""
    one = singular(found["noun"].lower())
    names = [name for name in (found["a"], found["b"], found["c"]) if name]
    columns = [lexicon.senses((name.lower(), one)) for name in names]
    if any(is_called((name.lower(),), lexicon) for name in names[:-1]):
        return found[0]
    if not all(any(sense.column and sense.cost < PARTIAL for sense in senses) for senses in columns):
        return found[0]
    return f"{', '.join(f'{name} {one}' for name in names[:-1])} and {names[-1]} {one}"


def _called(found: re.Match[str], figure: str, lexicon: Lexicon) -> str:
    """Return a figure in words; that of what was sold is called as the data calls it."""
    made = MADE.get(figure)
    return (made(found, lexicon) or UNSAID) if made else found.expand(figure)


def _earning(found: re.Match[str], lexicon: Lexicon) -> str:
    """Return what earns, one or several as said, to be ranked by its revenue."""
    earns = earners(lexicon)
    return f"{noun(lexicon, earns, many=found[0].endswith('s'))} by revenue" if earns else ""


def _goods(lexicon: Lexicon) -> str:
    """Return the only things with names that lines of what was sold are of: the product of order items."""
    lines = sold_lines(lexicon.catalog, lexicon.semantics)
    ends = {link.target for line in lines for link in lexicon.links.steps.get(line, ()) if not link.many}
    named = [end for end in ends if display(lexicon, end) and not is_kind(end, "people", "buyer", "seller")]
    return noun(lexicon, named[0], many=False) if len(named) == 1 else ""


def _reasons(found: re.Match[str], lexicon: Lexicon) -> str:
    """Return the rows that have a reason of a deed, by it: “subscriptions by cancel reason” of why people leave."""
    deed = found["deed"].lower()
    kin = {word[:ALIKE] for word in (LEAVING if deed in LEAVING else (deed,))}
    told = [
        (table.name, column.name)
        for table in lexicon.catalog.tables
        for column in table.columns
        if REASONS & {*name_parts(column.name)}
        and kin & {part[:ALIKE] for part in (*name_parts(column.name), *name_parts(table.name))}
    ]
    if len(told) != 1:
        return ""
    reason = title(Field(*told[0]))
    return f"{noun(lexicon, told[0][0])} with a {reason} by {reason}"


def _counted(found: re.Match[str], lexicon: Lexicon) -> str:
    """Return what only names numbers: the docks of “number of docks”."""
    named = [sense for sense in lexicon.senses((found["x"].lower(),)) if sense.cost < PARTIAL]
    return found["x"] if named and all(s.column and is_numeric(lexicon, s.field) for s in named) else ""


def _lasting(what: str, lexicon: Lexicon) -> str:
    """Return the only column that says how long rows of a table take."""
    named = {sense.table for sense in lexicon.senses((what,)) if sense.column is None and sense.cost < PARTIAL}
    columns = lexicon.table(named.pop()).columns if len(named) == 1 else ()
    found = [" ".join(parts) for parts in (name_parts(column.name) for column in columns) if TAKEN & {parts[-1]}]
    return found[0] if len(found) == 1 else ""


def _is_stocked(thing: str | None, lexicon: Lexicon) -> bool:
    """Whether one thing in stock is named, if any: of a kind of things rather their number is asked."""
    if thing is None:
        return True
    kept = {field.table for table in lexicon.tables for field in stock_columns(lexicon, table)}
    nameless = [table for table in kept if not display(lexicon, table)]
    kept |= {link.target for table in nameless for link in lexicon.links.steps.get(table, ()) if not link.many}
    named = (sense for sense in lexicon.senses(keys(thing)) if sense.value is not None and sense.table in kept)
    return any(sense.field in display(lexicon, sense.table) for sense in named)


@lru_cache(maxsize=16)
def _stock(lexicon: Lexicon) -> str:
    """Return the only amount in stock: “qty on hand”."""
    found = [field for table in lexicon.tables for field in stock_columns(lexicon, table)]
    return " ".join(name_parts(found[0].column)) if len(found) == 1 else ""


@lru_cache(maxsize=16)
def _sellers(lexicon: Lexicon) -> str:
    """Return the only staff that each sale has one of, with the amount of sales: “employees by order total”."""
    found = []
    for sale in (table for table in lexicon.catalog.tables if is_kind(table.name, "sale") and dates(table)):
        amount = main_amount(lexicon, sale.name)
        whole = noun(lexicon, sale.name, many=False)
        worth = f"total {whole} {called(lexicon, amount)}" if amount else _worth_in_lines(whole, lexicon)
        ends = {link.target for link in lexicon.links.steps.get(sale.name, ()) if not link.many}
        staff = [end for end in ends if is_kind(end, "seller") and display(lexicon, end)]
        found += [f"{noun(lexicon, end)} by {worth}" for end in staff if worth != ""]
    return found[0] if len(found) == 1 else ""


@lru_cache(maxsize=256)
def _worth_in_lines(whole: str, lexicon: Lexicon) -> str:
    """Return what the worth of the lines of a whole is called: of an order without an amount of its own."""
    tables = {sense.table for sense in lexicon.senses((whole,)) if sense.column is None and sense.cost < PARTIAL}
    own = lexicon.catalog.table(tables.pop()) if len(tables) == 1 else None
    if own is None or not dates(own) or display(lexicon, own.name) or main_amount(lexicon, own.name):
        return ""
    lines = line_values(lexicon.catalog, lexicon.semantics)
    return next((line.name for line in lines if own in heads(lexicon.table(line.table), lexicon.catalog)), "")


@lru_cache(maxsize=16)
def _sold(lexicon: Lexicon) -> str:
    """Return what the only table of lines sold is called, a word that no data has where there is none."""
    tables = sold_lines(lexicon.catalog, lexicon.semantics)
    return noun(lexicon, tables[0]) if len(tables) == 1 else ""


def _has(lexicon: Lexicon, figure: tuple[str, ...], said: str) -> bool:
    """Whether the data has a figure; what something is said to be “without” has rows of its own."""
    if "by" in figure:
        return True  # things by an amount, both of the data
    senses = lexicon.senses(figure)
    return any(sense.column is None for sense in senses) if said.startswith("without ") else bool(senses)


def _share_of_value(found: re.Match[str], lexicon: Lexicon) -> str:
    """Put “share of no-show visits” for “no-show rate”."""
    words = found["said"].split()
    for start in range(len(words)):
        said = tuple(word.lower() for word in words[start:])
        named = [sense for sense in lexicon.senses((*said, "rate")) if sense.cost < PARTIAL]
        if named or lexicon.defines((*said, "rate")) or lexicon.defines(said):
            return found[0]
        tables = {sense.table for sense in lexicon.values.get(said, ())}
        for done in (f"{said[-1]}ed", f"{said[-1]}d"):  # a refund rate is of what was refunded
            states = [sense for sense in lexicon.values.get((*said[:-1], done), ()) if is_state(sense)]
            if len(states) == 1:
                return " ".join((*words[:start], "share of", *said[:-1], done, noun(lexicon, states[0].table)))
        if len(tables) == 1:
            things = found["of"] or noun(lexicon, tables.pop())
            return " ".join((*words[:start], "share of", *words[start:], things))
    return found[0]


@lru_cache(maxsize=16)
def _deeds(semantics: Semantics) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return how deeds are said whose number is defined: with “sign-ups”, “how many people signed up”."""
    names = [name for metric in semantics.metrics for name in (metric.name, *metric.synonyms)]
    parts = [(name, re.fullmatch(r"(\w{3,})-(\w+?)s", name)) for name in names]
    people = r"how many (?:people|ppl|persons|users|customers|clients|members) (?:have )?"
    ways = ((people, "how many "), (r"(?:(?:that|who|which) )?(?:have |has )?never ", "without "))
    return tuple(
        (re.compile(rf"\b{before}{re.escape(found[1])}\w* {found[2]}\b", re.IGNORECASE), f"{said}{name}")
        for name, found in parts
        if found
        for before, said in ways
    )


def written_out(text: str, lexicon: Lexicon) -> str:
    """Write short forms in full, “show em pls”, but for names of the data."""
    short = abbreviations()

    def full(found: re.Match[str]) -> str:
        said = (found["word"] or "").lower().replace("\u2019", "'")
        return short[said] if said in short and not is_called((said,), lexicon) else found[0]

    return SAID.sub(full, text)


def in_own_words(reason: str, text: str, lexicon: Lexicon) -> str:
    """Name a word in a refusal as its message wrote it: “em”, not “them”."""
    for found in SAID.finditer(text):
        said = found[0] if found["word"] else ""
        for meant in split(written_out(said, lexicon)):
            for word in mended(meant, lexicon):
                reason = reason.replace(f"“{word.text}”", f"“{said}”") if word.text != said else reason
    return reason


def respelled(text: str, lexicon: Lexicon) -> str:
    """Write short forms out, mend slips, “the day bfore”, and put hyphens into names."""
    text = hyphened(apart(written_out(text, lexicon), lexicon), lexicon)
    words = {word.text: mended(word, lexicon) for word in split(text) if word.text.isalpha()}
    slips = {said: meant[0].text for said, meant in words.items() if len(meant) == 1 and meant[0].text != said}
    return re.sub(r"[^\W\d_]+", lambda found: slips.get(found[0], found[0]), text) if slips else text


# The figures that the data has its own words for; "" for those that it has not.
MADE: dict[str, Callable[[re.Match[str], Lexicon], str]] = {
    "@worth": lambda found, lexicon: _worth_in_lines(singular(found["whole"].lower()), lexicon),
    "@lasting": lambda found, lexicon: _lasting(singular(found["what"].lower()), lexicon),
    "@sellers": lambda _, lexicon: _sellers(lexicon),
    "@goods": lambda _, lexicon: _goods(lexicon),
    "@stock": lambda found, lexicon: _stock(lexicon) if _is_stocked(found.groupdict().get("thing"), lexicon) else "",
    "@doers": lambda found, lexicon: doers(singular(found["whole"].lower()), lexicon),
    "@earners": _earning,
    "@joiners": lambda _, lexicon: joiners(lexicon),
    "@holders": lambda found, lexicon: holders(keys(found["what"]), lexicon),
    "@number": _counted,
    "@reasons": _reasons,
    "@lines": lambda found, lexicon: "" if lexicon.senses(keys(found[0])) else _sold(lexicon),
}
