"""Who thinks: the analyst port and the readers behind it."""
