"""What a language model is told, within flat budgets. Door: `prompts`."""
