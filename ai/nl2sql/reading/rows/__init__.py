"""The rows to count, and their day."""
