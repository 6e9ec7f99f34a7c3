"""The closed-class words of English questions, as data: which phrases carry which sign.

Only words whose meaning holds for every database stand here; the words of a database are in `lexicon`.
"""

from dataclasses import dataclass
from functools import cache
from typing import Literal

SignKind = Literal[
    "count", "aggregate", "most", "top", "adjective", "compare", "between", "group", "unit", "order", "direction",
    "none", "not", "average", "distinct", "list", "everything", "and", "have", "is", "that", "followup", "next", "filler",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sign:
    """What a closed-class phrase does in a question; `value` says which of its kind."""

    kind: SignKind
    value: str = ""


PHRASES: dict[SignKind, dict[str, str]] = {
    "count": {
        "": "how many|the number of|number of|numbers of|total number of|total count of|count of|count the number of|counts of|count|how often",
    },
    "aggregate": {
        "avg": "average|mean|avg|on average",
        "sum": "total|sum|sum of|overall|combined|how much|total amount of|altogether",
        "min": "minimum|min",
        "max": "maximum|max",
    },
    "most": {
        "desc": "most|highest|largest|biggest|greatest|best|maximum|max|top",
        "asc": "least|fewest|lowest|smallest|worst|minimum|min|bottom",
    },
    "top": {"desc": "top|first|best|highest|largest|biggest|most", "asc": "bottom|last|lowest|smallest|worst|fewest"},
    "adjective": {
        "price cost amount|desc": "most expensive|priciest|costliest",
        "price cost amount|asc": "cheapest|least expensive",
        "age|desc": "oldest|eldest",
        "age|asc": "youngest",
        "date|desc": "newest|latest|most recent|most recently",
        "date|asc": "earliest",
        "length duration milliseconds seconds minutes distance|desc": "longest",
        "length duration milliseconds seconds minutes distance|asc": "shortest",
        "height elevation|desc": "tallest",
        "weight|desc": "heaviest",
        "weight|asc": "lightest",
        "count|desc": "most common|most popular|most frequent|most often",
        "count|asc": "least common|least popular|rarest",
    },
    "compare": {
        ">": "more than|greater than|larger than|bigger than|higher than|longer than|older than|over|above|exceeding|exceeds"
        "|bigger than|>|heavier than|taller than|costing more than|later than",
        ">=": "at least|no less than|not less than|a minimum of|>=|or more",
        "<": "less than|fewer than|smaller than|lower than|shorter than|younger than|under|below|<|cheaper than|lighter than"
        "|earlier than",
        "<=": "at most|no more than|not more than|up to|a maximum of|<=",
        "=": "exactly|equal to|equals|=|equal",
        "!=": "not equal to|different from|!=",
        "contains": "contain|contains|containing|include|includes|including|contains substring|contain substring|contains the substring|contain the substring|has substring|include the word|with the substring|has the substring|contains the word|has the word|have the word|with the word|having the word|with the letter|contain the word|has the letter",
        "starts": "start with|starts with|starting with|begin with|begins with|beginning with",
        "ends": "end with|ends with|ending with|end in|ends in",
    },
    "between": {"": "between"},
    "group": {
        "": "per|for each|each|every|for every|in each|of each|by each|from each|at each|on each|grouped by|group by|broken down by"
        "|split by|for all the different|in every|of every|group it by|group them by",
        "by": "by",
    },
    "unit": {"day": "day|daily|days", "month": "month|monthly|months", "year": "year|yearly|annual|annually|years"},
    "order": {
        "verb": "sorted|ordered|sort|order|sort it|sort them",
        "": "sorted by|ordered by|sort by|order by|sort it by|sort them by|order it by|order them by|in order of|in the order of"
        "|sort the result by|arranged by|ranked by|rank by|order the results by|sort the results by|order results by",
        "name": "alphabetically|in alphabetical order|in alphabetic order|alphabetical order|in lexicographical order|lexicographical order",
    },
    "direction": {
        "asc": "ascending|in ascending order|ascending order|in increasing order|increasing order|lowest first|from low to high"
        "|smallest first|oldest first|from young to old|asc|in an ascending order|from lowest to highest|in ascending alphabetical order",
        "desc": "descending|in descending order|descending order|in decreasing order|decreasing order|highest first"
        "|from high to low|largest first|newest first|latest first|most first|from old to young|desc|in reverse order|reverse|in reverse"
        "|biggest first|reversed|in a descending order|from highest to lowest",
    },
    "none": {
        "": "without|never|with no|no|have no|has no|having no|do not have|don't have|does not have|doesn't have|never had|lacking|who have no"
        "|without any|do not have any|don't have any|does not have any|with no any|that have no|did not have|didn't have"
    },
    "not": {
        "": "not|except|excluding|other than|besides|no longer|non|isn't|aren't|is not|are not|not in|don't|do not|does not|doesn't"
        "|but not|not from|rather than|except for"
    },
    "average": {"": "above average|above the average|below average|below the average|than average|than the average"},
    "distinct": {"": "distinct|different|unique|the different|the distinct"},
    "list": {
        "all": "show all|show me all|show",
        "rows": "list|list all|list of",
        "": "show me|give|give me|display|find|return|which|what|who|whose|tell me|get|print|fetch|what's|who's"
        "|can you list|could you list|please list|see|what kind of",
    },
    "everything": {
        "": "everything|all details|all the details|all information|all the information|all columns|all fields"
        "|details|information|all info|info"
    },
    "and": {"and": "and|as well as|along with|together with|&|also|plus", "or": "or|and/or"},
    "have": {"": "with|have|has|having|had|with at least one|that have|which have|who have|with a|with any|got"},
    "is": {"": "is|are|was|were|equals|named|called|titled|be|being|of|in|for|from|at|as"},
    "that": {
        "": "that|one|of which|his|her|this",
        "again": "is that|was that|are those|are they|of them are|of those are",
        "back": "them|those|these|it|they|their|its|ones|of them|of those|of these",
    },
    "followup": {
        "": "what about|how about|and what about|and how about|and|only|just|only the|just the|but only|now only|now|instead"
        "|also|same for|the same for|same but|then|ok|okay|but|and for|and in|only show|show only|rather|again",
    },
    "next": {"1": "second|the next one", "2": "third", "3": "fourth", "4": "fifth"},
    "filler": {
        "": "the|a|an|of|to|do|does|did|we|our|us|i|my|you|your|me|there|all|any|some|please|can|could|would|will|on|at|in|for|from|with"
        "|into|so|far|currently|overall|who|where|when|which|whose|what|how|if|belong|belongs|belonging|live|lives|living|both|located"
        "|come|comes|been|exist|exists|available|value|values|record|records|entries|entry|rows|row|corresponding|respective|respectively"
        "|each|hi|hello|hey|made|make|has|want|like|know|need|let|let's|see|look|use|used|uses|using|their|shown|given"
        "|is|are|was|were|be|by|own|owns|owned|list of|associated|together|across|dollars|dollar|usd|euro|euros|total of|work|works"
        "|actually|really|just|appear|appears|sold at|data|database|about|either|in total|occur|occurred|occurs|happen|happened|happens|take place|took place|held|as well|well|listed|yet|any of|table|ever|kind|kinds|get|gets",
    },
}


@cache
def signs() -> dict[tuple[str, ...], tuple[Sign, ...]]:
    """Every phrase, as its lower-case words, with all signs that it can be."""
    table: dict[tuple[str, ...], tuple[Sign, ...]] = {}
    for kind, values in PHRASES.items():
        for value, phrases in values.items():
            for phrase in phrases.split("|"):
                words = tuple(phrase.split())
                table[words] = (*table.get(words, ()), Sign(kind, value))
    return table


SYNONYMS: tuple[str, ...] = (
    "price cost",
    "star rating score",
    "country nation",
    "phone telephone",
    "email mail",
    "salary pay wage",
    "length duration",
    "milliseconds length",
    "birthday birth",
    "revenue sales turnover",
    "people person",
)
"""Words of general English that name the same property; each line is one family."""

AVERAGED = frozenset(
    "rating star score price age rate percent percentage pct ratio average avg height weight temperature latitude longitude"
    " elevation length duration milliseconds".split()
)
"""Words of columns whose values do not add up: when no aggregate is named, their average is meant."""
