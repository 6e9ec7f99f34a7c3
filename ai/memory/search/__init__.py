"""Search: messages, queries, states and traces, found by words, parts of words and neighbours.

`terms` reads a search, an index names the documents of each word, `ranking` weighs them, and only the best are read.
"""

from ai.memory.search.index import index_of
from ai.memory.search.matching import Match, match, placed
from ai.memory.search.pointing import ORDINAL, ORDINALS, place_of, places_of
from ai.memory.search.recollection import Kind, Recollection, Recollections, Sought
from ai.memory.search.scope import Hit, Scope
from ai.memory.search.search import Search, Transcripts

__all__ = [
    "ORDINAL",
    "ORDINALS",
    "Hit",
    "Kind",
    "Match",
    "Recollection",
    "Recollections",
    "Scope",
    "Search",
    "Sought",
    "Transcripts",
    "index_of",
    "match",
    "place_of",
    "placed",
    "places_of",
]
