"""Checks for words taken for others: pieces for money, prices for costs, a name for a verb, what will be for what was."""

from itertools import pairwise

from ai.nl2sql.chart.parts import Flag, Part, Wanted
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.lexicon import PARTIAL
from ai.nl2sql.line_values import DISCOUNTS
from ai.nl2sql.meaning import Field, Measure
from ai.nl2sql.reading.havings import MORE_OR_LESS
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import is_numeric, noun, title, without_unit
from ai.nl2sql.vocabulary import MONEY, is_kind
from ai.nl2sql.words import is_participle, keys, name_parts, singular, stem

WORTH = frozenset({"amount", "value", "worth", "sum"})
BILLED = frozenset(map(stem, ("invoice", "bill")))
MONEY_NAMES = frozenset(map(stem, "payment sale refund expense donation invoice bill charge".split()))
COSTS = frozenset("cost costs fee fees expense expenses charge commission wage salary".split())
EXACT = 0.2  # cost of a name that a word says
RATED = frozenset("rating ratings stars score satisfaction nps csat".split())
LISTING = frozenset({"list", "show", "give", "which"})
LISTED = 0.8  # what it costs to list ratings where one is asked for
PLACES = frozenset("in out here there away inside outside present".split())
DOING = frozenset("did do does have has".split())
BEING = frozenset("are is".split())
NOW = frozenset("right now currently today at".split())
WHENCE = frozenset("from via through by over".split())  # “came from paid social”
MEANS = frozenset("average avg mean usually typically per each".split())
SHORT_UNIT = 2  # letters: m, kg
FORECAST = "I can tell what is in the data, not what will be; ask for a time that has passed."


def _worth_of_pieces(sketch: Sketch) -> None:
    """“total stock value” is no number of pieces."""
    for part in sketch.parts("measure"):
        figure = part.data.measure if isinstance(part.data, Wanted) else None
        worth = {"value", "worth"} & {*part.said.lower().split()}
        if figure is None or figure.function not in ("sum", "avg") or not figure.column or not worth:
            continue
        field = Field(figure.table, figure.column)
        named = is_metric(field) or worth & {*name_parts(field.column)} or MONEY & {*name_parts(field.column)}
        if not named and sketch.lexicon.column(field).kind == "integer":
            sketch.doubt(f"I find no {part.said} in money, only {title(field)}; name the price to multiply it with.")


def _cost_to_us(sketch: Sketch) -> None:
    """“what did the couriers cost us” asks for no price of ours."""
    said = [word.key for word in sketch.lattice.words]
    if ("cost", "us") not in pairwise(said):
        return
    at = said.index("cost")
    fields = [part.data for part in sketch.parts("attribute") if part.start <= at < part.end]
    fields += [Field(p.data.measure.table, p.data.measure.column or "") for p in sketch.parts("measure")
               if p.start <= at < p.end and isinstance(p.data, Wanted)]  # fmt: skip
    if any(isinstance(field, Field) and not COSTS & {*name_parts(field.column)} for field in fields):
        sketch.doubt("I find no cost to us in this data, only prices; name the column that says what we pay.")


def _discount_unsaid(sketch: Sketch) -> None:
    """“total amount by treatment” asks for no discount amount."""
    said = {singular(word.key) for word in sketch.lattice.words}
    if said & DISCOUNTS or not said & WORTH:
        return
    for figure in sketch.meaning.all_measures:
        field = Field(figure.table, figure.column or "")
        if figure.column and DISCOUNTS & {*name_parts(field.column)} and not is_metric(field):
            sketch.doubt(f"I find no such amount here but the {title(field)}.")


def _billed_not_paid(sketch: Sketch) -> None:
    """“top customers by amount invoiced” are not told by what was paid."""
    lexicon = sketch.lexicon
    paid = {m.table for m in sketch.meaning.all_measures if m.function == "sum" and is_kind(m.table, "settling")}
    spoken = [word for word in sketch.lattice.words if word.stem in BILLED] if paid else []
    for table in dict.fromkeys(sense.table for word in spoken for sense in lexicon.senses((word.key,))):
        found = [] if table in paid else _amounts(sketch, table)
        amounts = [without_unit(title(field)) for field in found]
        if amounts:
            sketch.doubt(f"Which amount of the {noun(lexicon, table)} do you mean: {' or '.join(amounts)}?")
            return


def _amounts(sketch: Sketch, table: str) -> list[Field]:
    fields = (Field(table, column.name) for column in sketch.lexicon.table(table).columns)
    return [field for field in fields if is_numeric(sketch.lexicon, field) and MONEY & {*name_parts(field.column)}]


def how_much_of_things(sketch: Sketch) -> None:
    """“how much gear is overdue” may ask for pieces: their number or their amount."""
    meaning = sketch.meaning
    for part in sketch.parts("measure"):
        words = part.said.lower().split()
        if words[:2] != ["how", "much"] or len(words) < 3 or sketch.problems or sketch.choices or meaning.fold:
            continue
        if DOING & {*words}:
            continue  # “how much did we pay out”
        thing, figure = words[-1], part.data.measure if isinstance(part.data, Wanted) else None
        money = stem(thing) in MONEY_NAMES or MONEY & {thing} or is_participle(thing)
        if figure and figure.function == "sum" and singular(thing) == thing and not money and _names_rows(sketch, part):
            count = meaning.exchanged(figure, Measure("count", figure.table))
            sketch.ask_back("How many or how much?", [count, meaning])


def _names_rows(sketch: Sketch, part: Part) -> bool:
    """Whether the last word of a figure names rows, and no numbers."""
    senses = sketch.lexicon.senses((sketch.lattice.words[part.end - 1].key,))
    known = [sense for sense in senses if sense.cost < PARTIAL and sense.value is None]
    numbers = any(sense.column and is_numeric(sketch.lexicon, sense.field) for sense in known)
    return not numbers and any(sense.column is None for sense in known)


def _forecast(sketch: Sketch) -> None:
    """“how many downloads will we have at Christmas” asks for no Christmas of the past, nor do totals tell it."""
    meaning = sketch.meaning
    named = {at for part in sketch.parts("filter") for at in range(part.start, part.end)}  # articles by Will Hebden
    ahead = any(word.key == "will" and at not in named for at, word in enumerate(sketch.lattice.words))
    if not ahead or not meaning.all_measures:
        return
    past = [p for p in meaning.periods if p.end and p.end <= sketch.today]
    if past or any(measure.function != "count" for measure in meaning.all_measures):
        sketch.doubt(FORECAST)


def _name_for_verb(sketch: Sketch) -> None:
    """“incident causes in May and June” asks for the causes."""
    meaning = sketch.meaning
    used = {group.column for group in meaning.groups} | {field.column for field in meaning.columns}
    used |= {measure.column for measure in meaning.all_measures}
    for part in sketch.parts("flag"):
        verb = isinstance(part.data, Flag) and part.data.sign == "verb" and part.end == part.start + 1
        if not verb or is_participle(sketch.lattice.words[part.start].key):
            continue
        named = [item.sense for item in sketch.lattice.at(part.start, "column") if item.cost < EXACT]
        own = [sense.field for sense in named if sense and sense.table in meaning.tables and sense.column]
        tested = {test.field for test in meaning.filters}
        if own and not any(field.column in used or field in tested for field in own):
            sketch.doubt(f"I cannot tell what “{part.said}” asks for here; say “by {title(own[0])}” to split by it.")


def _ratings_listed(sketch: Sketch) -> None:
    """“what is the rating of Gabbro” asks for one figure, not for the stars of each review."""
    meaning = sketch.meaning
    shows = sketch.lattice.words[0].key in LISTING or any(word.key == "all" for word in sketch.lattice.words)
    one = meaning.columns and not (meaning.groups or meaning.order or shows)
    if one and all(RATED & {*name_parts(field.column)} for field in meaning.columns):
        named = {test.field.table for test in meaning.filters}
        sketch.cost += LISTED * any(many_between(sketch.lexicon, table, meaning.subject) for table in named)


def _rate_for_rating(sketch: Sketch) -> None:
    """“churn rate” is no rating."""
    for part in (*sketch.parts("measure"), *sketch.parts("attribute"), *sketch.parts("noun")):
        if part.said.lower() not in ("rate", "rates") or part.start == 0:
            continue
        if not {"rate", "rates"} & _names(sketch, part):
            said = f"{sketch.lattice.words[part.start - 1].text} rate"
            sketch.doubt(f"I find no “{said}” in this data; name the two figures that it divides.")


def _names(sketch: Sketch, part: Part) -> set[str]:
    """Return the words that a figure or a column is called by."""
    if isinstance(part.data, str):
        return {*name_parts(part.data)}
    data = part.data.measure if isinstance(part.data, Wanted) else part.data
    if not isinstance(data, Field | Measure):
        return {*keys(part.said)}
    field = Field(data.table, data.column or "")
    metric = sketch.lexicon.metrics.get(field)
    called = (metric.name, *metric.synonyms) if metric else (" ".join(name_parts(field.column)),)
    return {word for name in called for word in keys(name)}


def _place_of_now(sketch: Sketch) -> None:
    """“how many patients are in right now” is not all there ever were."""
    meaning, words = sketch.meaning, [word.key for word in sketch.lattice.words]
    tested = meaning.filters or meaning.periods or meaning.presences or meaning.havings or sketch.context
    for at, word in enumerate(words[1:-1], 1) if not tested else ():
        if word in PLACES and words[at - 1] in BEING and words[at + 1] in NOW:
            sketch.doubt(f"I cannot tell which ones are {word} now; name the column or the value.")


def _measured_like_own(sketch: Sketch) -> None:
    """“boats over 10 m” goes by no metres of their berths, where boats have lengths and widths in metres."""
    meaning, lexicon = sketch.meaning, sketch.lexicon
    named = {str(part.data) for part in sketch.parts("noun")}
    for test in meaning.filters if meaning.subject else ():
        unit = name_parts(test.field.column)[-1:]
        others = test.operator in MORE_OR_LESS and test.field.table not in {*named, meaning.subject}
        if not (others and unit and len(unit[0]) <= SHORT_UNIT):
            continue
        columns = (Field(meaning.subject, column.name) for column in lexicon.table(meaning.subject).columns)
        own = [
            title(field) for field in columns if is_numeric(lexicon, field) and name_parts(field.column)[-1:] == unit
        ]
        if own:
            sketch.doubt(f"Which number is compared: {' or '.join(own)}?")


def _mean_for_total(sketch: Sketch) -> None:
    """“total discount” asks for no average of percents, and for no list of them, where there are amounts called so."""
    totals = {part.end for part in sketch.flags("all") if part.said.lower() == "total"}
    summed = {Field(m.table, m.column or "") for m in sketch.meaning.all_measures if m.function == "sum"}
    for part in sketch.parts("attribute"):
        field = part.data if isinstance(part.data, Field) and part.start in totals else None
        alone = field is None or is_metric(field) or not is_numeric(sketch.lexicon, field) or field in summed
        if field and not alone and {*_amounts_called(sketch, {*keys(part.said)})} - summed - {field}:
            sketch.doubt(f"{title(field).capitalize()} has no total; ask for its average.")


def _mean_for_number(sketch: Sketch) -> None:
    """“how many one star reviews” asks for a number of reviews, for no mean."""
    words = [word.key for word in sketch.lattice.words]
    if words[:2] != ["how", "many"] or set(words) & MEANS:
        return
    for measure in sketch.meaning.measures:
        if measure.function == "avg" and any(part.data == measure.table for part in sketch.parts("noun")):
            sketch.doubt("I cannot tell whether this asks for a number or for a mean; say which.")


def _value_for_number(sketch: Sketch) -> None:
    """“the latest 5 star reviews” are no five of them: the number says what the column beside it holds."""
    nouns = {part.start for part in sketch.parts("noun")}
    columns = {part.start: part for part in sketch.parts("attribute") if part.end in nouns}
    for part in sketch.parts("rank"):
        beside = columns.get(part.end)
        if beside is None or beside.said != singular(beside.said) or not isinstance(beside.data, Field):
            continue
        if is_numeric(sketch.lexicon, beside.data) and sketch.lattice.at(part.end - 1, "number"):
            said = f"{part.said} {beside.said}"
            sketch.doubt(f"I am not sure what “{said}” means here.")


def _less_for_without(sketch: Sketch) -> None:
    """“ad revenue minus payouts” takes one figure from another; it is no revenue of those without payouts."""
    lacking = any(not presence.present for presence in sketch.meaning.presences)
    words = [word.key for word in sketch.lattice.words]
    if lacking and sketch.meaning.all_measures and "minus" in words[1:]:
        sketch.doubt("I cannot take one figure from another here; ask for both side by side.")


def _came_for_entered(sketch: Sketch) -> None:
    """“how many owners came in October” asks who was there, and not who was entered then, where visits are kept."""
    words = [word.key for word in sketch.lattice.words]
    days = {period.field.table for period in sketch.meaning.periods}
    before = [
        at
        for at, (_, word) in enumerate(pairwise(words))
        if word in ("came", "come") and not WHENCE & {*words[at + 2 : at + 3]}
    ]
    named = {item.sense.table for at in before for item in sketch.lattice.at(at, "table") if item.sense}
    for table in (table for table in named & days if is_kind(table, "people", "holder", "buyer")):
        for event in sketch.lexicon.tables:
            if is_kind(event, "happening") and many_between(sketch.lexicon, table, event):
                events, those = noun(sketch.lexicon, event), noun(sketch.lexicon, table)
                sketch.doubt(f"I cannot tell what “came” is of {those}; ask for {those} with {events}.")
                return


def _amounts_called(sketch: Sketch, words: set[str]) -> list[Field]:
    """Return the amounts of money of all tables whose names hold these words."""
    fields = (field for table in sketch.lexicon.tables for field in _amounts(sketch, table))
    return [field for field in fields if words <= {*name_parts(field.column)}]


MISTAKEN = (
    _worth_of_pieces, _cost_to_us, _discount_unsaid, _billed_not_paid, _forecast, _place_of_now, _measured_like_own,
    _rate_for_rating, _name_for_verb, _ratings_listed, _mean_for_total, _mean_for_number, _value_for_number,
    _less_for_without, _came_for_entered,
)  # fmt: skip
