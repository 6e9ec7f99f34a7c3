"""Search: what was said and asked, found by its words, by any part of a word, and by its neighbours.

`wish` reads what is searched for, an index gives for each word the documents that have it, `ranking` weighs them by
arithmetic on their numbers alone, and only the best are read. What no index knows yet, and what no index can know, is
found by looking through the texts. `Search` puts it together.
"""
