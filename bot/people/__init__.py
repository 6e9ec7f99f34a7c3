"""Who people are in Slack: groups and time zones."""
