"""The chart: typed constituents over the lattice, by rules as data, and the best covers of a question."""
