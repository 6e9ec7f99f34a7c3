"""Tools over the memory that a language model or an HTTP caller may use."""
