"""Explain a moved figure: exact decompositions, checks of the data and the search for drivers, on small tables.

Owns the statistics. Reads no database, no question and no words; `ai/agents/explaining` asks, runs and tells.
"""
