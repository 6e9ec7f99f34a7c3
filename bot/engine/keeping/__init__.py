"""The queue as a whole: forgotten in part, copied out of and into, begun anew where its file is damaged."""
