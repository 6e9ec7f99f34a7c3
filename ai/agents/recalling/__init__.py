"""Answers about the conversation by plain code: who said what, what was decided, asked and found."""
