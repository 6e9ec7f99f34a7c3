"""Messages after an unanswered question: the same in other words, a choice, or a step back."""
