"""Explaining a change: pin figure and periods, ask the database, tell what `ai.analysis` found."""
