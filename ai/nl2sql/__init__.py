"""The built-in reader: a question becomes a typed meaning, and the meaning becomes SQL. No model, no network."""
