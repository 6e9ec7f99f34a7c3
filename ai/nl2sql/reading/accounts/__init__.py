"""Account for the words of a question: used, told again, ignored, or vague."""
