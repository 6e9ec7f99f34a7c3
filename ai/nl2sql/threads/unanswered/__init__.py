"""Messages after a question that was not answered: asked again in other words, picked from its choices, or leaning back."""
