"""Figures about the one shown: beside another time or part, a share of a whole, what rows are worth, once more."""
