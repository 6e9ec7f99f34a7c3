"""Questions about the rows shown before."""
