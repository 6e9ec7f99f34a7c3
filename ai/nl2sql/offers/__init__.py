"""The nearest answerable questions to one without an answer."""
