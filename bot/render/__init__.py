"""Reply events become Slack messages. Pure: no client, no clock, no settings."""
