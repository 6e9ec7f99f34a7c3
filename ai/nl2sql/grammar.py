"""The closed-class words of English questions, as data: which phrases carry which sign.

Only words whose meaning holds for every database stand here; the words of a database are in `lexicon`.
"""

from dataclasses import dataclass
from functools import cache
from typing import Literal

SignKind = Literal[
    "count", "much", "aggregate", "most", "top", "adjective", "compare", "between", "group", "unit", "order", "direction",
    "none", "not", "average", "distinct", "list", "when", "who", "everything", "and", "or", "have", "share", "versus",
    "growth", "running", "included", "new", "both", "weekday", "long", "contrast", "gain", "each", "all", "other", "back", "ordinal", "more", "filler", "only", "open", "yesno", "contain", "verb", "valued",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sign:
    """What a closed-class phrase does in a question; `value` says which of its kind."""

    kind: SignKind
    value: str = ""


PHRASES: dict[SignKind, dict[str, str]] = {
    "count": {
        "": "how many|count only|just the count|just count|headcount|the number of|number of|numbers of|total number of|total count of|count of|count the number of|counts of|count"
        "|how often|how many times|wie viele|the count of|the total number of|how many different kinds of|amount of|the amount of|# of"
        "|number|how many total",
    },
    "much": {"": "how much|how much money"},
    "aggregate": {
        "avg": "average|mean|avg|on average|averaged|in average|typical|averages",
        "sum": "total|sum|sum of|overall|combined|total amount of|altogether|in total|summed|the sum of|total of|the total of|totals",
        "min": "minimum|min|the minimum|smallest value of",
        "max": "maximum|max|the maximum",
        "median": "median",
    },
    "most": {
        "desc": "most|highest|largest|biggest|greatest|best|maximum|max|top|the most number of|the greatest number of"
        "|the largest number of|the highest number of|the most amount of|greatest number of|largest number of|highest number of"
        "|most number of|maximum number of|largest amount of|the maximum number of",
        "asc": "least|fewest|lowest|smallest|worst|minimum|min|bottom|the fewest number of|the least number of|the smallest number of"
        "|the lowest number of|the minimum number of|fewest number of|least number of|smallest number of|lowest number of",
    },
    "top": {"desc": "top|first|best|highest|largest|biggest|most", "asc": "bottom|last|lowest|smallest|worst|fewest|least"},
    "adjective": {
        "price cost amount fee|desc": "most expensive|priciest|costliest|dearest",
        "price cost amount fee|asc": "cheapest|least expensive",
        "age|desc": "oldest|eldest",
        "age|asc": "youngest",
        "date founded launched opened built established|asc": "oldest|earliest|first",
        "date|desc": "newest|latest|most recent|most recently|last|youngest",
        "date|next": "next|next upcoming|soonest",
        "hired hire joined employed|asc": "longest serving|longest-serving|longest standing|longest-standing|longest tenured|most senior",
        "length duration milliseconds seconds minutes distance|desc": "longest",
        "length duration milliseconds seconds minutes distance|asc": "shortest",
        "height elevation|desc": "tallest|highest",
        "height elevation|asc": "shortest|lowest",
        "weight|desc": "heaviest",
        "weight|asc": "lightest",
        "area size|desc": "largest|biggest",
        "area size|asc": "smallest",
        "speed|desc": "fastest|quickest",
        "speed|asc": "slowest",
        "rating stars score|desc": "highest rated|best rated|top rated|best-rated|highest-rated|top-rated",
        "rating stars score|asc": "lowest rated|worst rated|worst-rated|lowest-rated",
        "count|desc": "most common|most popular|most frequent|most often|most frequently",
        "count|asc": "least common|least popular|rarest|least frequent|least frequently",
    },
    "compare": {
        ">": "more than|greater than|after|larger than|bigger than|higher than|longer than|older than|over|above|exceeding|exceeds"
        "|>|heavier than|taller than|costing more than|later than|exceed|in excess of|better than|beyond",
        ">=": "at least|greater than or equal to|more than or equal to|larger than or equal to|higher than or equal to|equal to or greater than"
        "|no less than|not less than|a minimum of|>=|minimum of|no fewer than|from",
        "<": "less than|fewer than|before|prior to|smaller than|lower than|shorter than|younger than|under|below|<|cheaper than|lighter than"
        "|earlier than|worse than",
        "<=": "at most|less than or equal to|smaller than or equal to|lower than or equal to|equal to or less than|no greater than"
        "|no higher than|no larger than|no more than|not more than|up to|a maximum of|<=",
        "=": "exactly|equal to|equals|=|equal",
        "!=": "not equal to|different from|!=|not equals to|<>|other than",
    },
    "contain": {
        "contains": "contain|contains|containing|include|includes|including|contains substring|contain substring"
        "|contains the substring|contain the substring|has substring|include the word|with the substring|has the substring"
        "|contains the word|has the word|have the word|with the word|having the word|with the letter|contain the word|has the letter"
        "|mention|mentions|mentioning|mentioned|say|saying|talk about|talking about|about|contains the letter|contain the letter"
        "|with the words|that mention|includes the word|including the word|the word|the letter|the substring",
        "starts": "start with|starts with|starting with|begin with|begins with|beginning with|start with the letter|starts with the letter"
        "|starting with the letter|begins with the letter",
        "ends": "end with|ends with|ending with|end in|ends in|ending in",
    },
    "between": {"": "between|ranging from|from|in the range of"},
    "group": {
        "": "per|for each|each|every|for every|in each|of each|by each|from each|at each|on each|grouped by|group by|broken down by"
        "|split by|in every|of every|group it by|group them by|split it by|split up by|break down by|broken out by"
        "|break it down by|break that down by|breakdown by|for each of the|each of the|per each|with each|pro|je|by every"
        "|split that by|for each different|of each different|each different|for different|aggregated by|within each|over each",
        "by": "by",
    },
    "unit": {
        "day": "day|daily|days|date|day by day|day-by-day",
        "week": "week|weekly|weeks|week by week|week-by-week",
        "month": "month|monthly|months|month end|month-end|month ends|month-ends|end of month|month by month|month-by-month",
        "quarter": "quarter|quarterly|quarters|quarter by quarter",
        "year": "year|yearly|annual|annually|years|year by year",
        "weekday": "weekday|day of the week|day of week|weekdays",
    },
    "order": {
        "verb": "sorted|ordered|sort|order|sort it|sort them|rank|ranked|order them|order it|sort these|sort this|sort that|list",
        "by": "sorted by|ordered by|sort by|order by|sort it by|sort them by|order it by|order them by|in order of|in the order of"
        "|sort the result by|arranged by|ranked by|rank by|order the results by|sort the results by|order results by|rank them by"
        "|sorted according to|ordered according to|arrange by|sort by the|sorted in order of|sort these by|ordered in",
        "name": "alphabetically|in alphabetical order|in alphabetic order|alphabetical order|in lexicographical order"
        "|lexicographical order|in lexicographic order|alphabetical|by alphabetical order|in order of the alphabet",
    },
    "direction": {
        "asc": "ascending|in ascending order|ascending order|in increasing order|increasing order|lowest first|from low to high"
        "|smallest first|oldest first|from young to old|asc|in an ascending order|from lowest to highest|in ascending alphabetical order"
        "|worst first|from the lowest to the highest|earliest first|increasing|in the ascending order|from oldest to newest|fewest first"
        "|cheapest first|from smallest to largest|from the youngest to the oldest|from youngest to oldest|least first|from small to large"
        "|shortest first|from least to most|from earliest to latest|from fewest to most",
        "desc": "descending|in descending order|descending order|in decreasing order|decreasing order|highest first"
        "|from high to low|largest first|newest first|latest first|most first|from old to young|desc|in reverse order|reverse|in reverse"
        "|biggest first|busiest first|reversed|in a descending order|from highest to lowest|best first|decreasing|in the descending order"
        "|from newest to oldest|from the highest to the lowest|from large to small|from largest to smallest|from the oldest to the youngest"
        "|from oldest to youngest|most recent first|descendingly|longest first|from most to least|most expensive first"
        "|in reverse alphabetical order|in descending alphabetical order|top first|from the largest to the smallest"
        "|in reverse lexicographical order|from latest to earliest",
    },
    "none": {
        "": "without|never|with no|no|have no|has no|having no|do not have|don't have|does not have|doesn't have|never had|lacking"
        "|who have no|without any|do not have any|don't have any|does not have any|with no any|that have no|did not have|didn't have"
        "|had no|got no|did not get|didn't get|have not had|w/o|w/o any|not any|does not|do not|did not|didn't|doesn't|don't|have never"
        "|has never|are not|is not|were not|was not|aren't|isn't|zero|haven't|hasn't|have not|has not|that never|who never|with zero"
        "|hadn't|didn't have any|did not have any|did not get any|didn't get any|doesn't have any|no any|ohne|missing|lack"
        "|that did not have|that had no|that do not have|that don't have|with no recorded|got zero|had zero|have zero"
    },
    "not": {
        "": "not|except|excluding|other than|besides|no longer|non|isn't|aren't|is not|are not|not in|don't|do not|does not|doesn't"
        "|but not|not from|rather than|except for|neither|nor|outside|outside of|not on|not of|apart from|leaving out|was not|were not"
        "|minus|did not|didn't|not at|excl|without|not a|not an|not the|wasn't|weren't|never|ignoring|that is not|that are not"
    },
    "average": {
        ">": "above average|above the average|than average|than the average|more than average|more than the average"
        "|higher than the average|higher than average|greater than the average|greater than average|larger than the average"
        "|larger than average|over the average|exceeds the average|above-average|bigger than the average|older than the average"
        "|older than average|longer than the average|longer than average|heavier than average|better than average|exceed the average",
        "<": "below average|below the average|less than average|less than the average|lower than the average|lower than average"
        "|smaller than the average|smaller than average|under the average|below-average|younger than the average|younger than average"
        "|shorter than the average|shorter than average|fewer than average|fewer than the average|worse than average|cheaper than average"
        "|cheaper than the average",
    },
    "distinct": {"": "distinct|different|unique|the different|the distinct|the unique|various|all the different|all distinct|all different"},
    "list": {
        "all": "show all|show me all|show",
        "rows": "list|list all|list of|list down|enumerate|list out|a list of|the list of",
        "": "show me|give|give me|gimme|display|find|return|which|what|tell me|get|print|fetch|what's|please list|see|what kind of"
        "|can you list|could you list|which of|name|show us|find out|please show me|let me see|pull|give us|what are|what is|which are"
        "|which is|what were|what was|whats|please show|zeig mir|zeige|welche|the list|report|identify|retrieve|select|output|find all",
    },
    "when": {"": "when|since when|what day|on what date|on which date|what date"},
    "who": {"": "who|whom|whose|who's"},
    "everything": {
        "": "everything|all details|all the details|all information|all the information|all columns|all fields"
        "|details|information|all info|info|every detail|all the info|all about|all data|detail|full details|everything about"
        "|complete details|all available features|all attributes"
    },
    "and": {"": "and|as well as|along with|together with|&|also|plus|and also|und|,|and what|and the|with"},
    "or": {"": "or|and/or|oder|either"},
    "have": {
        "": "with|have|has|having|had|with at least one|that have|which have|who have|with a|with any|got|that has|who has|have any"
        "|has any|have a|has a|had a|had any|having at least one|have at least one|has at least one|that had|containing any"
    },
    "share": {
        "": "share of|percentage of|percent of|what percent of|what percentage of|what share of|proportion of|fraction of|the share of|% of"
        "|the percentage of|the percent of|the proportion of|what proportion of|what fraction of|share|percentage|percent|pct of|pct"
        "|what % of|the fraction of|shares of|rate of|distribution of|breakdown of|what part of|in percent|in %",
    },
    "versus": {"": "vs|versus|compared to|compared with|against|vs.|compare|in comparison to|relative to|from|to|and|than|with"},
    "growth": {
        "": "growth|change|month over month|mom|week over week|day over day|year over year|yoy|wow|increase|development|changes"
        "|month-over-month|week-over-week|difference|grow|grew|how did|changed|developed|trend|over time|month on month|evolve|evolved"
        "|year-over-year|trend of|the trend of|growth of|growth in|change in|change of|week on week|year on year|quarter over quarter|qoq"
    },
    "running": {"": "cumulative|running total|running total of|cumulated|running sum|cumulatively|cumulative total|accumulated"},
    "included": {
        "with": "incl|including|inclusive of|included|with",
        "without": "excl|excluding|exclusive of|before|net of|without|w/o|excluded",
    },
    "new": {"": "new|newly|fresh|additional|sign-ups|signups|sign ups|registrations|joiners|newcomers"},
    "contrast": {
        ">": "more|higher|better|greater|larger|bigger|stronger",
        "<": "less|fewer|lower|worse|smaller|weaker",
    },
    "gain": {
        "desc": "gained|gain|gains|grew|grown|grow|growing|increased|increase|rose|climbed|improved|jumped|biggest increase|largest increase"
        "|biggest gain|biggest jump|fastest growing|biggest growth|most growth|strongest growth|improved most|gained most",
        "asc": "lost|dropped|drop|declined|decline|fell|decreased|decrease|shrank|shrunk|biggest drop|largest drop|biggest decrease"
        "|biggest decline|largest decline|biggest loss|fell most|dropped most|declined most|lost most",
    },
    "both": {"": "both|both a|both an|both the"},
    "long": {
        "": "how long|how much time|how many days|how many hours|how many minutes|how long until|how many days until|how many hours until"
        "|how long does it take to|how long does it take until|how many days does it take to|how many days does it take until|how long before"
        "|how many hours does it take to|how long did it take to|how long it takes to|how long does it take|days until|time until|time it takes to",
    },
    "weekday": {
        "0": "sundays|on a sunday|on sundays", "1": "mondays|on a monday|on mondays", "2": "tuesdays|on a tuesday|on tuesdays",
        "3": "wednesdays|on a wednesday|on wednesdays", "4": "thursdays|on a thursday|on thursdays",
        "5": "fridays|on a friday|on fridays", "6": "saturdays|on a saturday|on saturdays",
        "0 6": "weekends|on weekends|on the weekend|at weekends|at the weekend", "1 2 3 4 5": "on weekdays|on working days|on workdays",
    },
    "each": {"": "each|respectively|each of them|for each|each one|apiece|of each|of each kind|of each of them"},
    "all": {"": "all|any|every|whole|entire|total"},
    "other": {"": "other|others|else|another|different"},
    "back": {
        "": "them|those|these|it|they|their|its|ones|of them|of those|of these|that|this|one|his|her|he|she|there|that one|this one"
        "|the same|which of them|which of those|which of these|of which|the ones|those ones|such|said|each of them|those ones|these ones"
    },
    "more": {"": "or more|and more|or above|and above|and over|or higher|and up|or greater|or over|or later|+", "<=": "or less|or fewer|or below|and below|or lower|or under"},
    "filler": {
        "": "the|a|an|of|to|do|does|did|we|our|us|i|my|you|your|me|there|all|any|some|please|can|could|would|will|on|at|in|for|from|with"
        "|into|so|far|currently|overall|where|which|what|if|belong|belongs|belonging|live|lives|living|located|whose"
        "|come|comes|came|coming|been|exist|exists|available|value|values|record|records|entries|entry|rows|row|corresponding|respective"
        "|hi|hello|hey|made|make|makes|has|want|like|know|need|let|let's|see|look|shown|given|having|with|have|had"
        "|is|are|was|were|be|by|own|owns|owned|associated|together|across|dollars|dollar|usd|bucks|work|works|working"
        "|actually|really|just|appear|appears|data|database|about|either|occur|occurred|occurs|happen|happened|happens|take place"
        "|took place|held|as well|well|listed|yet|table|ever|kind|kinds|get|gets|got|as|being|that|this|those|these|it|its|their|them|they"
        "|now|right now|at the moment|current|today's|pls|plz|thanks|thank you|tell|i'd|i'd like to|would like to|we've|we have|right|the following"
        "|called|named|titled|name is|dear|ok|okay|also|then|whats|haben|wir|die|der|das|im|in der|am|von|für|mit|sind|es|gibt|gibt es"
        "|brings in|bring in|bringing in|brought in|among|amongst|within|during|generate|generates|generated|generating|produce|for all|across all|of all"
        "|produces|produced|receive|received|receives|out|up|one|exact|exactly|roughly|about"
        "|and|or|am|has been|have been|sold at|draw|plot|chart of|graph of|chart|graph"
        "|please|kindly|quickly|the result|result|results|answer|question|calculate|compute|me a|draw me a|plot the|against"
        "|doing|going|via|respectively|were there|there were|are there|is there|there are|there is|did we|do we|we did|look like"
        "|that are|who are|which are|who is|which is|that is|that were|so-called|each of them|each of those|each of these|since launch|since the launch|since the beginning|of all time|all time|ever since|in our portfolio|to date|etc|e.g.|i.e.|say|such|those that|those who|ones"
        "|full|whole|entire|single|particular|specific|certain|every single|time|times|done|take|takes|took"
        "|quick one|quick question|lemme|wanna|still|very|fall|falls|fell|fall into|sit|sits|behind|something|obv|obviously|basically"
        "|people|anybody|anyone|someone|on file|on record|on the books|known|anyway|overall|in all|all of them|all of these|whole chain|by now|thing|until an|until a|until the|until it|until they|work for us|works for us|with us|for us|charge|charges|charged|collect|collects|collected|come in|came in|coming in|comes in|for me|if any|if possible|by chance|again"
        "|contain|contains|containing|include|including|includes|hold|holds|holding|involved|involve|involves"
    },
    "only": {"": "only|just|only the|just the|but only|now only|only those|just those|keep only|only show|show only|filter to|limit to|limit it to|restrict to"},
    "open": {
        "": "what about|how about|and what about|and how about|and|now|instead|also|same for|the same for|same but|then|and for|and in|again"
        "|rather|but|same|and now|now the same|the same|same thing|same thing for|same with|what if|but for|now for|and by|do the same for"
        "|same question for|and with|or|ok and|ok now|also show|include|add|and the",
    },
    "verb": {
        "": "use|used|uses|using|perform|performs|performed|performing|sell|sells|sold|selling|run|runs|ran|running|teach|teaches|taught|teaching|play|plays"
        "|played|playing|attend|attends|attended|attending|host|hosts|hosted|hosting|write|writes|wrote|written|buy|buys|bought|buying"
        "|ordered|purchase|purchased|purchases|hire|hires|hired|employ|employs|employed|enroll|enrolls|enrolled|enrolling|register"
        "|registers|registered|visit|visits|visited|stay|stayed|stays|win|wins|won|compete|competes|competed|participate|participates"
        "|participated|participating|join|joins|joined|sing|sings|sang|direct|directs|directed|produce|produces|produced|publish|publishes"
        "|published|serve|serves|served|offer|offers|offered|offering|treat|treats|treated|handle|handles|handled|place|places|placed"
        "|own|owns|owned|lead|leads|led|studies|study|studied|studying|advise|advises|advised|assigned|assign|operate|operates|operated"
        "|fly|flies|flew|flying|arrive|arrives|arrived|arriving|depart|departs|departed|departing|live|lives|lived|made|makes|make|created"
        "|create|creates|ship|ships|shipped|publish|related|recorded|driven|drive|drives|drove|borrow|borrows|borrowed|review|reviewed"
        "|rated|rate|rates|manage|manages|managed|supervise|supervises|supervised|support|supports|supported|affiliated|linked|connected"
        "|posted|post|posts|reported|report|reports|raised|raise|opened|open|opens|ordering|booked|book|books|spoken|speak|speaks|award"
        "|awarded|contracted|used by|owned by|located|associated|tagged|given|done"
        "|filed|hosted|supported|founded|started|worked|earned|earning|earns|staying|shared|shares|provided"
        "|provide|provides|caused|cause|causes|suffered|suffering|suffers|collected|collect|collects|based|launched"
        "|reached|go|goes|affected|coached|coaches|nominated|nominate|prescribed|prescribes|prescribe|requested"
        "|requests|issued|issues|signed|signs|sign|stationed|headquartered|housed|houses|trained|trains"
        "|judged|judges|elected|elects|elect|voted|lends|lent|lend|followed|follows|follow|residing"
        "|resides|reside|born|situated|flied|flown|undergo|undergoes|underwent|nursing|aboard|belonging|caught|won by"
    },
    "valued": {"": "free|paid|priced|cost money|costs money|cost something|costs something|not free|isn't free|aren't free|are not free|is not free"},
    "yesno": {"": "is|are|was|were|does|do|did|has|have"},
    "ordinal": {
        "1": "first|1st", "2": "second|2nd|runner-up|the next one", "3": "third|3rd", "4": "fourth|4th", "5": "fifth|5th",
        "-1": "last", "6": "sixth|6th", "7": "seventh|7th",
    },
}  # fmt: skip


@cache
def signs() -> dict[tuple[str, ...], tuple[Sign, ...]]:
    """Every phrase, as its lower-case words, with all signs that it can be."""
    table: dict[tuple[str, ...], tuple[Sign, ...]] = {}
    for kind, values in PHRASES.items():
        for value, phrases in values.items():
            for phrase in phrases.split("|"):
                words = tuple(phrase.split())
                sign = Sign(kind, value)
                if sign not in table.get(words, ()):
                    table[words] = (*table.get(words, ()), sign)
    return table


@cache
def openings() -> dict[str, int]:
    """The longest phrase that begins with each word."""
    longest: dict[str, int] = {}
    for words in signs():
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    return longest
