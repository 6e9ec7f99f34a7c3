"""The words that ask for an arithmetic: "together" for a sum, "on average" for a mean, "more than" for a difference.

Lists of words only; what follows from them is decided by those who look for them. `*` stands for any letters.
"""

import re

UP = r"up|rose|rises?|risen|rising|grew|grow(?:s|n|th|ing)?|increas(?:e|es|ed|ing)|climb(?:s|ed)?|gain(?:s|ed|ing)?|jump(?:s|ed)?|surg(?:e|es|ed)|higher|more|add(?:s|ed)|improv(?:e|es|ed|ement)|ahead|exceed(?:s|ed|ing)?|above|beat(?:s|ing)?|leads?|expand(?:s|ed)?|extra|larger|greater|bigger|soar(?:s|ed)?|positive|plus|outsold|outsells|longer|faster|better|additional|surplus|out-?(?:earn|sell|perform|pace|grow|spend|scor)\w*|overspen\w+|over (?:the )?(?:budget|plan|target|forecast)"
DOWN = r"down|fell|falls?|fallen|falling|drop(?:s|ped|ping)?|declin(?:e|es|ed|ing)|decreas(?:e|es|ed|ing)|los(?:t|ses|s|es|ing)(?! \d)|lower|less|fewer|shr[aiu]nk(?:s|ing)?|slip(?:s|ped)?|behind|below|trail(?:s|ed)?|dip(?:s|ped)?|negative|short|worse|smaller|reduc(?:tion|ed|es|e)|cut|plung(?:e|es|ed)|contract(?:s|ed)|minus|deficit|slid|shed|shorter|slower|cheaper|tumbled|missed|underspen\w+|shortfall|loss|under (?:the )?(?:budget|plan|target|forecast)|short of"


def cue(words: str, then: str = r"\b") -> re.Pattern[str]:
    """A pattern for any of some words and phrases with commas between them; `then` is what has to follow."""
    phrases = "|".join(word.strip().replace("*", r"\w*") for word in words.split(","))
    return re.compile(rf"\b(?:{phrases}){then}", re.IGNORECASE)


SUM = cue(
    r"total*, sum*, together, combined, altogether, overall, in all, all, across, cumulative*, whole, grand, out of, of the,"
    r"both, rest, others?, remaining, between them, collectively, jointly, aggregate, insgesamt, gesamt, plus, and,"
    r"year-to-date, ytd, every, entire, over (?:the|these|those|all), counted, during, adds? up, of (?=[\d$€£]\d)"
)
TOGETHER = cue("total*, sum*, together, combined, altogether, overall, both, between them, collectively, jointly, aggregate, adds? up, cumulative*, out of")  # fmt: skip
OVERALL = cue("in total, overall, altogether, across all, combined, together, in all")
REST = cue("rest, others?, remaining, remainder, else, everything, excluding, without, except, not")
MEAN = cue(
    "average*, mean, avg, typical*, per, a (?:day|week|month|year), each, Durchschnitt, durchschnittlich, moyenne"
)
MEDIAN = cue("median, middle, half of")
ENDS = cue(
    "rang*, between, from, spread, span*, minimum, maximum, min, max, lowest, highest, smallest, largest, peak*, least, most,"
    "low, high, best, worst, top, bottom, as (?:many|much|high|low|few|little) as, up to"
)
DIFFERENCE = cue(
    f"{UP}, {DOWN}, differ*, gap, margin, (?:a|the|total|full) range, range (?:is|was|of), spread, apart, change*, delta, net,"
    r"profit, variance, swing, separat\w+"
)
VERSUS = cue("vs, versus, compared, against, from, since, relative")
CHANGE = cue("increase, decrease, growth, rise, gain, jump, drop, decline, fall, change", r" of\s+(?:about |roughly |around |nearly |almost |over )?$")  # fmt: skip
RATIO = cue("per, average, averages, each, ratio, for every")
NAMED_RATIO = cue("margin, ratio, conver*, attain*, achiev*, reached")
RATE = cue(
    "rates?, ratio, margin, conver*, per, average, averages, each, for every, turned into, won, success*, fail*, complet*,"
    "utili[sz]*, attain*, achiev*, reached"
)
WON = cue("w[io]ns?, lost, loss*, pass*, fail*, succe*, split, of (?:all|its|their)")
OF = cue("of, as, margin, ratio, rate, conver*, share, against, reached, achiev*, attain*, per")
POINTS = re.compile(r"\bpercentage[ -]points?\b|\bpp\b|%-?points?", re.IGNORECASE)
THAN = re.compile(
    r"\s+(?:more|fewer|less|higher|lower|larger|smaller|longer|shorter)\s+(?:[\w-]+\s+){0,2}than\b", re.IGNORECASE
)
PARTITIVE = re.compile(r"\s+of\s+(?:the|our|these|those|all|them|its|their|\d)", re.IGNORECASE)
REACHED = cue("at, reached, hit", r"\s+(?:just |only )?[$€£]?$")
CLOCK = cue("between, from, at, and, to, until, till", r"\s$")
RANGES = cue(r"rang\w+, var(?:y|ies|ied|ying), span*", r"\s+(?:\w+\s+){0,2}?(?:from|between)\s*[$€£]?$")
AGGREGATE = re.compile(r"\b(average|mean|median|total|sum)\b[\w\s]{0,30}\b(?:is|was|of|comes to|came to|stands at|at|:)\s*\S?$", re.IGNORECASE)  # fmt: skip
AGGREGATES = (frozenset({"average", "avg", "mean"}), frozenset({"median"}), frozenset({"total", "sum"}))

IN_FRONT = frozenset("first these those earliest".split())
AT_THE_END = frozenset("last latest these those final".split())
HIGHEST = frozenset("top best leading largest biggest highest strongest these those".split())
LOWEST = frozenset("bottom worst smallest lowest weakest these those".split())
FIRST_FEW = cue(", ".join(sorted(IN_FRONT | AT_THE_END | HIGHEST | LOWEST)))
