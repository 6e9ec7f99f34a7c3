"""Questions about money, of data without a figure called so: “sales in October” is asked back with its amounts."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from ai.nl2sql.additivity import held
from ai.nl2sql.chart.figures import total_of
from ai.nl2sql.definitions import is_metric, metric_field
from ai.nl2sql.guesses import is_spelt_alike
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.line_values import heads, line_values
from ai.nl2sql.meaning import Field, Meaning, Measure
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import AMOUNTS, called, is_numeric, main_amount, noun
from ai.nl2sql.spans import dates
from ai.nl2sql.vocabulary import PARTS_OF_AMOUNTS, is_kind
from ai.nl2sql.words import name_parts
from ai.sql.catalog import Table

MOST = 4
US = frozenset({"we", "i", "our company", "the company"})
WHO = "who has the most "
TRIED, LIKELY = 8, 5
DEED = re.compile(
    r"how much (?:money )?(?:did|do|does|have|has) (?P<who>.+?) (?:spend|spent|pay|paid|buy|bought)\b", re.I
)
DONE = re.compile(r"how much (?:money )?(?:did|do|have|has) (?:we|they) (?P<done>\w+(?: off| back)?)\b", re.I)
MOST_PAID = re.compile(
    r"(?P<who>\bwho)?(?: (?:that|who|which))?(?: have| has)? (?:paid|spent|brought)(?: in)?(?: us)?(?: the)? most"
    r"(?: money)?\b",
    re.I,
)
MANY_AND_MUCH = re.compile(
    r"^(?:(?:are there |do we have |is there )?(?:any )?(?P<rows>[^?]+?)[,;:?–-]* *(?:and )?how many"
    r"(?: (?:is|are) (?:that|there|they|those))?"
    r"|how many (?P<counted>[^?]+?)),? (?:and|&|\+) (?:for )?how much"
    r"(?: (?:money|in total|total|altogether|is that|is it|are they worth))*[?.! ]*$",
    re.I,
)
NUMBER_OF = re.compile(r"\b(?:how many|number of) (?:\w+ )?sales\b", re.I)  # no amount of them
MONEY = re.compile(
    r"\b(?:how much (?:money |cash )?(?:(?:came|comes|has come|did we take|did we bring|was taken) in"
    r"|(?:did|do|have) we (?:earn|make|made|collect|get|receive|take)(?:ed|d)?)"
    r"|what did we (?:earn|make|take)(?: in)?"
    r"|(?:(?:total|overall) )?(?:sales|revenues?|turnover|takings|income|earnings|spend(?:ing)?|spent|money)"
    r"(?: (?:value|amount|volume|made|earned|spent))?)\b",
    re.I,
)
EARNED = ("revenue", "turnover", "takings", "earnings", "income")
_TIME = (
    r"(?:(?:this|(?:the )?(?:last|previous)) (?:week|month|quarter|year)|today|yesterday|q[1-4](?: 20\d\d)?|20\d\d"
    r"|(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)(?: 20\d\d)?)"
)
MORE = re.compile(
    rf"\b(?:did|do|have) (?:we|they) (?:sell|sold|make|made|earn|earned) more (?:in )?(?P<now>{_TIME})"
    rf" than (?:we did )?(?:in )?(?P<base>{_TIME})(?=[?.! ]*$)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Restated:
    """A question said of one amount: its words, the word replaced and its `name`, the figure, the likely readings."""

    text: str
    word: str
    name: str
    figure: Measure
    sketch: Sketch
    found: Sequence[Sketch]


def more_sold(text: str) -> str:
    """Say “did we sell more in October than in September” as sales of the one and of the other."""
    return MORE.sub(r"sales in \g<now> vs \g<base>", text)


def speaks_of_money(text: str) -> bool:
    return bool(
        MORE.search(text) or DONE.search(text) or MOST_PAID.search(text) or MONEY.search(text) or DEED.search(text)
    )


def amounts_meant(text: str, lexicon: Lexicon, read: Callable[[str], Sequence[Sketch]]) -> tuple[Meaning, ...]:
    """Return the meanings of a question with each amount of the data in place of a word for money."""
    return tuple(dict.fromkeys(found.sketch.meaning for found in amounts_said(text, lexicon, read)))[:MOST]


def amounts_said(text: str, lexicon: Lexicon, read: Callable[[str], Sequence[Sketch]]) -> list[Restated]:
    """Return a question about money said of each amount of the data, where that is sound."""
    found = DEED.search(text) or MOST_PAID.search(text) or MONEY.search(text) or DONE.search(text)
    if NUMBER_OF.search(text) or (found and found.re is DEED and found["who"].lower() in US):
        return []  # what we pay is no income
    if found is None or _is_named(found, lexicon):
        return []
    who = f" of {found['who']}" if found.re is DEED else f" with {found['done']}" if found.re is DONE else ""
    such = _participle(found["done"], lexicon) if found.re is DONE else ""
    sound: list[Restated] = []
    for names, figure in islice(_amounts(lexicon), TRIED):
        before = _most_of(bool(found["who"]), figure, lexicon) if found.re is MOST_PAID else ""
        ways = ((name, f"{text[: found.start()]}{before}{such}{name}{who * (not such)}{text[found.end() :]}")
                for name in names)  # fmt: skip
        restated = (
            Restated(said, found[0], name, figure, sketch, read(said))
            for name, said in ways
            for sketch in read(said)[:LIKELY]
            if _is_of(sketch, figure)
        )
        sound += islice(restated, 1)
    return sound


def _is_named(found: re.Match[str], lexicon: Lexicon) -> bool:
    """Whether the very word for money is a figure of the data; a deed is a defined one: “spent”."""
    if found.re is DEED:
        return any(sense.column and is_metric(sense.field) for sense in lexicon.senses((found[0].split()[-1].lower(),)))
    word = found[0].lower().removeprefix("total ").removeprefix("overall ")
    named = lexicon.senses((word,)) if found.re is MONEY else ()
    return any(sense.column and _is_figure(sense.field, lexicon) for sense in named)


def _participle(done: str, lexicon: Lexicon) -> str:
    """Return “refunded ” where rows are called so: “how much did we refund”."""
    word = f"{done.lower()}d" if done.lower().endswith("e") else f"{done.lower()}ed"
    return f"{word} " if any(sense.value is not None for sense in lexicon.senses((word,))) else ""


def of_these(
    text: str, tables: Collection[str], lexicon: Lexicon, read: Callable[[str], Sequence[Sketch]]
) -> Restated | None:
    """Return a question about money said of the one amount of these tables, where the data has others."""
    said = amounts_said(text, lexicon, read)
    own = [each for each in said if each.figure.table in tables]
    return own[0] if len(own) == 1 < len(said) else None


def of_rows_before(text: str, before: Meaning, lexicon: Lexicon) -> tuple[str, str] | None:
    """Return a follow-up about money said of the one amount of the rows before, and what was taken for what."""
    found = MONEY.search(text)
    if found is None or NUMBER_OF.search(text) or _is_named(found, lexicon) or _has_revenue(before, lexicon):
        return None
    ranked = [order.key.table for order in before.order if isinstance(order.key, Measure)]
    for tables in ({before.root}, {*ranked, *(measure.table for measure in before.all_measures)}):
        own = [names[0] for names, figure in _amounts(lexicon) if figure.table in tables]
        if len(own) == 1:
            return f"{text[: found.start()]}{own[0]}{text[found.end() :]}", f"{found[0]} is the {own[0]}"
    return None


def _has_revenue(before: Meaning, lexicon: Lexicon) -> bool:
    """Whether other rows than those before have a figure called revenue: apps have a price, and their days a revenue."""
    named = (sense for word in EARNED for sense in lexicon.senses((word,)) if sense.column)
    return any(_is_figure(sense.field, lexicon) and sense.table != before.root for sense in named)


def number_and_amount(text: str, lexicon: Lexicon, read: Callable[[str], Sequence[Sketch]]) -> str:
    """Return “overdue invoices, how many and how much” said of their number and their main amount; "" for others."""
    found = MANY_AND_MUCH.match(text.strip())
    rows = (found["rows"] or found["counted"]).strip(" ,:;–-?") if found else ""
    for sketch in read(rows)[:1] if rows else ():
        table = sketch.target.table if sketch.target else sketch.meaning.root
        amount = _plain_amount(lexicon, table) if table else None
        if found and amount is not None:
            how = "how many" if found["counted"] else "number of"
            return f"{how} {rows} and total {noun(lexicon, table, many=False)} {called(lexicon, amount)}"
    return ""


def _plain_amount(lexicon: Lexicon, table: str) -> Field | None:
    """Return the main amount of rows, else the one with the plainest name: `amount` beside `amount_paid`."""
    fields = [Field(table, column.name) for column in lexicon.table(table).columns]
    parts = {field: {*name_parts(field.column)} for field in fields if is_numeric(lexicon, field)}
    named = [field for field, own in parts.items() if AMOUNTS & own]
    plain = [field for field in named if all(parts[field] <= parts[other] for other in named)]
    return main_amount(lexicon, table) or (plain[0] if len(plain) == 1 else None)


def of_an_amount(text: str, lexicon: Lexicon) -> str:
    """Return a message about money said of an amount of the data; the message itself where it has none."""
    found = MONEY.search(text)
    name = next((names[0] for names, _ in _amounts(lexicon)), "") if found else ""
    return f"{text[: found.start()]}{name}{text[found.end() :]}" if found and name else text


def _most_of(who: bool, figure: Measure, lexicon: Lexicon) -> str:
    """Return the words before the amount that somebody paid most of."""
    if not who:
        return " by "
    tables = [table.name for table in lexicon.catalog.tables if is_kind(table.name, "buyer")]
    paths = {table: lexicon.links.path(figure.table, table) for table in tables}
    buyers = [table for table, path in paths.items() if path and not any(link.many for link in path)]
    return f"which {noun(lexicon, buyers[0], many=False)} has the highest total " if len(buyers) == 1 else WHO


def _is_figure(field: Field, lexicon: Lexicon) -> bool:
    return is_metric(field) or is_numeric(lexicon, field)


def _is_of(sketch: Sketch, figure: Measure) -> bool:
    figures = {(measure.function, measure.table, measure.column) for measure in sketch.meaning.all_measures}
    if "and" in {word.key for word in sketch.lattice.words}:
        figures = {each for each in figures if each[0] != "count"}  # “orders and revenue”
    sound = not (
        sketch.problems or sketch.choices or sketch.unread() or sketch.meaning.presences or sketch.meaning.within
    )
    sound = sound and not any(part.note and not is_spelt_alike(part.note) for part in sketch.cover.parts)
    return sound and figures == {(figure.function, figure.table, figure.column)}


def _amounts(lexicon: Lexicon) -> Iterator[tuple[tuple[str, str], Measure]]:
    """Yield the amounts of dated rows, then of lines, with their names; else their prices."""
    prices: list[tuple[tuple[str, str], Measure]] = []
    known = False
    for table in lexicon.catalog.tables:
        timed = dates(table) or any(dates(head) for head in heads(table, lexicon.catalog))
        for field in _large(lexicon, table) if timed else ():
            name, parts = called(lexicon, field), set(name_parts(field.column))
            if AMOUNTS & parts and not held(total_of(field), lexicon):
                known = True
                yield (f"{noun(lexicon, table.name, many=False)} {name}", name), total_of(field)
            elif "price" in parts and table.foreign_keys:
                prices.append(((f"total {name}",) * 2, replace(total_of(field), function="sum")))
    for metric in line_values(lexicon.catalog, lexicon.semantics):
        known = True
        yield (metric.name, metric.name), total_of(metric_field(metric))
    yield from prices if not known else ()


def _large(lexicon: Lexicon, table: Table) -> list[Field]:
    """Return the amounts of a row, several that may be its worth; what was paid back is no revenue."""
    fields = [Field(table.name, column.name) for column in table.columns]
    named = [field for field in fields if AMOUNTS & {*name_parts(field.column)} and is_numeric(lexicon, field)]
    whole = [field for field in named if not PARTS_OF_AMOUNTS & {*name_parts(field.column)}]
    main = main_amount(lexicon, table.name)
    if main is None or PARTS_OF_AMOUNTS & {*name_parts(main.column)}:
        return []
    return whole if main in whole else [main]
