"""Polite openings, without effect on the wish."""

THANKED = r"many thanks|thanks|thank you|thx|ty|great|perfect|awesome|cool|nice"
POLITE = rf"(?:(?:please|pls|ok|okay|and|now|then|hey|can you|could you|would you|(?:{THANKED})(?=[,.! ]))[, .!]+)*"
