"""Accepted answers, corrections, rules and golden questions."""
