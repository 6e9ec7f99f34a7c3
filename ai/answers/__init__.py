"""Answers in words, each number taken from a cell."""
