"""Databases with a planted cause of a change, and the questions asked of them."""
