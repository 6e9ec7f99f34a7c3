"""Tools over the memory that a language model, an agent or an HTTP caller may use: one row each, all in `table`."""
