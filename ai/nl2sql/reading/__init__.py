"""From constituents to whole meanings: what is asked of which rows, and what was assumed."""
