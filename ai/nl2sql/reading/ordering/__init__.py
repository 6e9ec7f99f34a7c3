"""Which rows come first: ranks, ties, places and plain orders."""
