"""What is remembered: one append-only log, and views and indexes of it."""
