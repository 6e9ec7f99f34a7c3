"""The queue as a whole: what is forgotten in it, and copied out of and into it."""
