"""What a database holds, and which of it a question is about."""
