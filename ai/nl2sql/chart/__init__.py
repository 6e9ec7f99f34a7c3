"""The chart: typed constituents over the lattice, by rules that are data, and the best ways to cover a question with them."""
