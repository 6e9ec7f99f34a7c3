"""Follow-ups: typed edits of the meaning before, and references to what it showed."""
