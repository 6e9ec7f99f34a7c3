"""Reply events become Slack messages. Pure: no client, clock or settings."""
