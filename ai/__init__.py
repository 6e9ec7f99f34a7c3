"""What we do: questions in, checked answers out. Never heard of Slack."""
