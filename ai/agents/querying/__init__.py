"""The steps from a question to kept rows, and what is said of them."""
